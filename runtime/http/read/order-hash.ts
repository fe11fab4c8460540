import type { EntityType } from '../../edm/entity-type.js';
import { memoized } from '../../edm/memoized.js';
import { shortHash } from '../../paging/skiptoken.js';
import type { OrderTerm, ReadPlan } from '../../plan/read-plan.js';
import type { PathExpr, PropertyExpr } from '../../plan/typed-expr.js';
import { changesTable } from '../../schema/changes-table.js';
import { quote } from '../../schema/identifier.js';
import type { Service } from '../service.js';

/** The part of a read that positions in its order depend on; expanded collections have it too. */
export type Ordered = Pick<ReadPlan, 'selection' | 'order' | 'apply' | 'sets' | 'union'>;

/**
 * A hash of the order's columns and of the migrations that may have changed their values. While it is the same, a page
 * continues where the previous one ended, though the model has changed. Orders by more than properties of the records
 * depend on the whole of `$metadata`.
 */
export function orderHash(read: Ordered, { metadata, migrations = none }: Pick<Service, 'metadata' | 'migrations'>): string {
  const columns = read.apply || read.sets || read.union ? undefined : columnsOf(read);
  if (columns === undefined) return shortHash(metadata.xml.etag);
  const { type } = read.selection;
  const applied = changesOf(migrations)(type).filter((text) => columns.some(({ column }) => text.includes(quote(column))));
  return shortHash(JSON.stringify([type.table, columns, applied]));
}

const none: readonly string[] = [];

const changesOf = memoized((migrations: readonly string[]) =>
  memoized(({ table }: EntityType) => migrations.filter((text) => changesTable(text, table))),
);

interface OrderColumn
  extends Pick<OrderTerm, 'descending'>, Pick<PropertyExpr, 'column' | 'type'>, Partial<Pick<PathExpr, 'more' | 'steps'>> {}

// Undefined where a term is not a column of the records, or a value within one.
function columnsOf({ order, selection }: Ordered): readonly OrderColumn[] | undefined {
  const columns = order.flatMap(({ expression, descending }): readonly OrderColumn[] => {
    if ((expression.kind !== 'column' && expression.kind !== 'path') || expression.alias !== selection.alias) return [];
    const { column, type } = expression;
    return [{ column, type, descending, ...(expression.kind === 'path' && { more: expression.more, steps: expression.steps }) }];
  });
  return columns.length === order.length ? columns : undefined;
}
