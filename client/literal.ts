/** The text of a value as an expression prints it. */
export class Literal {
  constructor(readonly text: string) {}
}

/** A value that an expression can compare with. */
export type Value = string | number | bigint | boolean | null | Date | Literal | readonly Value[];

/** Prints a value as an OData literal. */
export function printLiteral(value: Value): string {
  if (value instanceof Literal) return value.text;
  if (value instanceof Date) return printDate(value);
  if (Array.isArray(value)) return `(${value.map(printLiteral).join(',')})`;
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (value === Infinity) return 'INF';
  return value === -Infinity ? '-INF' : String(value);
}

// An invalid date throws a RangeError of the platform.
function printDate(value: Date): string {
  return value.toISOString();
}

const forms = {
  date: /^-?\d{4,}-\d\d-\d\d$/,
  timeOfDay: /^\d\d:\d\d(:\d\d(\.\d{1,12})?)?$/,
  dateTime: /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,12})?)?(Z|[+-]\d\d:\d\d)$/i,
  guid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  decimal: /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i,
  duration: /^[+-]?P(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/,
};

function checked(form: keyof typeof forms, text: string): string {
  if (forms[form].test(text)) return text;
  throw new TypeError(`'${text}' is not a value of the form ${form}`);
}

/** An Edm.Date: `day('2026-01-31')`. */
export const day = (text: string): Literal => new Literal(checked('date', text));

/** An Edm.TimeOfDay: `timeOfDay('17:30')`. */
export const timeOfDay = (text: string): Literal => new Literal(checked('timeOfDay', text));

/** An Edm.DateTimeOffset with its digits and offset as written. */
export const dateTime = (text: string): Literal => new Literal(checked('dateTime', text));

/** An Edm.Guid. */
export const guid = (text: string): Literal => new Literal(checked('guid', text));

/** A number with all its digits. */
export const decimal = (text: string): Literal => new Literal(checked('decimal', text));

/** An Edm.Duration: `duration('PT36H')`. */
export const duration = (text: string): Literal => new Literal(`duration'${checked('duration', text)}'`);

/** Members of an enumeration by its qualified name, for services of version 4.0: `enumMember('Ns.Color', 'Red')`. */
export const enumMember = (type: string, ...members: readonly string[]): Literal => new Literal(`${type}'${members.join(',')}'`);

// Types whose literals are the text itself.
const bare = /^(Byte|SByte|U?Int\d+|Decimal|Single|Double|Boolean|Date|DateTimeOffset|TimeOfDay|Guid)$/;

/** Prints a JSON value as a literal of the given type: named without `Edm.`, an enumeration, or JSON. */
export function printTyped(value: unknown, type: string): string {
  if (type === 'JSON') return JSON.stringify(value);
  if (value === null || value instanceof Literal || value instanceof Date) return printLiteral(value);
  if (bare.test(type)) return String(value);
  if (type === 'String') return printLiteral(String(value));
  if (type === 'Duration' || type === 'Binary') return `${type.toLowerCase()}'${String(value)}'`;
  return `${type}'${String(value)}'`;
}
