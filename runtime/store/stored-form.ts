import type { Field, PrimitiveTypeName } from '../edm/index.js';
import { canonicalDecimal, decimalText, type Decimal } from '../json/canonical-number.js';

/** The text of a stored value; undefined where only the database can tell. */
export function storedForm(field: Field, value: string | null): string | null | undefined {
  return value === null || field.collection ? wholeForm(value) : forms[field.type]?.(value, field);
}

function wholeForm(value: string | null): null | undefined {
  return value === null ? null : undefined;
}

type Form = (text: string, field: Field) => string | undefined;

// Values of other types have several texts, and the database chooses one.
const forms: { readonly [Name in PrimitiveTypeName]?: Form } = {
  'Edm.String': (text) => text,
  'Edm.Byte': wholeText,
  'Edm.SByte': wholeText,
  'Edm.Int16': wholeText,
  'Edm.Int32': wholeText,
  'Edm.Int64': wholeText,
  'Edm.Decimal': fixedText,
  'Edm.Date': (text) => (/^[1-9]\d{3}-\d\d-\d\d$/.test(text) ? text : undefined),
};

function wholeText(text: string): string | undefined {
  const decimal = canonicalDecimal(text);
  return decimal && decimal.scale <= 0 ? decimalText(decimal) : undefined;
}

// A column with a scale pads: 9.9 becomes 9.90. One without keeps the text.
function fixedText(text: string, { precision, scale = 0 }: Field): string | undefined {
  const decimal = canonicalDecimal(text);
  return decimal && precision !== undefined && decimal.scale <= scale ? filled(decimal, scale) : undefined;
}

function filled(decimal: Decimal, places: number): string {
  const missing = places - Math.max(0, decimal.scale);
  const point = decimal.scale <= 0 && places > 0 ? '.' : '';
  return `${decimalText(decimal)}${point}${'0'.repeat(missing)}`;
}
