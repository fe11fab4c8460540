import { countOf } from '../../../plan/expr-facts.js';
import { complexTypeOf } from '../../../edm/index.js';
import { declaredText } from '../../../edm/lookup.js';
import { errors } from '../../../errors/catalogue.js';
import type { QueryOptions, SelectPath } from '../../../uri/query-options.js';
import { pathsOf, type Selected, selectedItems, selectedShape, withoutChoice } from '../../../plan/complex-selection.js';
import { itemsCount } from './item-step.js';
import type { PropertyTarget } from '../../../plan/path/path-target.js';
import { rootScope } from '../../../plan/options/plan-filter.js';
import { planItems } from '../../../plan/options/plan-items.js';
import { planEntity } from '../../../plan/read/plan-read.js';
import type { ReadPlan, SelectedColumn, Selection } from '../../../plan/read-plan.js';
import type { PlanContext } from '../../../plan/scope.js';
import { shownName, shownPath } from '../../../plan/shown-path.js';
import type { DynamicExpr, TypedExpr } from '../../../plan/typed-expr.js';
import { typeMember } from '../../../plan/value/control-information.js';

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
  const ofRecord = field.collection ? withoutChoice(others) : others;
  requireOptionsOf(target, ofRecord);
  const names = valuePath(target);
  const read = planEntity(target, { ...ofRecord, select: names.length === 0 ? [] : [wholeOf(names)] }, context);
  const selected = selectedOf(target, select, context);
  const streams = streamsWithin(read.selection, names, selected);
  const expressions = [...shownOf(target, others, context), ...items.map((step) => itemsCount(step, context.aliases.next()))];
  return {
    read: {
      ...read,
      selection: {
        ...read.selection,
        ...(streams && { streams }),
        columns: [],
        computed: expressions.map((expression) => ({ name, expression, field })),
      },
    },
    column: { name, column: name, field, ...(field.complex !== undefined && { shape: selectedShape(context.container, field, selected) }) },
    // A value that is no stored property is known by its type (protocol 10.14 to 10.17).
    path: target.type.transient ? declaredText(field) : name,
    chosen: selected === 'all' ? [] : [...selected].flatMap(([inner, deeper]) => pathsOf(inner, deeper)),
  };
}

function selectedOf({ field, name }: PropertyTarget, select: QueryOptions['select'], { container }: PlanContext): Selected {
  if (select === undefined) return 'all';
  if (field.complex === undefined) throw errors.badOption(`$select cannot be used with ${name}: it is no complex value.`).at('$select');
  return selectedItems(select, complexTypeOf(container, field), container);
}

// The expressions to read: the value with its facts, or for `$count` the number of items.
function shownOf(target: PropertyTarget, options: QueryOptions, context: PlanContext): readonly TypedExpr[] {
  const { field, dynamic, value, suffix } = target;
  if (!field.collection) return dynamic ? [dynamic, storedType(dynamic)] : [value];
  // At the collection's own address `$it` is the item (URL conventions 5.1.1.14.1).
  const scope = { ...rootScope(target, context), variables: new Map() };
  const items = planItems(value, field, options, scope, target.cast);
  if (suffix === '$count') return [countOf(items.rows)];
  return [items.value, ...(options.count ? [countOf(items.rows)] : [])];
}

// Options that do not apply to values.
const recordOptions = ['apply', 'compute', 'expand', 'skiptoken'] as const;
const collectionOptions = ['filter', 'search', 'orderby', 'top', 'skip', 'count', 'apply', 'skiptoken'] as const;

function requireOptionsOf({ name, field }: PropertyTarget, options: QueryOptions): void {
  if (options.expand && field.complex !== undefined)
    throw errors.notImplemented('$expand at the address of a value', `Read the record with $expand=${name}/...`).at('$expand');
  const option = (field.collection ? recordOptions : collectionOptions).find((one) => options[one] !== undefined);
  if (option && !field.collection) throw errors.badOption(`$${option} cannot be used with ${name}: it is a single value.`).at(`$${option}`);
  if (options.expand && !field.collection)
    throw errors.badOption(`$expand cannot be used with ${name}: it is not a complex value.`).at('$expand');
  if (option)
    throw errors
      .badOption(`$${option} cannot be used with the values of ${name}; they accept $filter, $search, $orderby, $top, $skip and $count.`)
      .at(`$${option}`);
}

// The stored type of a dynamic value, where JSON does not imply it.
function storedType({ names, ...dynamic }: DynamicExpr): TypedExpr {
  return { ...dynamic, names: [...names.slice(0, -1), `${names.at(-1)}${typeMember}`], type: 'Edm.ComplexType' };
}

/** The path from the entity to a single complex value, without casts; undefined for other properties and for items. */
export function valuePath({ name, field, dynamic, items }: PropertyTarget): readonly string[] {
  if (field.complex === undefined || field.collection || dynamic || items) return [];
  return shownPath(name);
}

/** Everything of the property that the value lies in. */
function wholeOf([name = '']: readonly string[]): SelectPath {
  return { kind: 'member', at: 0, path: [{ name, at: 0 }] };
}

// The selected streams of the value.
function streamsWithin({ streams }: Selection, within: readonly string[], selected: Selected): Selection['streams'] {
  return streams?.filter(
    ({ name }) => shownName(name).startsWith(`${within.join('/')}/`) && isSelected(shownPath(name).slice(within.length), selected),
  );
}

function isSelected([name = '', ...deeper]: readonly string[], selected: Selected): boolean {
  if (selected === 'all') return true;
  const inner = selected.get(name);
  return inner !== undefined && (deeper.length === 0 || isSelected(deeper, inner));
}
