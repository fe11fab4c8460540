import type { PrimitiveTypeName } from '../runtime/edm/index.js';
import type { CopiedSet } from './copied-set.js';

/** The values of a key, in its order. */
export type Key = readonly unknown[];

/** A record as the service sends it. */
export type ServiceRecord = Readonly<Record<string, unknown>>;

/** The key of a record. */
export function keyOf({ name, key }: CopiedSet, record: ServiceRecord): Key {
  return key.map((column) => {
    if (record[column.name] !== undefined) return record[column.name];
    throw new Error(`The service sends a record of ${name} without its key ${column.name}.`);
  });
}

// Types whose values have several forms, with the one that is compared.
const forms: { readonly [type in PrimitiveTypeName]?: (value: unknown) => string } = {
  'Edm.Guid': (value) => String(value).toLowerCase(),
  'Edm.DateTimeOffset': (value) => exactTime(String(value)),
  'Edm.TimeOfDay': (value) => exactTime(`1970-01-01T${String(value)}Z`),
  'Edm.Duration': (value) => exactDuration(String(value)),
  'Edm.Decimal': (value) =>
    String(value)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, ''),
};

// Milliseconds of the whole seconds, and the digits after the point.
function exactTime(time: string): string {
  const [fraction = ''] = /\.\d+/.exec(time) ?? [];
  return `${Date.parse(time.replace(fraction, ''))}${fraction.replace(/\.?0*$/, '')}`;
}

const unitSeconds: { readonly [unit: string]: bigint } = { D: 86_400n, H: 3_600n, M: 60n, S: 1n };

function exactDuration(duration: string): string {
  let seconds = 0n;
  let fraction = '';
  for (const [, count = '', digits = '', unit = ''] of duration.matchAll(/(\d+)(\.\d*)?([DHMS])/g)) {
    seconds += BigInt(count) * (unitSeconds[unit] ?? 0n);
    fraction = digits.replace(/\.?0*$/, '');
  }
  return `${duration.includes('-') ? '-' : ''}${seconds}${fraction}`;
}

const timed: ReadonlySet<PrimitiveTypeName> = new Set(['Edm.DateTimeOffset', 'Edm.TimeOfDay', 'Edm.Duration']);

/** The property of a key with digits after the microseconds: PostgreSQL would round it to the key of another record. */
export function roundedPart({ key }: CopiedSet, values: Key): string | undefined {
  return key.find(({ type }, index) => timed.has(type) && /\.\d{6}\d*[1-9]/.test(String(values[index])))?.name;
}

/** A key as text, equal for equal keys. */
export function keyText({ key }: CopiedSet, values: Key): string {
  const texts = key.map(({ type }, index) => (forms[type] ?? String)(values[index]));
  return texts.length === 1 ? (texts[0] ?? '') : JSON.stringify(texts);
}

/** The key that an event names: its text, or the texts of several properties as a JSON array. */
export function eventKey({ key }: CopiedSet, text: string): Key {
  return key.length === 1 ? [text] : (JSON.parse(text) as Key);
}

/** The key at the end of the address of a record: `Property('1')`, `Lines(No=1,Name='a,b')`. */
export function addressKey({ name, key }: CopiedSet, id: string): Key {
  const [, inside] = /^[^(]*\((.*)\)$/s.exec(decodeURIComponent(id.slice(id.lastIndexOf('/') + 1))) ?? [];
  const parts = inside?.match(/(?:'(?:[^']|'')*'|[^,'])+/g) ?? [];
  const values = new Map(parts.map((part) => partOf(part, key[0]?.name ?? '')));
  const found = key.map((column) => values.get(column.name));
  if (!found.includes(undefined)) return found;
  throw new Error(`The service removes the record '${id}' of ${name}, which names no key: copy with another --way.`);
}

function partOf(part: string, only: string): readonly [string, string] {
  const [, name = only, value = ''] = /^(?:(\w+)=)?(.*)$/s.exec(part.trim()) ?? [];
  const [, text] = /^[\w.]*'(.*)'$/s.exec(value) ?? [];
  return [name, text?.replaceAll("''", "'") ?? value];
}
