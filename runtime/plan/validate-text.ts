import { primitives, type Field, type PrimitiveTypeName } from '../edm/index.js';

const form: { readonly [Name in PrimitiveTypeName]?: RegExp } = {
  'Edm.Decimal': /^[+-]?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/,
  'Edm.Single': /^[+-]?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$|^-?INF$|^NaN$/,
  'Edm.Double': /^[+-]?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$|^-?INF$|^NaN$/,
  'Edm.Boolean': /^(true|false)$/,
  'Edm.Guid': /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  'Edm.TimeOfDay': /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,12})?)?$/,
  'Edm.Duration': /^-?P(?=.)(\d{1,9}D)?(T(?=.)(\d{1,9}H)?(\d{1,9}M)?(\d{1,9}(\.\d{1,12})?S)?)?$/,
  'Edm.Binary': /^[A-Za-z0-9_-]*={0,2}$/,
};

/** What is wrong with a value's text form, as the end of a sentence; undefined when it fits type and facets. */
export function validateText(field: Field, text: string): string | undefined {
  return validateForm(field.type, text) ?? validateFacets(field, text);
}

function validateForm(type: PrimitiveTypeName, text: string): string | undefined {
  const { range } = primitives[type];
  if (range !== undefined) return validateWhole(text, range);
  if (type === 'Edm.Date') return isDate(text) ? undefined : ': a date is written YYYY-MM-DD and must exist';
  if (type === 'Edm.DateTimeOffset') return isTimestamp(text) ? undefined : ': a date-time is written YYYY-MM-DDThh:mm:ssZ and must exist';
  if (form[type]?.test(text) === false) return `: it must be an ${type}`;
  return undefined;
}

function validateWhole(text: string, [low, high]: readonly [string, string]): string | undefined {
  if (!/^[+-]?\d{1,30}$/.test(text)) return ': it must be a whole number';
  const value = BigInt(text.replace(/^\+/, ''));
  return value < BigInt(low) || value > BigInt(high) ? `: it must be from ${low} to ${high}` : undefined;
}

/** Whether the text is a day of the calendar, from the year 1 on. */
export function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === '' || year === '0000') return false;
  const date = new Date(Date.UTC(2000, Number(month) - 1, Number(day)));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isTimestamp(text: string): boolean {
  const [, date = ''] = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,12})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/i.exec(text) ?? [];
  return isDate(date);
}

function validateFacets(field: Field, text: string): string | undefined {
  if (field.maxLength !== undefined && [...text].length > field.maxLength) return `: at most ${field.maxLength} characters`;
  if (field.allowedValues && !field.allowedValues.includes(text)) return `: the values are ${field.allowedValues.join(', ')}`;
  if (field.pattern !== undefined && !new RegExp(field.pattern, 'u').test(text)) return `: it must match ${field.pattern}`;
  return validateFraction(field, text);
}

// A timestamp is never more precise in the store than on the wire, so digits that would be lost are refused.
function validateFraction({ type, precision = 6 }: Field, text: string): string | undefined {
  if (type !== 'Edm.DateTimeOffset' && type !== 'Edm.TimeOfDay') return undefined;
  const fraction = /\.(\d+)/.exec(text)?.[1]?.replace(/0+$/, '') ?? '';
  return fraction.length > precision ? `: at most ${precision} digits of a second` : undefined;
}
