import type { ReadPlan } from '../plan/read-plan.js';
import type { Row } from '../sql/statement.js';
import { entityUrl } from './address.js';
import { contextUrl } from './context-url.js';
import { etagOf, type RecordFormat } from './record-writer.js';
import { rowWriter } from './render-collection.js';

/** The JSON of one record; `context` is given where the specification fixes its form. */
export function renderEntity(plan: ReadPlan, row: Row, format: RecordFormat, selected: boolean, context?: string): string {
  const record = rowWriter(plan.selection, format)(row);
  if (format.metadata === 'none') return record;
  const url = context ?? `${contextUrl(format.root, plan.selection, selected)}/$entity`;
  const rest = record.slice(1);
  return `{"@odata.context":${JSON.stringify(url)}${rest === '}' ? '' : ','}${rest}`;
}

/** The ETag of a record that was read, where its type has one. */
export function etagOfRow(plan: ReadPlan, row: Row): string | undefined {
  if (!plan.selection.etag) return undefined;
  return etagOf(row[plan.selection.keyColumns.length] ?? '');
}

/** The canonical URL of a record that was read. */
export function urlOfRow(plan: ReadPlan, row: Row, root: string): string {
  return entityUrl(root, plan.selection.type, plan.selection.keyColumns, row);
}
