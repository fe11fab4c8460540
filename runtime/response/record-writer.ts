import type { EntityType, Field } from '../edm/index.js';
import type { SelectedColumn, Selection, TypeVariant } from '../plan/read-plan.js';
import { columnCells, numberCell } from '../sql/record-cells.js';
import type { PrintedOption } from '../uri/print-options.js';
import { castOf, entityPath, withinOf } from './address.js';
import type { ByteWriter } from './byte-writer.js';
import { cellWriter, plainCell, unescaped, type CellOrigin, type CellWriter } from './cell.js';
import { complexWriter } from './complex-cell.js';
import { openStep } from './dynamic-members.js';
import { membersTogether, type MemberCell } from './member-cells.js';
import { omissionOf, type Omission } from './omit.js';
import type { PayloadFormat } from './payload-format.js';
import { neverPlain } from './plain-cells.js';
import { inlineSteps, streamSteps } from './stream-members.js';
import { nothingShared, sharedCells, type SharedCells } from './shared-cells.js';
import { typeAnnotation } from './type-annotation.js';
import { wordsOf, type Words } from './words.js';

/** Where a record's URLs begin, and how it is written. */
export interface RecordFormat extends PayloadFormat {
  readonly root: string;
  /** Show the record's own address, as answers to writes do. */
  readonly addresses?: boolean;
  /** Values that the client does not want to be told. */
  readonly omit?: Omission;
  /** Makes the link to the rest of an expanded collection that is cut. */
  readonly linkOf: LinkOf;
  /** The operations that full metadata shows of a record. */
  readonly operationsOf?: (type: EntityType) => readonly AdvertisedOperation[];
}

/** An operation that can be called with a record (JSON format 4.5.13): its name, and what follows the record's address. */
export interface AdvertisedOperation {
  readonly name: string;
  readonly title: string;
  readonly target: string;
}

/** A link to what follows in a collection: its path beneath the root, its options, and the order's values in the last record shown. */
export type LinkOf = (path: string, options: readonly PrintedOption[], after: readonly (string | null)[]) => string;

/** A record of which properties alone were selected shows no operations (protocol 11.2.5.1). */
export function withoutOperations(format: RecordFormat): RecordFormat {
  const { operationsOf: _, ...others } = format;
  return others;
}

/** The cells of a record: their bytes, and where each lies; a start of -1 is null. */
export interface Cells {
  readonly bytes: Buffer;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Where contained records within an expansion are, relative to the service root. */
  readonly within?: () => string;
}

/** Writes members, each with a comma in front. */
export type MembersWriter = (out: ByteWriter, cells: Cells) => void;

/** Prepares the writing of a selection's own members: one step a column, nothing decided per record. */
export function membersWriter(selection: Selection, format: RecordFormat, origin: CellOrigin, inside: InsideWriters = nothingInside): MembersWriter {
  return selection.types ? variantsWriter(selection, selection.types, { format, origin, inside }) : stepsWriter(selection, { format, origin, inside });
}

/** By complex property, the writer of what its value shows beside its own members. */
export type InsideWriters = ReadonlyMap<string, MembersWriter>;

const nothingInside: InsideWriters = new Map();

interface Manner {
  readonly format: RecordFormat;
  readonly origin: CellOrigin;
  readonly inside: InsideWriters;
}

// Records of several types have a writer a type, and `#type` chooses.
function variantsWriter(selection: Selection, types: readonly TypeVariant[], manner: Manner): MembersWriter {
  const { declared = selection.type } = selection;
  const writers = new Map(types.map(({ type, links }) => [type.qualifiedName, stepsWriter({ ...selection, type, links, declared }, manner)]));
  return (out, cells) => {
    const name = typeNameOf(selection, cells);
    const write = writers.get(name ?? '');
    if (write === undefined) throw new Error(`A record of ${selection.table} is of the type ${name}, which the model does not have there.`);
    write(out, cells);
  };
}

/** The qualified name of a record's type, where it was read. */
export function typeNameOf({ types, keyColumns, etag }: Selection, cells: Cells): string | undefined {
  return types ? (textOf(cells, keyColumns.length + (etag ? 1 : 0), 'column') ?? undefined) : undefined;
}

