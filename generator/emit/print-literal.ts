/** The data of generated tables. */
export type Literal = undefined | null | boolean | number | string | readonly Literal[] | LiteralObject | Reference;
/** Members to print; undefined ones are omitted. */
export interface LiteralObject {
  readonly [name: string]: Literal;
}

/** An expression that is printed verbatim, such as the name of a constant. */
interface Reference {
  readonly [reference]: string;
}

const reference = Symbol('reference');

/** A reference to a constant of generated code. */
export function referTo(name: string): Reference {
  return { [reference]: name };
}

/** Data as TypeScript on one line. */
export function printLiteral(value: Literal): string {
  if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return printString(value);
  if (isReference(value)) return value[reference];
  if (isList(value)) return `[${value.map(printLiteral).join(', ')}]`;
  const members = Object.entries(value).map(printMember);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

// For a member that every object inherits, the contextual type turns true into boolean.
function printMember([name, member]: readonly [string, Literal]): string {
  const isConstant = Object.hasOwn(Object.prototype, name) && typeof member === 'object';
  return `${printKey(name)}: ${printLiteral(member)}${isConstant ? ' as const' : ''}`;
}

/** A table with one line per row. */
export function printTable(value: readonly Literal[] | LiteralObject): string {
  const rows = isList(value) ? value.map(printLiteral) : Object.entries(value).map(printMember);
  const [open, close] = isList(value) ? ['[', ']'] : ['{', '}'];
  return rows.length === 0 ? open + close : `${open}\n${rows.map((row) => `  ${row},\n`).join('')}${close}`;
}

/** A table within another, with one line per row. */
export function nestedTable(value: readonly Literal[] | LiteralObject): Reference {
  return referTo(printTable(value).replaceAll('\n', '\n  '));
}

/** A string literal with escapes. */
export function printString(text: string): string {
  const body = JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'");
  return `'${body.replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;
}

/** A member's name; a quoted key `__proto__` would set the prototype, a computed one does not. */
export function printKey(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return isPlain(name) ? name : printString(name);
}

/** The name of a property of an interface. */
export function printPropertyName(name: string): string {
  return isPlain(name) ? name : printString(name);
}

function isPlain(name: string): boolean {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name);
}

function isReference(value: object): value is Reference {
  return Object.hasOwn(value, reference);
}

function isList(value: readonly Literal[] | LiteralObject): value is readonly Literal[] {
  return Array.isArray(value);
}
