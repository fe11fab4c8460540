import { complexTypeOf, type Field } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ExpandItem, QueryOptions } from '../uri/query-options.js';
import { selectedShape, type Selected } from './complex-shape.js';
import { typeMember } from './value/plan-complex.js';
import { itemsCount } from './item-step.js';
import { itemsWithin, shownWithin, valuePath, wholeOf } from './value-within.js';
import { planItems } from './plan-items.js';
import type { PropertyTarget } from './path-target.js';
import { planEntity } from './plan-read.js';
import type { PlanContext } from './scope.js';
import type { ExpandPlan, ReadPlan, SelectedColumn } from './read-plan.js';
import type { Scope } from './scope.js';
import { rootScope } from './check/root-scope.js';
import { pathsOf, selectedItems } from './select-path.js';
import { shownName } from './shown-path.js';
import type { DynamicExpr, Rows, TypedExpr } from './typed-expr.js';

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
  const shown = shownOf(target, value, rows, others, context);
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
  { suffix, dynamic, value: whole }: PropertyTarget,
  value: TypedExpr,
  rows: Rows | undefined,
  { count }: QueryOptions,
  { aliases }: PlanContext,
): readonly TypedExpr[] {
  const counted: Rows = rows ?? { kind: 'elements', joinSteps: [], alias: aliases.next(), column: dynamic ?? whole };
  if (suffix === '$count') return [countOf(counted)];
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
