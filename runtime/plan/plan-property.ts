import { complexTypeOf } from '../edm/index.js';
import { type EntityContainer } from '../edm/entity-container.js';
import { type Field } from '../edm/field.js';
import { errors } from '../errors/catalogue.js';
import type { ExpandItem, QueryOptions, SelectPath } from '../uri/query-options.js';
import { pathsOf, type Selected, selectedItems, selectedShape } from './complex-selection.js';
import { itemsCount, withoutOrdinals } from './item-step.js';
import type { PropertyTarget } from './path-target.js';
import { nestedNavigationOf } from './path/nested-path.js';
import { rootScope } from './plan-filter.js';
import { planItems } from './plan-items.js';
import { planEntity } from './plan-read.js';
import type { ExpandPlan, ReadPlan, SelectedColumn, Selection } from './read-plan.js';
import type { PlanContext, Scope } from './scope.js';
import { shownName, shownPath } from './shown-path.js';
import type { DynamicExpr, Rows, TypedExpr } from './typed-expr.js';
import { typeMember } from './value/plan-complex.js';

/** A property to read: the record with that value alone. */
export interface PropertyPlan {
  readonly read: ReadPlan;
  /** How the value is written. */
  readonly column: SelectedColumn;
  /** The path to the property; for transient entities it begins with the type. */
  readonly path: string;
  /** The paths that `$select` leaves of it, where that was asked for. */
  readonly chosen: readonly string[];
}

/** GET of a property; a collection of complex values takes the options of a collection (protocol 11.2.5). */
export function planProperty(target: PropertyTarget, options: QueryOptions, context: PlanContext): PropertyPlan {
  const { field, name, items = [] } = target;
  const { format: _, select, ...others } = options;
  const isItems = field.collection === true;
  const ofRecord = isItems ? withoutChoice(others) : others;
  requireOptionsOf(target, ofRecord);
  const read = planAround(target, ofRecord, context);
  const selected = selectedOf(target, select, context);
  const { value, rows } = isItems
    ? planItems(target.value, field, others, itemScope(target, context), target.chosen)
    : { value: target.dynamic ?? target.value };
  const shown = shownOf(target, value, rows, others);
  const expressions = [...shown, ...items.map((step) => itemsCount(step, context.aliases.next()))];
  const paths = selected === 'all' ? undefined : [...selected].flatMap(([inner, deeper]) => pathsOf(inner, deeper));
  return {
    read: {
      ...read,
      selection: {
        ...read.selection,
        expands: expandsWithin(target, read, others, paths),
        ...shownWithin(read.selection, valuePath(target), selected),
        columns: [],
        computed: expressions.map((expression) => ({ name, expression, field })),
      },
    },
    column: { name, column: name, field, ...(field.complex !== undefined && { shape: selectedShape(context.container, field, selected) }) },
    path: target.type.transient ? typeText(field) : name,
    chosen: paths ?? [],
  };
}

// Options that select items of a collection do not apply to its entity.
function withoutChoice(options: QueryOptions): QueryOptions {
  const { filter: _, search: __, orderby: ___, top: ____, skip: _____, count: ______, ...others } = options;
  return others;
}

function selectedOf({ field, name }: PropertyTarget, select: QueryOptions['select'], { container }: PlanContext): Selected {
  if (select === undefined) return 'all';
  if (field.complex === undefined) throw errors.badOption(`$select cannot be used with ${name}: it is no complex value.`).at('$select');
  return selectedItems(select, complexTypeOf(container, field), container);
}

// The expressions to read: the value with its facts, or for `$count` the number of items.
function shownOf(
  { suffix, dynamic }: PropertyTarget,
  value: TypedExpr,
  rows: Rows | undefined,
  { count }: QueryOptions,
): readonly TypedExpr[] {
  if (suffix === '$count' && rows) return [countOf(rows)];
  return [value, ...(count && rows ? [countOf(rows)] : []), ...(dynamic ? [saidType(dynamic)] : [])];
}

function expandsWithin(
  target: PropertyTarget,
  { selection }: ReadPlan,
  { expand = [] }: QueryOptions,
  paths: readonly string[] | undefined,
): readonly ExpandPlan[] {
  const names = valuePath(target);
  return selection.expands.filter((one) => isWithin(one, names) && (paths === undefined || isAsked(one, expand, paths, names)));
}

// Plans the read of the property's entity, with expansions within the value.
function planAround(
  target: PropertyTarget,
  { expand = [], ...options }: QueryOptions,
  context: PlanContext,
): ReturnType<typeof planEntity> {
  const around = valuePath(target);
  const items = expand.flatMap((item) => itemsWithin(item, target, context.container));
  const select = around.length === 0 ? [] : [wholeOf(around)];
  return planEntity(target, { ...options, ...(items.length > 0 && { expand: items }), select }, context);
}

