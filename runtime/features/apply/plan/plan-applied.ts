import { type EntityContainer, navigationOf, own, primitives } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { located } from '../../../errors/odata-error.js';
import { suggestion } from '../../../errors/suggest.js';
import type { OrderbyItem, QueryOptions, SelectItem, Transformation } from '../../../uri/query-options.js';
import { accessTo } from '../../../plan/caller.js';
import { sharedExpr } from '../../../plan/check/property-expr.js';
import { bothSelected, type Selected, selectedWithin, wholeShape } from '../../../plan/complex-selection.js';
import type { PlanOptions } from '../../../plan/limits.js';
import type { AppliedRead } from '../../../plan/hooks.js';
import { planApply, searchOver } from './plan-apply.js';
import { planExpand } from '../../../plan/expand/plan-expand.js';
import { planFilter } from '../../../plan/options/plan-filter.js';
import { planOrderTerm } from '../../../plan/options/plan-order.js';
import { type RecordTarget } from '../../../plan/path/path-target.js';
import { narrowed } from '../../../plan/options/plan-select.js';
import { bounded } from '../../../plan/options/plan-compute.js';
import { planSelection } from '../../../plan/expand/plan-selection.js';
import type { ComputedColumn, OrderTerm, SelectedColumn, Selection } from '../../../plan/read-plan.js';
import { columnAt, isComputed, isDynamic, orderAt, relationColumn, scopeOver, type Relation } from './relation.js';
import type { Scope } from '../../../plan/scope.js';
import { nameOf, shownName } from '../../../plan/shown-path.js';
import type { TypedExpr } from '../../../plan/typed-expr.js';
import { aggregatedAway } from '../../../plan/check/unknown-member.js';
import { both, conditionOf } from '../../../plan/expr-facts.js';

/** The read of a result of `$apply`: the other options apply to that result (Data Aggregation 3.1). */
export function planApplied(target: RecordTarget, options: QueryOptions, scope: Scope, settings: PlanOptions): AppliedRead {
  const { relation, steps } = planApply(transformationsOf(options), target.type, scope);
  const alias = scope.aliases.next();
  const over = scopeOver(relation, alias, scope);
  const conditions = [
    planFilter(options.filter, over),
    options.search && searchOver(options.search, relation, { ...over, option: '$search' }),
  ];
  const filter = conditions.reduce(both);
  const place = conditionOf(target);
  return {
    selection: planAppliedSelection(relation, alias, options, over, settings),
    parents: [],
    key: [],
    order: planAppliedOrder(options.orderby ?? [], relation, alias, over),
    apply: {
      base: { alias: target.alias, table: target.type.table, parents: target.parents, key: target.key, ...(place && { filter: place }) },
      steps,
    },
    ...(filter && { filter }),
  };
}

// $compute after $apply is one more transformation (Data Aggregation 3.1, protocol 11.2.1).
function transformationsOf({ apply = [], compute }: QueryOptions): readonly Transformation[] {
  return compute ? [...apply, { kind: 'compute', at: 0, items: compute }] : apply;
}

function planAppliedSelection(relation: Relation, alias: string, options: QueryOptions, scope: Scope, settings: PlanOptions): Selection {
  const { type, base, entity, presence } = relation;
  // Records that were chosen or completed are what they were, of their own types (Data Aggregation 3.3).
  if (entity) return planSelection(base, alias, options, { scope, columns: addedColumns(relation, alias) }, settings, 1);
  const chosen = options.select && chosenOf(options.select, relation, scope.container);
  const columns = selectedColumns(chosen, relation, alias, scope);
  const flags = [...new Set(columns.flatMap(({ name }) => presence.get(name) ?? []))];
  return {
    type,
    alias,
    table: type.table,
    columns: [
      ...columns,
      ...flags.map((column): SelectedColumn => ({ name: column, column, field: { type: 'Edm.Boolean' }, hidden: true })),
    ],
    computed: [],
    expands: planExpand(options.expand ?? [], type, alias, scope, settings, 1),
    etag: false,
    keyColumns: [],
    ...(relation.mixed && { records: recordSelection(relation, alias, options, scope, settings) }),
  };
}

// The members of those rows that are records; values added by `$apply` are members of every row.
function recordSelection(relation: Relation, alias: string, { select }: QueryOptions, scope: Scope, settings: PlanOptions): Selection {
  const items = select?.filter((item) => !isGroupedPath(item, relation));
  const columns = addedColumns(relation, alias);
  const selection = planSelection(relation.base, alias, items ? { select: items } : {}, { scope, columns }, settings, 1);
  return { ...selection, computed: [] };
}

// `Nav/Name`, by which a sequence grouped; records have no such property.
function isGroupedPath(item: SelectItem, relation: Relation): boolean {
  if (item.kind !== 'member' || item.path.length === 1) return false;
  return navigationOf(relation.base, item.path[0]?.name ?? '') !== undefined && selector(relation)(item).length > 0;
}

function addedColumns(relation: Relation, alias: string): readonly ComputedColumn[] {
  return Object.entries(relation.type.fields)
    .filter(([name]) => isDynamic(relation, name))
    .map(([name, field]) => ({ name, field, expression: bounded(columnAt(alias, relationColumn(relation.type, name))) }));
}

