import { complexTypeOf } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { QueryOptions } from '../uri/query-options.js';
import { elementVariable } from './check-property.js';
import { memberScope } from './check-path.js';
import { selectedShape, type Selected } from './complex-shape.js';
import { planFilter } from './plan-filter.js';
import { planOrderTerm } from './plan-order.js';
import type { PropertyTarget } from './plan-path.js';
import { planEntity, type PlanContext } from './plan-read.js';
import type { ReadPlan, SelectedColumn } from './read-plan.js';
import { rootScope } from './scope.js';
import { pathsOf, selectedItems } from './select-path.js';
import type { ItemsExpr, Rows, TypedExpr } from './typed-expr.js';

/** A property to read: the record with that value alone. */
export interface PropertyPlan {
  readonly read: ReadPlan;
  /** How the value is written. */
  readonly column: SelectedColumn;
  /** The path to it, with what `$select` leaves of it. */
  readonly path: string;
}

/** GET of a property; a collection of complex values takes the options of a collection (protocol 11.2.5). */
export function planProperty(target: PropertyTarget, options: QueryOptions, context: PlanContext): PropertyPlan {
  const { field, name, suffix } = target;
  const { format: _, select, ...others } = options;
  const isItems = field.complex !== undefined && field.collection === true;
  const { filter, orderby, top, skip, count, ...rest } = others;
  const read = planEntity(target, { ...(isItems ? rest : others), select: [] }, context);
  if (select && field.complex === undefined) throw errors.badOption(`$select cannot be used with ${name}: it is no complex value.`).at('$select');
  const selected: Selected = select ? selectedItems(select, complexTypeOf(context.container, field), context.container) : 'all';
  const value = isItems ? planItems(target, { ...(filter && { filter }), ...(orderby && { orderby }), ...(top !== undefined && { top }), ...(skip !== undefined && { skip }) }, context) : { value: target.value };
  const expressions = suffix === '$count' ? [value.count ?? countOf({ kind: 'elements', hops: [], alias: context.aliases.next(), column: target.value })] : [value.value, ...(count && value.count ? [value.count] : [])];
  return {
    read: { ...read, selection: { ...read.selection, columns: [], computed: expressions.map((expression) => ({ name, expression, field })) } },
    column: { name, column: name, field, ...(field.complex !== undefined && { shape: selectedShape(context.container, field, selected) }) },
    path: `${name}${selected === 'all' ? '' : `(${[...selected].flatMap(([inner, deeper]) => pathsOf(inner, deeper)).join(',')})`}`,
  };
}

interface PlannedItems {
  readonly value: TypedExpr;
  readonly count?: TypedExpr;
}

function planItems(target: PropertyTarget, options: Pick<QueryOptions, 'filter' | 'orderby' | 'top' | 'skip'>, context: PlanContext): PlannedItems {
  const alias = context.aliases.next();
  const column = target.value;
  const scope = memberScope(rootScope(target, context), elementVariable(column, alias, complexTypeOf(context.container, target.field)));
  const filter = planFilter(options.filter, scope);
  const order = (options.orderby ?? []).map((item) => planOrderTerm(item, scope));
  const rows: ItemsExpr['rows'] = { kind: 'elements', hops: [], alias, column, ...(filter && { filter }) };
  const window = { ...(options.top !== undefined && { limit: options.top }), ...(options.skip !== undefined && { offset: options.skip }) };
  const isWhole = filter === undefined && order.length === 0 && options.top === undefined && options.skip === undefined;
  const value: TypedExpr = isWhole ? column : { kind: 'items', type: 'Edm.ComplexType', nullable: false, rows, order, ...window };
  return { value, count: countOf(rows) };
}

function countOf(rows: Rows): TypedExpr {
  return { kind: 'count', type: 'Edm.Int64', nullable: false, rows };
}