// Options that do not apply to values.
const recordOptions = ['apply', 'compute', 'expand', 'skiptoken'] as const;
const collectionOptions = ['filter', 'search', 'orderby', 'top', 'skip', 'count', 'apply', 'skiptoken'] as const;

function requireOptionsOf({ name, field }: PropertyTarget, options: QueryOptions): void {
  const option = (field.collection ? recordOptions : collectionOptions).find(
    (one) => options[one] !== undefined && !(one === 'expand' && field.complex !== undefined),
  );
  if (option && !field.collection) throw errors.badOption(`$${option} cannot be used with ${name}: it is a single value.`).at(`$${option}`);
  if (options.expand && field.complex === undefined && !field.collection)
    throw errors.badOption(`$expand cannot be used with ${name}: it is not a complex value.`).at('$expand');
  if (option)
    throw errors
      .badOption(`$${option} cannot be used with the values of ${name}; they accept $filter, $search, $orderby, $top, $skip and $count.`)
      .at(`$${option}`);
}

// The whole of the record's property is read, and items elsewhere in it may show something too.
function isWithin({ within = '' }: ExpandPlan, names: readonly string[]): boolean {
  return `${shownName(within)}/`.startsWith(`${names.join('/')}/`);
}

// Values of which only some properties are asked for show nothing else without being asked.
function isAsked(
  { within = '', name }: ExpandPlan,
  asked: readonly ExpandItem[],
  paths: readonly string[],
  names: readonly string[],
): boolean {
  const inner = shownName(within).split('/').slice(names.length);
  const named = asked.map(({ path }) =>
    shownName(
      path
        .map((segment) => segment.name)
        .filter((segment) => !segment.startsWith('$'))
        .join('/'),
    ),
  );
  const isNamed = named.some((path) => path === '*' || path === [...inner, name].join('/'));
  return isNamed || paths.some((path) => `${inner.join('/')}/`.startsWith(`${shownName(path)}/`));
}

// At the collection's own address `$it` is the item (URL conventions 5.1.1.14.1).
function itemScope(target: PropertyTarget, context: PlanContext): Scope {
  return { ...rootScope(target, context), variables: new Map() };
}

// The stored type of a dynamic value, where JSON does not imply it.
function saidType({ names, ...dynamic }: DynamicExpr): TypedExpr {
  return { ...dynamic, names: [...names.slice(0, -1), `${names.at(-1)}${typeMember}`], type: 'Edm.ComplexType' };
}

// A value that is no stored property is known by its type (protocol 10.14 to 10.17).
function typeText({ type, complex, enumeration, definition, collection }: Field): string {
  const name = complex ?? enumeration?.qualifiedName ?? definition ?? type;
  return collection ? `Collection(${name})` : name;
}

function countOf(rows: Rows): TypedExpr {
  return { kind: 'count', type: 'Edm.Int64', nullable: false, rows };
}

/** The path from the entity to a single complex value, without casts; undefined for other properties and for items. */
export function valuePath({ name, field, dynamic, items }: PropertyTarget): readonly string[] {
  if (field.complex === undefined || field.collection || dynamic || items) return [];
  return name.split('/').filter((part) => !part.includes('.'));
}

/** Everything of the property that the value lies in. */
function wholeOf([name = '']: readonly string[]): SelectPath {
  return { kind: 'member', at: 0, path: [{ name, at: 0 }] };
}

/**
 * An item of `$expand` at a value's address, rewritten for the entity, to which streams and navigation properties
 * belong; the address has its casts.
 */
function itemsWithin(item: ExpandItem, { name, type }: PropertyTarget, container: EntityContainer): readonly ExpandItem[] {
  const [first, ...rest] = item.path;
  if (first === undefined) return [];
  const before = withoutOrdinals(name.split('/')).map((part) => ({ name: part, at: first.at }));
  if (first.name !== '*') return [{ ...item, path: [...before, ...item.path] }];
  const within = before.map((part) => part.name);
  const own = Object.keys(type.navigation).filter((path) => nestedNavigationOf(type, [...within, lastOf(path)], container)?.path === path);
  return own.map((path) => ({ ...item, path: [...before, { ...first, name: lastOf(path) }, ...rest] }));
}

/** The selected streams and expansions of the value, as its members. */
function shownWithin({ streams = [] }: Selection, within: readonly string[], selected: Selected): Pick<Selection, 'streams'> {
  return {
    streams: streams.filter(({ name }) => isBeneath(shownName(name), within) && isSelected(shownPath(name).slice(within.length), selected)),
  };
}

function isSelected([name = '', ...deeper]: readonly string[], selected: Selected): boolean {
  if (selected === 'all') return true;
  const inner = selected.get(name);
  return inner !== undefined && (deeper.length === 0 || isSelected(deeper, inner));
}

function isBeneath(path: string, within: readonly string[]): boolean {
  return path.startsWith(`${within.join('/')}/`);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