function selectedColumns(
  chosen: ReadonlyMap<string, Selected> | undefined,
  relation: Relation,
  alias: string,
  { caller, container }: Scope,
): readonly SelectedColumn[] {
  const access = accessTo(relation.base, 'read', caller);
  const visible = (name: string): boolean => access.allowed && !access.restricted.has(name);
  const names = Object.keys(relation.type.fields).filter((name) => visible(name) && (chosen === undefined || chosen.has(name)));
  return names.map((name) => narrowed(selectedColumn(name, relation, alias, container), chosen?.get(name) ?? 'all', container));
}

// The selections of several items within one complex value are combined.
function chosenOf(items: readonly SelectItem[], relation: Relation, container: EntityContainer): ReadonlyMap<string, Selected> {
  const select = selector(relation);
  const chosen = new Map<string, Selected>();
  for (const item of items) {
    const within = withinComplex(item, relation, container);
    for (const [name, selected] of within ?? located(item, () => select(item)).map((name) => [name, 'all'] as const))
      chosen.set(name, bothSelected(chosen.get(name), selected));
  }
  return chosen;
}

// `Address/City`, and `Address($select=City)`, of records that still have the value.
function withinComplex(
  item: SelectItem,
  { type }: Relation,
  container: EntityContainer,
): readonly (readonly [string, Selected])[] | undefined {
  if (item.kind !== 'member' || item.parameterNames) return undefined;
  const [first, second] = item.path;
  const field = own(type.fields, first?.name ?? '');
  const isOnlySelect = Object.keys(item.options ?? {}).every((name) => name === 'select');
  if (first === undefined || field?.complex === undefined || !isOnlySelect || (second === undefined && item.options === undefined))
    return undefined;
  // One sequence of `concat` may have the whole value by which another one has grouped in part.
  const grouped = second && own(type.fields, nameOf(item)) ? [[nameOf(item), 'all'] as const] : [];
  return [[first.name, selectedWithin(field, item, container)], ...grouped];
}

function selectedColumn(name: string, relation: Relation, alias: string, container: EntityContainer): SelectedColumn {
  const field = relation.type.fields[name];
  if (field === undefined) throw new Error(`The result has no property ${name}.`);
  const flag = relation.presence.get(name);
  const shown = shownName(name);
  const dynamic = isDynamic(relation, shown) && !shown.includes('/');
  const expression = dynamic ? boundedExpr(alias, name, relation) : field.more && sharedExpr(alias, name, field);
  return {
    name,
    column: field.column ?? name,
    field,
    ...(expression && { expression }),
    ...(dynamic && { dynamic }),
    ...(flag !== undefined && { presence: flag }),
    ...(field.complex !== undefined && { shape: wholeShape(container, field) }),
  };
}

// The column itself is read where no bound applies, so that the order may share its cell.
function boundedExpr(alias: string, name: string, { type }: Relation): TypedExpr | undefined {
  const column = columnAt(alias, relationColumn(type, name));
  const value = bounded(column);
  return value === column ? undefined : value;
}

// A path, and each prefix of one, selects the grouping by it.
function selector({ type, base, mixed }: Relation): (item: SelectItem) => readonly string[] {
  const known = Object.keys(type.fields);
  const paths = known.filter((field) => field.includes('/') || field.includes('.'));
  const found = (name: string): readonly string[] => [
    ...(own(type.fields, name) ? [name] : []),
    ...paths.filter((field) => field !== name && (field.startsWith(`${name}/`) || shownName(field) === name)),
  ];
  return (item) => selectedNames(item, found, known, { type, base, ...(mixed && { mixed }) });
}

function selectedNames(
  item: SelectItem,
  find: (name: string) => readonly string[],
  known: readonly string[],
  { type, base, mixed }: Pick<Relation, 'type' | 'base' | 'mixed'>,
): readonly string[] {
  if (item.kind === 'star') return known;
  if (item.kind === 'operations' || item.options || item.parameterNames)
    throw errors.notImplemented('A $select item with options or operations after $apply').at('$select');
  const name = nameOf(item);
  const found = find(name);
  if (found.length > 0 || Object.keys(type.navigation).some((path) => path === name || path.startsWith(`${name}/`))) return found;
  // The selection of the records finds it, or rejects it.
  if (mixed) return found;
  throw errors
    .unknownName(`property ${name}`, 'The result of $apply', Object.hasOwn(base.fields, name) ? aggregatedAway : suggestion(name, known))
    .at(name);
}

/** The requested order, followed by that of `$apply` and the columns that identify rows, so that it is total. */
function planAppliedOrder(items: readonly OrderbyItem[], relation: Relation, alias: string, scope: Scope): readonly OrderTerm[] {
  const asked = items.map((item) => planOrderTerm(item, scope));
  const descending = relation.order.length === 0 && (asked.at(-1)?.descending ?? false);
  const rest = orderAt(alias, relation).map((term, index) => (index < relation.order.length ? term : { ...term, descending }));
  const seen = new Set<string>();
  return [...asked, ...rest].filter(({ expression }) => !isRepeated(expression, seen)).map(exactTerm);
}

function isRepeated(expression: TypedExpr, seen: Set<string>): boolean {
  if (expression.kind !== 'column') return false;
  const repeated = seen.has(expression.column);
  seen.add(expression.column);
  return repeated;
}

// Arithmetic of whole numbers is done in numeric, and a computed column may hold more than its type's range.
function exactTerm(term: OrderTerm): OrderTerm {
  const { expression } = term;
  if (expression.kind !== 'column' || !isComputed(expression) || primitives[expression.type].range === undefined) return term;
  return { ...term, expression: { kind: 'cast', type: 'Edm.Decimal', nullable: expression.nullable, operand: expression } };
}
