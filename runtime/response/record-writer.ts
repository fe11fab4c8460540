import type { EntityType } from '../edm/index.js';
import type { ExpandPlan, Selection } from '../plan/read-plan.js';
import { entityPath } from './address.js';
import { cellWriter } from './cell.js';
import type { PayloadFormat } from './payload-format.js';

/** A record as read: its scalar cells, then one JSON text or parsed value for each expansion. */
export type RecordWriter = (cells: readonly (string | null)[], expansions: readonly unknown[]) => string;

/** Where a record's URLs begin, and how it is written. */
export interface RecordFormat extends PayloadFormat {
  readonly root: string;
  /** Show the record's own address, as answers to writes do. */
  readonly addresses?: boolean;
}

/** Prepares the writing of a selection's records: one step a column, nothing decided per record. */
export function recordWriter(selection: Selection, format: RecordFormat): RecordWriter {
  const steps = [...controlSteps(selection, format), ...columnSteps(selection, format)];
  const expands = selection.expands.map((expand) => expandWriter(expand, format));
  return (cells, expansions) => {
    let text = '';
    for (const step of steps) text += step(cells);
    for (const [index, write] of expands.entries()) text += write(expansions[index], cells);
    return `{${text.slice(1)}}`;
  };
}

/** Writes one member with a comma in front, or nothing. */
type Step = (cells: readonly (string | null)[]) => string;

function controlSteps(selection: Selection, format: RecordFormat): readonly Step[] {
  if (format.metadata === 'none') return [];
  const { type, keyColumns } = selection;
  const id = (cells: readonly (string | null)[]): string => JSON.stringify(`${format.root}/${entityPath(type, keyColumns, cells)}`);
  const full = format.metadata === 'full';
  const version = keyColumns.length;
  return [
    ...(full ? [() => `,"@odata.type":"#${type.qualifiedName}"`] : []),
    ...(full || format.addresses ? [(cells: readonly (string | null)[]) => `,"@odata.id":${id(cells)}`] : []),
    ...(selection.etag ? [(cells: readonly (string | null)[]) => `,"@odata.etag":${JSON.stringify(etagOf(cells[version] ?? ''))}`] : []),
    ...((full || format.addresses) && isUpdatable(type) ? [(cells: readonly (string | null)[]) => `,"@odata.editLink":${id(cells)}`] : []),
  ];
}

function isUpdatable(type: EntityType): boolean {
  return type.routes.some(({ operation }) => operation === 'updateEntity');
}

/** A weak ETag of a record's version: it changes when and only when the record does. */
export function etagOf(version: string): string {
  return `W/"${version}"`;
}

function columnSteps(selection: Selection, format: RecordFormat): readonly Step[] {
  const first = firstColumn(selection);
  return selection.columns.flatMap(({ name, field }, index) => {
    const write = cellWriter(field, format);
    const prefix = `,${JSON.stringify(name)}:`;
    const nothing = `${prefix}${field.collection ? '[]' : 'null'}`;
    const at = first + index;
    const step: Step = (cells) => {
      const cell = cells[at];
      return cell === null || cell === undefined ? nothing : prefix + write(cell);
    };
    return format.metadata === 'full' ? [typeStep(name, field), step].filter((one) => one !== undefined) : [step];
  });
}

/** How many cells stand before the selected columns: the key's and the version's. */
export function firstColumn({ keyColumns, etag }: Selection): number {
  return keyColumns.length + (etag ? 1 : 0);
}

const implied: ReadonlySet<string> = new Set(['Edm.String', 'Edm.Boolean', 'Edm.Double']);

function typeStep(name: string, { type, collection }: { readonly type: string; readonly collection?: true }): Step | undefined {
  if (implied.has(type) && !collection) return undefined;
  const short = type.replace('Edm.', '');
  const text = `,${JSON.stringify(`${name}@odata.type`)}:"#${collection ? `Collection(${short})` : short}"`;
  return () => text;
}

type ExpandWriter = (expansion: unknown, owner: readonly (string | null)[]) => string;

function expandWriter(expand: ExpandPlan, format: RecordFormat): ExpandWriter {
  const { addresses: _, ...inner } = format;
  const write = nestedWriter(expand, inner);
  const name = JSON.stringify(expand.name);
  const countName = JSON.stringify(`${expand.name}@odata.count`);
  return (expansion) => {
    const value = typeof expansion === 'string' ? (JSON.parse(expansion) as unknown) : expansion;
    if (!expand.collection) return `,${name}:${value === null || value === undefined ? 'null' : write(value)}`;
    const [count, records] = expand.count ? (value as [number, unknown]) : [undefined, value]; // The shape that compileExpand builds.
    const items = (records as readonly unknown[] | null) ?? [];
    return `${count === undefined ? '' : `,${countName}:${count}`},${name}:[${items.map(write).join(',')}]`;
  };
}

// A nested record is an array of cells, or that array and its own expansions.
function nestedWriter(expand: ExpandPlan, format: RecordFormat): (record: unknown) => string {
  const { selection } = expand;
  const write = recordWriter(selection, format);
  if (selection.expands.length === 0) return (record) => write(record as (string | null)[], []);
  return (record) => {
    const [cells, ...expansions] = record as [(string | null)[], ...unknown[]];
    return write(cells, expansions);
  };
}
