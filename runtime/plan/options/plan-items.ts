import { planHooks } from '../hooks.js';
import { complexTypeOf, type EntityType, type Field, fieldOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { QueryOptions, SelectItem } from '../../uri/query-options.js';
import { elementVariable, ofType, storedExpr } from '../check/property-expr.js';
import { itemOptions } from '../complex-selection.js';
import { memberScope, withVariable, type Scope } from '../scope.js';
import { isPresent } from '../value/check-literal.js';
import { planFilter } from './plan-filter.js';
import { planOrderTerm } from './plan-order.js';
import type { SelectedColumn } from '../read-plan.js';
import type { ItemsExpr, PropertyExpr, Rows, TypedExpr } from '../typed-expr.js';
import { both, countOf } from '../expr-facts.js';

/** Options that choose among the items of a collection, which has no pages. */
type ItemOptions = Pick<QueryOptions, (typeof itemOptions)[number]>;

/** Some of the items of a collection, and which ones `$count` counts. */
interface PlannedItems {
  readonly value: TypedExpr;
  readonly rows: Rows;
}

/** The items of a collection, as options choose and order them; `$this` is the item. */
export function planItems(column: PropertyExpr, field: Field, options: ItemOptions, around: Scope, isCast = false): PlannedItems {
  const alias = around.aliases.next();
  const complex = field.complex === undefined ? undefined : complexTypeOf(around.container, field);
  const item = elementVariable(column, alias, complex ? { complex } : {});
  const scope = memberScope(around.variables.has('$it') ? around : withVariable(around, '$it', item), item);
  const path = isCast && complex ? isPresent(ofType({ alias, column: 'value', steps: [] }, complex)) : undefined;
  const filter = both(
    both(path, planFilter(options.filter, scope)),
    options.search && planHooks.get('search').planItems(options.search, item.value),
  );
  const order = (options.orderby ?? []).map((item) => planOrderTerm(item, scope));
  const rows: ItemsExpr['rows'] = { kind: 'elements', joinSteps: [], alias, column, ...(filter && { filter }) };
  const window = { ...(options.top !== undefined && { limit: options.top }), ...(options.skip !== undefined && { offset: options.skip }) };
  const value: TypedExpr =
    filter !== undefined || hasItemOptions(options)
      ? { kind: 'items', type: column.type, nullable: false, rows, order, ...window }
      : column;
  return { value, rows };
}

/** The columns, with those items alone that `$select` asks for, and how many there are: `Tags($filter=startswith($this,'a');$top=3;$count=true)` (URL conventions 5.1.4). */
export function chooseItems(
  columns: readonly SelectedColumn[],
  items: readonly SelectItem[],
  { type, alias }: { readonly type: EntityType; readonly alias: string },
  scope: Scope,
): readonly SelectedColumn[] {
  const chosen = items.filter(
    (item) => item.kind === 'member' && item.path.length === 1 && (hasItemOptions(item.options ?? {}) || item.options?.count),
  );
  if (chosen.length === 0) return columns;
  return columns.flatMap((column) => {
    const [item, again] = chosen.filter((one) => one.kind === 'member' && one.path[0]?.name === column.name);
    if (again) throw errors.badOption(`${column.name} has options in more than one item of $select.`).at('$select');
    const field = fieldOf(type, column.name);
    if (item?.kind !== 'member' || !field?.collection) return [column];
    const { value, rows } = planItems(storedExpr({ alias, type }, column.name, field), field, item.options ?? {}, {
      ...scope,
      option: '$select',
    });
    return [
      ...(item.options?.count ? [countColumn(column, rows)] : []),
      hasItemOptions(item.options ?? {}) ? { ...column, expression: value } : column,
    ];
  });
}

// JSON format 4.5.7: the number of all items, before the selected ones.
function countColumn({ name }: SelectedColumn, rows: Rows): SelectedColumn {
  const expression: TypedExpr = countOf(rows);
  return { name: `${name}@odata.count`, column: '', field: { type: 'Edm.Int64' }, expression, control: true };
}

function hasItemOptions(options: QueryOptions): boolean {
  return itemOptions.some((name) => options[name] !== undefined);
}
