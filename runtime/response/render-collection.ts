import type { CollectionPlan } from '../plan/plan-read.js';
import type { Selection } from '../plan/read-plan.js';
import { cellsOf } from '../sql/compile-read.js';
import type { Row } from '../sql/statement.js';
import { contextUrl } from './context-url.js';
import { entityPath } from './address.js';
import { recordWriter, type RecordFormat } from './record-writer.js';

/** What stands around the records of a page. */
export interface CollectionFrame {
  readonly format: RecordFormat;
  /** Whether `$select` was used, which the context URL shows. */
  readonly selected: boolean;
  readonly count: string | undefined;
  readonly nextLink: string | undefined;
}

/** The JSON of a page (JSON format 12 and 13). */
export function renderCollection(plan: CollectionPlan, rows: readonly Row[], frame: CollectionFrame): string {
  const { selection } = plan.read;
  const write = rowWriter(selection, frame.format);
  const records = rows.map(write).join(',');
  return `{${frameBefore(contextUrl(frame.format.root, selection, frame.selected), frame)}"value":[${records}]${frameAfter(frame)}}`;
}

/** The JSON of a page of references. */
export function renderReferences(plan: CollectionPlan, rows: readonly Row[], frame: CollectionFrame): string {
  const { selection } = plan.read;
  const records = rows.map((row) => `{"@odata.id":${JSON.stringify(`${frame.format.root}/${entityPath(selection.type, selection.keyColumns, row)}`)}}`);
  return `{${frameBefore(`${frame.format.root}/$metadata#Collection($ref)`, frame)}"value":[${records.join(',')}]${frameAfter(frame)}}`;
}

function frameBefore(context: string, { format, count }: CollectionFrame): string {
  const contextMember = format.metadata === 'none' ? '' : `"@odata.context":${JSON.stringify(context)},`;
  return contextMember + (count === undefined ? '' : `"@odata.count":${count},`);
}

function frameAfter({ nextLink }: CollectionFrame): string {
  return nextLink === undefined ? '' : `,"@odata.nextLink":${JSON.stringify(nextLink)}`;
}

/** Writes a row of the statement: the cells come first, then the expansions. */
export function rowWriter(selection: Selection, format: RecordFormat): (row: Row) => string {
  const write = recordWriter(selection, format);
  const cells = cellsOf(selection).length;
  const expansions = selection.expands.length;
  return (row) => write(row, expansions === 0 ? [] : row.slice(cells, cells + expansions));
}
