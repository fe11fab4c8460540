import type { AnySet, SetRow } from './model.js';
import type { Structural } from './names.js';
import { printTyped } from './literal.js';
import { control } from './receive.js';
import type { Connection } from './send.js';

/** A set with its connection; for a client, the service root. */
export interface Place extends Connection {
  /** Its address, relative to the service root. */
  readonly path: string;
  readonly row: SetRow;
}

/** A key, or a record that was read with its key, whatever was expanded in it. */
export type Keyed<S extends AnySet> =
  | S['key']
  | (Partial<Structural<S['entity']>> & { readonly [K in S['keyName']]: S['entity'][K & keyof S['entity']] });

/** A record that was read, or its key. */
export type RecordOrKey = unknown;

/** The address of a record, by itself or its key. */
export function addressOf({ path, row }: Place, record: RecordOrKey): string {
  if (!row.key) return path;
  const parts = Object.entries(row.key).map(
    ([name, type]) => `${name}=${encodeURIComponent(printTyped(partOf(record, name, path), type))}`,
  );
  return `${path}(${parts.join().replace(parts[1] ? '' : /.*=/, '')})`;
}

function partOf(record: RecordOrKey, name: string, path: string): unknown {
  if (Object(record) !== record) return record;
  if (name in (record as object)) return (record as Readonly<Record<string, unknown>>)[name];
  throw new TypeError(`${path} lacks its key ${name}`);
}

/** The ETag that a record carries. */
export function etagOf(record: unknown): string | undefined {
  return control(record, 'etag') as string | undefined;
}
