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
  'Edm.DateTimeOffset': (value) => new Date(String(value)).toISOString(),
  'Edm.Decimal': (value) =>
    String(value)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, ''),
};

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
