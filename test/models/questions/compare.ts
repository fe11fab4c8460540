import { complexTypeNamed, primitives, qualify, type PrimitiveTypeName } from '../../../runtime/edm/index.js';
import { type EntityContainer } from '../../../runtime/edm/entity-container.js';
import { type Field } from '../../../runtime/edm/field.js';
import { type StructuredType } from '../../../runtime/edm/entity-type.js';
import { enumValue } from '../../../runtime/expression/enum-members.js';
import { isArray, isNumber, isObject, type Json, isSameJson } from '../../../runtime/json/json.js';
import { compareWithNull, fraction, numberOf, type Temporal, type Value } from '../../differential/values.js';

/** Whether values of a property can be sorted. */
export function isOrdered({ type, collection }: Field): boolean {
  return !collection && primitives[type].ordered;
}

/** A single value of an ordered type, to be compared; null for null. */
export function valueOf({ type, enumeration }: Pick<Field, 'type' | 'enumeration'>, json: Json | undefined): Value {
  if (json === undefined || json === null) return null;
  if (enumeration) return numberOf(enumValue(enumeration, String(json)) ?? '0');
  if (isNumber(json)) return numberOf(json.text);
  if (typeof json === 'boolean') return json;
  if (typeof json !== 'string') throw new Error(`${type} has a value that is no single one.`);
  return textual(type, json);
}

// Infinity is greater than every double, and NaN sorts after it.
const infinite = 10n ** 400n;
const notANumber = infinite * 10n;

function textual(type: PrimitiveTypeName, text: string): Value {
  if (isNotANumber({ type }, text)) return fraction(notANumber);
  if (primitives[type].rank !== undefined)
    return text.endsWith('INF') ? fraction(text.startsWith('-') ? -infinite : infinite) : numberOf(text);
  if (type === 'Edm.Guid') return { kind: 'guid', text: text.toLowerCase() };
  if (type === 'Edm.Duration') return { kind: 'duration', micros: durationMicros(text) };
  if (type === 'Edm.Date') return { kind: 'date', micros: momentMicros(`${text}T00:00:00Z`) };
  if (type === 'Edm.TimeOfDay') return { kind: 'time', micros: momentMicros(`1970-01-01T${text}Z`) };
  return type === 'Edm.DateTimeOffset' ? { kind: 'timestamp', micros: momentMicros(text) } : text;
}

/** Whether a value is NaN, which is in no order and equals nothing (URL conventions 5.1.1.1); a member of an enumeration may be called so. */
export function isNotANumber({ type, enumeration }: Pick<Field, 'type' | 'enumeration'>, json: Json | undefined): boolean {
  return json === 'NaN' && enumeration === undefined && primitives[type].rank !== undefined;
}

function momentMicros(text: string): Temporal['micros'] {
  const [, before = '', digits = '', offset = ''] = /^(.*?)(?:\.(\d+))?(Z|[-+]\d\d:\d\d)$/i.exec(text) ?? [];
  const time = Date.parse(`${/T\d\d:\d\d$/.test(before) ? `${before}:00` : before}${offset}`);
  if (Number.isNaN(time)) throw new Error(`${text} is no moment.`);
  return BigInt(time) * 1000n + BigInt(digits.padEnd(6, '0').slice(0, 6));
}

function durationMicros(text: string): bigint {
  const [, sign, days = '0', hours = '0', minutes = '0', seconds = '0', digits = ''] =
    /^(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$/.exec(text) ?? [];
  const micros =
    (((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)) * 1_000_000n +
    BigInt(digits.padEnd(6, '0').slice(0, 6));
  return sign ? -micros : micros;
}

/** The order of two values of a property, null lowest. */
export function compareOf(field: Field, left: Json | undefined, right: Json | undefined): number {
  return compareWithNull(valueOf(field, left), valueOf(field, right));
}

/** Whether an answer shows the value that was written, which may be in another form. */
export function isSame(field: Field, written: Json | undefined, shown: Json | undefined, container: EntityContainer): boolean {
  const [left, right] = [written ?? null, shown ?? null];
  if (left === null || right === null) return left === right;
  if (isArray(left))
    return (
      isArray(right) &&
      left.items.length === right.items.length &&
      left.items.every((item, index) =>
        isSame({ ...field, ...(field.type !== 'Edm.Untyped' && { collection: undefined as never }) }, item, right.items[index], container),
      )
    );
  if (field.complex !== undefined) return isSameComplex(field, left, right, container);
  if (field.type === 'Edm.Binary') return Buffer.from(String(left), 'base64url').equals(Buffer.from(String(right), 'base64url'));
  return isOrdered(field) ? compareOf(field, left, right) === 0 : isSameJson(left, right);
}

// An absent value is null, or the default.
function isSameComplex(field: Field, left: Json, right: Json, container: EntityContainer): boolean {
  if (!isObject(left) || !isObject(right)) return false;
  const said = left.members.get('@odata.type');
  const shown = right.members.get('@odata.type');
  const name = typeof said === 'string' ? nameIn(container, said) : (field.complex ?? '');
  const type = complexTypeNamed(container, name);
  if (type === undefined || (typeof shown === 'string' ? nameIn(container, shown) : field.complex) !== name) return false;
  return [...left.members].every(
    ([member, value]) => isAbout(member) || isSame(fieldIn(type, member), value, right.members.get(member), container),
  );
}

function isAbout(member: string): boolean {
  return member.includes('@');
}

function fieldIn(type: StructuredType, member: string): Field {
  return (Object.hasOwn(type.fields, member) ? type.fields[member] : undefined) ?? { type: 'Edm.Untyped', nullable: true };
}

function nameIn(container: EntityContainer, text: string): string {
  return qualify(container, text.slice(text.lastIndexOf('#') + 1));
}

/** A value as a literal of a URL, not encoded yet. */
export function literalOf({ type, enumeration }: Pick<Field, 'type' | 'enumeration'>, json: Json): string {
  if (json === null) return 'null';
  const text = isNumber(json) ? json.text : String(json);
  if (enumeration) return `${enumeration.qualifiedName}'${text}'`;
  if (type === 'Edm.String') return `'${text.replaceAll("'", "''")}'`;
  if (type === 'Edm.Duration') return `duration'${text}'`;
  return type === 'Edm.Binary' ? `binary'${text}'` : text;
}
