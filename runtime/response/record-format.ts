import type { EntityType } from '../edm/entity-type.js';
import type { ExpandPlan, Selection } from '../plan/read-plan.js';
import type { PrintedOption } from '../uri/print-options.js';
import { entityPath, withinOf, type Within } from './address.js';
import type { ByteWriter } from './byte-writer.js';
import { unescaped, type CellOrigin } from './cell.js';
import type { Omission, PayloadFormat } from './payload-format.js';
import type { RowBytes } from '../sql/statement.js';

/** Where a record's URLs begin, and how it is written. */
export interface RecordFormat extends PayloadFormat {
  readonly root: string;
  /** Show the record's own address, as answers to writes do. */
  readonly addresses?: boolean;
  /** Values that the client asks to omit. */
  readonly omit?: Omission;
  /** Makes the link to the rest of an expanded collection that is cut. */
  readonly linkOf: LinkOf;
  /** The operations that can be called with a record. */
  readonly operationsOf?: (type: EntityType) => readonly AdvertisedOperation[];
}

/** An operation that can be called with a record (JSON format 4.5.13): its name, and what follows the record's address. */
export interface AdvertisedOperation {
  readonly name: string;
  readonly title: string;
  readonly target: string;
}

/** Creates the next link of an expanded collection from its path after the root, its options, and the order's values in the last record. */
export type LinkOf = (path: string, expand: ExpandPlan, options: readonly PrintedOption[], after: readonly (string | null)[]) => string;

/** The cells of a record: their bytes, and where each lies; a start of -1 is null. */
export interface Cells extends RowBytes {
  /** Where contained records within an expansion are, relative to the service root. */
  readonly within?: () => Within;
}

/** Writes members, each with a comma in front. */
export type MembersWriter = (out: ByteWriter, cells: Cells) => void;

/** How the members of a record are written. */
export interface Manner {
  readonly format: RecordFormat;
  readonly origin: CellOrigin;
}

/** The address of a record relative to the service root. */
export function addressOf({ type, keyColumns, address }: Selection, cells: Cells, origin: CellOrigin): string {
  const within = type.contained ? (cells.within?.() ?? withinOf({ ...(address && { address }) })) : undefined;
  const keys = keyColumns.map((_, index) => textOf(cells, index, origin));
  return entityPath(type, keyColumns, keys, within);
}

/** Whether a record has the links of full metadata; they contain its key. */
export function isLinked({ id }: Selection, { metadata }: RecordFormat): boolean {
  return metadata === 'full' && id !== 'hidden';
}

/** The operations that a record shows: those that `$select` names (URL conventions 5.1.4), without it all in full metadata. */
export function operationsOf({ type, operations }: Selection, { metadata, ...format }: RecordFormat): readonly AdvertisedOperation[] {
  if (operations === undefined ? metadata !== 'full' : operations.length === 0) return [];
  const callable = format.operationsOf?.(type) ?? [];
  return operations === undefined ? callable : callable.filter(({ name }) => operations.some((named) => isNamed(name, named)));
}

// `Ns.Function` names all overloads, which may be advertised as `Ns.Function(a,b)`.
function isNamed(operation: string, named: string): boolean {
  const [name = ''] = operation.split('(');
  if (named.endsWith('.*')) return name.slice(0, name.lastIndexOf('.')) === named.slice(0, -2);
  return operation === named || name === named || operation === named.split('(')[0];
}

/** The text of one cell. */
export function textOf({ bytes, starts, ends }: Cells, index: number, origin: CellOrigin): string | null {
  const start = starts[index] ?? -1;
  if (start < 0) return null;
  const text = bytes.toString('utf8', start, ends[index]);
  return origin === 'json' ? unescaped(text) : text;
}

/** The qualified name of a record's type, where it was read. */
export function typeNameOf({ types, keyColumns, etag }: Selection, cells: Cells): string | undefined {
  return types ? (textOf(cells, keyColumns.length + (etag ? 1 : 0), 'column') ?? undefined) : undefined;
}

/** Whether clients can change records of a type. */
export function isUpdatable(type: EntityType): boolean {
  return type.routes.some(({ operation }) => operation === 'updateEntity');
}

/** A weak ETag of a record's version: it changes when and only when the record does. */
export function etagOf(version: string): string {
  return `W/"${version}"`;
}