function stepsWriter(selection: Selection, manner: Manner): MembersWriter {
  const { format, origin } = manner;
  const steps = [...controlSteps(selection, format, origin), ...inlineSteps(selection, format, origin), ...columnSteps(selection, manner), ...openStep(selection, format, origin), ...nameStep(selection, origin)];
  return (out, cells) => {
    for (const step of steps) step(out, cells);
  };
}

function controlSteps(selection: Selection, format: RecordFormat, origin: CellOrigin): readonly MembersWriter[] {
  if (format.metadata === 'none') return [];
  const { type, declared = type, keyColumns } = selection;
  const full = format.metadata === 'full';
  const shown = full || format.addresses;
  const version = keyColumns.length;
  const address = (name: string, cast = ''): MembersWriter => (out, cells) => {
    out.text(`,"@odata.${name}":${JSON.stringify(`${format.root}/${addressOf(selection, cells, origin)}${cast}`)}`);
  };
  return [
    // A client takes a record for what the model declares at its place (JSON format 4.5.3).
    ...(full || type !== declared ? [constant(`,"@odata.type":"#${type.qualifiedName}"`)] : []),
    ...(shown ? [address('id')] : []),
    ...(selection.etag ? [etagStep(version)] : []),
    ...(shown && isUpdatable(type) ? [address('editLink', castOf(type))] : []),
    ...streamSteps(selection, format, origin, isUpdatable(type)),
    ...(full ? (selection.links ?? []).map((name) => linkStep(name, selection, format, origin)) : []),
    ...(full ? (format.operationsOf?.(type) ?? []).map((operation) => operationStep(operation, selection, format, origin)) : []),
  ];
}

// JSON format 4.5.11: where a navigation property leads, and where its references are.
function linkStep(name: string, selection: Selection, { root }: RecordFormat, origin: CellOrigin): MembersWriter {
  const members = (['associationLink', 'navigationLink'] as const).map((kind) => `,${JSON.stringify(`${name}@odata.${kind}`)}:`);
  return (out, cells) => {
    const url = `${root}/${addressOf(selection, cells, origin)}${castOf(selection.type)}/${name}`;
    out.text(`${members[0]}${JSON.stringify(`${url}/$ref`)}${members[1]}${JSON.stringify(url)}`);
  };
}

function operationStep({ name, title, target }: AdvertisedOperation, selection: Selection, { root }: RecordFormat, origin: CellOrigin): MembersWriter {
  const before = `,${JSON.stringify(`#${name}`)}:{"title":${JSON.stringify(title)},"target":`;
  return (out, cells) => out.text(`${before}${JSON.stringify(`${root}/${addressOf(selection, cells, origin)}${castOf(selection.type)}/${target}`)}}`);
}

// An annotation is no control information, which metadata=none would leave out.
function nameStep(selection: Selection, origin: CellOrigin): readonly MembersWriter[] {
  const { named } = selection;
  if (named === undefined) return [];
  const at = numberCell(selection);
  return [(out, cells) => {
    const name = named.get(textOf(cells, at, origin) ?? '');
    if (name !== undefined) out.text(`,${name}`);
  }];
}

function constant(text: string): MembersWriter {
  const bytes = Buffer.from(text, 'utf8');
  return (out) => out.copy(bytes, 0, bytes.length);
}

const etagBefore = Buffer.from(',"@odata.etag":"W/\\"');
const etagAfter = Buffer.from('\\""');

// A version is digits only, so its bytes need no escape.
function etagStep(version: number): MembersWriter {
  return (out, { bytes, starts, ends }) => {
    out.copy(etagBefore, 0, etagBefore.length);
    out.copy(bytes, starts[version] ?? 0, ends[version] ?? 0);
    out.copy(etagAfter, 0, etagAfter.length);
  };
}

function isUpdatable(type: EntityType): boolean {
  return type.routes.some(({ operation }) => operation === 'updateEntity');
}

/** A weak ETag of a record's version: it changes when and only when the record does. */
export function etagOf(version: string): string {
  return `W/"${version}"`;
}

