import { type EntityType, keyFieldOf, primitives } from '../../../edm/index.js';
import type { Exchange } from '../../../http/service.js';
import { compileExpanded, requireFewExpanded } from '../../../http/read/read-entity.js';
import { recordFormat } from '../../../http/read/record-format.js';
import { keyColumn } from '../../../plan/options/plan-order.js';
import type { CollectionPlan } from '../../../plan/read/plan-read.js';
import type { ReadPlan, Selection } from '../../../plan/read-plan.js';
import type { TypedExpr } from '../../../plan/typed-expr.js';
import { allOf, anyOf, both, compared } from '../../../plan/expr-facts.js';
import { negotiateJson } from '../../../protocol/negotiate.js';
import { plainText } from '../../../response/cell.js';
import { bodyOf } from '../../../response/chunked-body.js';
import { contextOf } from '../../../response/context-url.js';
import type { RecordFormat } from '../../../response/record-format.js';
import { pageOpener, type PageWriter } from '../../../response/render-collection.js';
import { compileRead } from '../../../sql/compile-read.js';
import { cellText, type Connection, type RowBytes } from '../../../sql/statement.js';
import { recordPath } from '../record-address.js';
import { keyValues } from '../tracked-tables.js';

/** A changed record: its key in the log, and whether it was deleted last. */
interface ChangedRecord {
  readonly key: string;
  readonly isDeleted: boolean;
}

/** The input of rendering a page of changes. */
export interface DeltaPage {
  readonly plan: CollectionPlan;
  readonly changed: readonly ChangedRecord[];
  /** The member after the changes. */
  readonly last: (connection: Connection) => Promise<string | undefined>;
}

/**
 * The body of a page of changes: the records that meet the defining query now, then those that do not, with the reason
 * (protocol 11.3, JSON format 15).
 */
export async function renderDelta({ plan, changed, last }: DeltaPage, exchange: Exchange): Promise<Awaited<ReturnType<typeof bodyOf>>> {
  const { request, service, options, preferences } = exchange;
  const format = recordFormat(negotiateJson(request, options.format), service, preferences);
  const open = pageOpener(plan, format, options.select !== undefined, [], '/$delta');
  return bodyOf((takeChunk) =>
    service.store.read(async (connection) => {
      const page = open(undefined, takeChunk);
      const found = await addRecords(plan.read, changed, page, connection);
      const { type } = plan.read.selection;
      for (const one of changed) if (!found.has(one.key)) page.addText(removedText(one, type, format));
      return page.finish(await last(connection));
    }, request.recipient),
  );
}

// The keys of the records that were added to the page.
async function addRecords(
  read: ReadPlan,
  changed: readonly ChangedRecord[],
  page: PageWriter,
  connection: Connection,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (changed.length === 0) return found;
  const { selection } = read;
  const keys = changed.map(({ key }) => keyValues(selection.type, key));
  const { limit: _, offset: __, after: ___, ...whole } = read;
  const filter = both(read.filter, keyCondition(selection, keys));
  // The physical order of the rows would reveal changes of other records.
  const order = selection.type.key.map((name) => ({ expression: keyColumn(selection.type, name, selection.alias), descending: false }));
  const plan: ReadPlan = { ...whole, ...(filter && { filter }), order, count: false };
  const expanded = compileExpanded({ ...plan, limit: changed.length });
  if (expanded) await requireFewExpanded(expanded, connection);
  await connection.each(compileRead(plan), (row) => {
    found.add(keyOf(selection.type, row));
    return page.add(row);
  });
  return found;
}

// The key's text as the log has it.
function keyOf(type: EntityType, row: RowBytes): string {
  const texts = type.key.map((name, index) => {
    const text = cellText(row, index) ?? '';
    return keyFieldOf(type, name)?.type === 'Edm.Boolean' ? (text === 't' ? 'true' : 'false') : text;
  });
  return texts.length === 1 ? (texts[0] ?? '') : JSON.stringify(texts).replaceAll('","', '", "');
}

function keyCondition({ type, alias }: Pick<Selection, 'type' | 'alias'>, keys: readonly (readonly string[])[]): TypedExpr {
  const column = (name: string): TypedExpr => keyColumn(type, name, alias);
  const [only, ...more] = type.key;
  if (only !== undefined && more.length === 0) {
    const operand = column(only);
    const elementType = operand.type === 'Edm.ComplexType' ? 'Edm.String' : operand.type;
    return {
      kind: 'in',
      type: 'Edm.Boolean',
      nullable: false,
      operand,
      elementType: elementType as Extract<TypedExpr, { kind: 'in' }>['elementType'],
      values: keys.map(([value = '']) => value),
      withNull: false,
    };
  }
  return anyOf(keys.map((values) => allOf(type.key.map((name, index) => equal(column(name), values[index] ?? '')))));
}

function equal(left: TypedExpr, value: string): TypedExpr {
  const literal = { kind: 'literal', type: left.type, nullable: false, value } as TypedExpr;
  return compared('eq', left, literal);
}

// In 4.0 a removed record has a separate form of entry (JSON format 4.0, 14.2).
function removedText({ key, isDeleted }: ChangedRecord, type: EntityType, format: RecordFormat): string {
  const reason = isDeleted ? 'deleted' : 'changed';
  const id = `${format.root}/${recordPath(type, key)}`;
  if (format.version === '4.0') {
    const context = contextOf(format.root, `${type.entitySet ?? ''}/$deletedEntity`);
    return JSON.stringify({ '@odata.context': context, id, reason });
  }
  const removed = `{"@odata.removed":{"reason":"${reason}"}`;
  if (type.keyFields !== undefined) return `${removed},"@odata.id":${JSON.stringify(id)}}`;
  const values = keyValues(type, key);
  const members = type.key.map((name, index) => `${JSON.stringify(name)}:${keyJson(type, name, values[index] ?? '', format)}`);
  return `${removed},${members.join(',')}}`;
}

function keyJson(type: EntityType, name: string, text: string, { ieee754Compatible }: RecordFormat): string {
  const field = keyFieldOf(type, name) ?? { type: 'Edm.String' as const };
  const { cell } = primitives[field.type];
  const isBare = cell === 'boolean' || cell === 'number' || (cell === 'bigNumber' && !ieee754Compatible);
  return isBare && !field.enumeration ? text : JSON.stringify(plainText(field, text));
}
