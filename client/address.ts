import type { SetRow } from './model.js';
import { printTyped } from './literal.js';
import { control } from './receive.js';
import type { Connection } from './send.js';

/** A set with its connection; for a client, the service root. */
export interface Place extends Connection {
  /** Its address, relative to the service root. */
  readonly path: string;
  readonly row: SetRow;
}

/** A record that was read, or its key. */
export type RecordOrKey = unknown;

/** The address of a record, by itself or its key. */
export function addressOf({ path, row }: Place, record: RecordOrKey): string {
  if (row.key === undefined) return path;
  const names = Object.keys(row.key);
  const parts = names.map((name) => [name, encodeURIComponent(printTyped(partOf(record, name, path), row.key?.[name] ?? ''))] as const);
  const [only] = parts;
  return `${path}(${parts.length === 1 && only ? only[1] : parts.map((part) => part.join('=')).join(',')})`;
}

function partOf(record: RecordOrKey, name: string, path: string): unknown {
  if (typeof record !== 'object' || record === null) return record;
  if (name in record) return (record as Readonly<Record<string, unknown>>)[name];
  throw new TypeError(`The record of ${path} lacks its key ${name}: select it, or give the key.`);
}

/** The ETag that a record carries. */
export function etagOf(record: unknown): string | undefined {
  const etag = typeof record === 'object' ? control(record, 'etag') : undefined;
  return typeof etag === 'string' ? etag : undefined;
}
