import { type EntityType, type Field, fieldOf, own, type PrimitiveTypeName, type StoredRecord, type StoredValue } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { canonicalDecimal, type Decimal, decimalText } from '../json/canonical-number.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import type { LockedRecord } from './stored-record.js';

/** The effects of a requested transition, or the reason why it is rejected. */
export function planMove(
  { type, values }: WritePlan,
  { record }: LockedRecord,
): { readonly sets: StoredRecord; readonly faults: readonly ErrorDetail[] } {
  const wished = type.transitions && values.get(type.transitions.property);
  if (type.transitions === undefined || typeof wished !== 'string') return { sets: new Map(), faults: [] };
  const { property } = type.transitions;
  const from = String(record.get(property) ?? type.transitions.initial);
  if (from === wished) return { sets: new Map(), faults: [] };
  const moves = own(type.transitions.moves, from) ?? [];
  const move = moves.find(({ to }) => to === wished);
  if (move === undefined) return { sets: new Map(), faults: [refusedMove(property, from, wished, moves)] };
  const required = (move.requires ?? []).filter((name) => (values.has(name) ? values.get(name) : record.get(name)) == null);
  const faults = required.map((name) => errors.missingRequired(name, move.message).asDetail(name));
  return { sets: new Map(Object.entries(move.sets ?? {})), faults };
}

function refusedMove(property: string, from: string, to: string, moves: readonly { readonly to: string }[]): ErrorDetail {
  const allowed = moves.length === 0 ? 'it is final' : `from there it may become ${moves.map((move) => move.to).join(', ')}`;
  return errors.invalidTransition(`${property} cannot change from '${from}' to '${to}': ${allowed}.`).asDetail(property);
}

/** The faults of immutable values in a body, which may repeat them but not change them; a key is ignored (protocol 11.4.3). */
export function fixedFaults({ type, values }: WritePlan, locked: LockedRecord): readonly ErrorDetail[] {
  const isSame = (name: string): boolean => {
    const sent = values.get(name);
    return sent === undefined || sent === locked.record.get(name);
  };
  return type.rules.immutable
    .filter((name) => !type.key.includes(name) && !isSame(name))
    .map((name) => errors.readOnly(name, 'it can be set only on creation').asDetail(name));
}

/** The text of a sent value once stored; undefined where only the database can tell. */
export function sentForm(type: EntityType, { record }: LockedRecord, name: string, value: StoredValue): string | null | undefined {
  const field = fieldOf(type, name);
  return field === undefined || !record.has(name) || (typeof value === 'object' && value !== null) ? undefined : storedForm(field, value);
}

/** The values without the key, which stays. */
export function withoutKey(type: EntityType, values: StoredRecord): StoredRecord {
  return new Map([...values].filter(([name]) => !type.key.includes(name)));
}

/** The text of a stored value; undefined where only the database can tell. */
export function storedForm(field: Field, value: string | null): string | null | undefined {
  if (value === null) return null;
  return field.collection ? undefined : forms[field.type]?.(value, field);
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
