import { anyEntity, anyNameOf, anyNavigationOf, navigationOf, targetOf, type AnyNavigation, type EntityContainer, type EntityType, type Navigation } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { accessTo, type Caller } from './caller.js';
import type { NamedItem } from './plan-levels.js';
import { both } from './plan-filter.js';
import type { ExpandPlan } from './read-plan.js';
import { placeOf } from './shown-path.js';
import type { TypedExpr } from './typed-expr.js';

/** A part of what leads to records of any type: the navigation property to those of one set. */
export interface Arm {
  readonly path: string;
  readonly navigation: Navigation;
  readonly target: EntityType;
}

/** Every part of a navigation property to records of any type. */
export function armsOf(type: EntityType, { paths }: AnyNavigation, container: EntityContainer): readonly Arm[] {
  return paths.flatMap((path) => {
    const navigation = navigationOf(type, path);
    return navigation ? [{ path, navigation, target: targetOf(container, navigation) }] : [];
  });
}

/** Those whose records the caller may read; what leads to others leads nowhere. */
export function readableArms(type: EntityType, any: AnyNavigation, { container, caller }: { readonly container: EntityContainer; readonly caller: Caller }): readonly Arm[] {
  return armsOf(type, any, container).filter(({ target }) => accessTo(target, 'read', caller).allowed);
}

/** An item of `$expand` as one for each set that it may lead to; any other is itself. */
export function expandedArms(named: NamedItem, type: EntityType, scope: { readonly container: EntityContainer; readonly caller: Caller }): readonly NamedItem[] {
  const any = anyNavigationOf(type, named.name);
  // A collection is read as a whole.
  if (any === undefined || any.collection) return [named];
  const { options } = named.item;
  const option = (['select', 'expand', 'compute', 'levels'] as const).find((name) => options[name] !== undefined);
  const example = any.paths[0] ?? named.name;
  if (option) throw errors.typeMismatch(`$${option} within ${named.name} needs a type, since records of different types have no properties in common; write $expand=${example}($${option}=...).`).at('$expand');
  const arms = readableArms(type, any, scope);
  if (arms.length === 0) throw errors.notPermitted(named.name).at(named.name);
  return arms.map(({ path }) => ({ ...named, name: path, item: { ...named.item, path: named.item.path.map((segment, index) => (index === 0 ? { ...segment, name: path } : segment)) } }));
}

/** An expansion and what asked for it. */
export interface PlannedItem {
  readonly named: NamedItem;
  readonly plan: ExpandPlan;
}

/**
 * The expansions of a record. Of those that show one property, which leads to records of any type, one at most leads
 * somewhere: it shows the property, or else the first of them does, as null.
 */
export function shownApart(items: readonly PlannedItem[], type: EntityType, alias: string): readonly ExpandPlan[] {
  return items.map((item) => {
    const name = anyNameOf(type, item.named.name);
    if (name === undefined) return item.plan;
    const alike = items.filter((other) => anyNameOf(type, other.named.name) === name);
    if (item.plan.collection) return shownAlone(item, name, items);
    const others = alike.filter((other) => other !== item).map((other) => isSet(other, type, alias));
    const shown = alike[0] === item ? others.map(not) : [isSet(item, type, alias)];
    const shownWhere = shown.reduce<TypedExpr | undefined>((all, one) => both(all, one), item.plan.shownWhere);
    const plan = shownAt(item, name);
    return { ...plan, selection: { ...plan.selection, declared: { ...plan.selection.type, qualifiedName: anyEntity } }, ...(shownWhere && { shownWhere }) };
  });
}

// Under the name of the property, and in a context URL with the casts that were asked for.
function shownAt({ named: { through = [], item }, plan: planned }: PlannedItem, name: string): ExpandPlan {
  const { within: _, listed: __, ...plan } = planned;
  const cast = item.path[1]?.name.includes('.') ? [plan.selection.type.qualifiedName] : [];
  const listed = through.some((step) => step.includes('.')) || cast.length > 0 ? [...through, name.slice(name.lastIndexOf('/') + 1), ...cast].join('/') : undefined;
  return { ...plan, ...placeOf(name), ...(listed !== undefined && { listed }) };
}

// The records of one type are shown as the whole property, of which a record has one.
function shownAlone(item: PlannedItem, name: string, items: readonly PlannedItem[]): ExpandPlan {
  const { named } = item;
  if (items.some((other) => other.named !== named && (other.named.name === name || other.named.name.startsWith(`${name}/`)))) {
    throw errors.badOption(`${name} is expanded twice; expand it once, and choose by type within it, as in ${name}($select=${named.name.slice(name.length + 1)}/...).`).at('$expand');
  }
  return shownAt(item, name);
}

function isSet({ named }: PlannedItem, type: EntityType, alias: string): TypedExpr {
  const [column = ''] = Object.keys(navigationOf(type, named.name)?.join ?? {});
  const number: TypedExpr = { kind: 'column', type: 'Edm.Int64', collection: false, nullable: true, alias, column };
  return { kind: 'comparison', type: 'Edm.Boolean', nullable: false, operator: 'ne', left: number, right: { kind: 'literal', type: 'null', nullable: true, value: null } };
}

function not(operand: TypedExpr): TypedExpr {
  return { kind: 'not', type: 'Edm.Boolean', nullable: false, operand };
}