function columnSteps(selection: Selection, { format, origin, inside }: Manner): readonly MembersWriter[] {
  const computed = selection.computed.map(({ name, field }) => ({ name, column: name, field, dynamic: true }));
  const shared = sharedCells(selection, origin);
  const places = columnCells(selection);
  const steps: MembersWriter[] = shared ? [shared.read] : [];
  let together: MemberCell[] = [];
  const writeTogether = (write: MembersWriter | undefined): void => {
    if (together.length > 0) steps.push(membersTogether(together));
    together = [];
    if (write) steps.push(write);
  };
  for (const [index, column] of [...selection.columns, ...computed].entries()) {
    if (isOfAnother(column, selection)) continue;
    const at = places[index] ?? -1;
    const within = inside.get(column.name);
    if (at < 0) writeTogether(sharedStep(column, shared, format));
    else if (within) writeTogether(showingInside(membersTogether([memberCell(column, { at, origin }, format)]), within));
    else together.push(memberCell(column, { at, origin }, format));
  }
  writeTogether(undefined);
  return steps;
}

function isOfAnother({ of }: SelectedColumn, { type }: Selection): boolean {
  return of !== undefined && !of.has(type.qualifiedName);
}

function sharedStep(column: SelectedColumn, shared: SharedCells | undefined, format: RecordFormat): MembersWriter {
  const write = membersTogether([memberCell(column, { at: shared?.indexOf(column) ?? 0, origin: 'json' }, format)]);
  return (out) => write(out, shared?.cells ?? nothingShared);
}

// The object's own brace is written once more; without a value there is nothing to show it in.
function showingInside(step: MembersWriter, write: MembersWriter): MembersWriter {
  return (out, cells) => {
    step(out, cells);
    if (out.bytes[out.length - 1] !== 0x7d) return;
    out.length -= 1;
    const from = out.length;
    write(out, cells);
    if (out.bytes[from - 1] === 0x7b) out.bytes[from] = 0x20;
    out.byte(0x7d);
  };
}

/** Where a column's cell is, and in which form. */
interface Place {
  readonly at: number;
  readonly origin: CellOrigin;
}

function memberCell(column: SelectedColumn, { at, origin }: Place, format: RecordFormat): MemberCell {
  const { name, field, dynamic, control, shape } = column;
  // A client cannot look a computed value up in the model (JSON format 4.6.3).
  const typed = !control && (format.metadata === 'full' || (dynamic && format.metadata === 'minimal')) ? typeAnnotation(name, field) : undefined;
  return {
    at,
    ...memberBytes(column, typed),
    plain: shape ? neverPlain : plainCell(field, format, origin),
    write: columnWriter(column, format, origin),
    ...(format.omit && { isOmitted: omissionOf(format.omit, field, at) }),
  };
}

/** A member up to its value, and one without a value. */
interface MemberBytes {
  readonly before: Words;
  readonly absent: Words;
}

const members = new WeakMap<object, MemberBytes>();

// A model's columns are the same objects in every request, so that each name is encoded once.
function memberBytes(column: SelectedColumn, typed: string | undefined): MemberBytes {
  if (typed !== undefined) return encodeMember(column, `,${typed}`);
  const known = members.get(column) ?? encodeMember(column, '');
  members.set(column, known);
  return known;
}

function encodeMember({ name, field }: SelectedColumn, typed: string): MemberBytes {
  const before = `${typed},${JSON.stringify(name)}:`;
  return { before: wordsOf(before), absent: wordsOf(before + (field.collection ? '[]' : 'null')) };
}

/** Says a property's type, where JSON does not. */
export function typeStep(name: string, field: Field): MembersWriter | undefined {
  const annotation = typeAnnotation(name, field);
  return annotation === undefined ? undefined : constant(`,${annotation}`);
}

/** The writer of a column's cells. */
export function columnWriter({ field, shape }: Pick<SelectedColumn, 'field' | 'shape'>, format: RecordFormat, origin: CellOrigin): CellWriter {
  return shape ? complexWriter({ shape, field, format, origin }) : cellWriter(field, format, origin);
}

/** The address of a record relative to the service root. */
export function addressOf({ type, keyColumns, address }: Selection, cells: Cells, origin: CellOrigin): string {
  const within = type.contained ? (cells.within?.() ?? withinOf({ ...(address && { address }) })) : undefined;
  return entityPath(type, keyColumns, keyColumns.map((_, index) => textOf(cells, index, origin)), within);
}

/** The text of one cell. */
export function textOf({ bytes, starts, ends }: Cells, index: number, origin: CellOrigin): string | null {
  const start = starts[index] ?? -1;
  if (start < 0) return null;
  const text = bytes.toString('utf8', start, ends[index]);
  return origin === 'json' ? unescaped(text) : text;
}
