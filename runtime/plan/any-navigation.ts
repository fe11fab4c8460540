import {
  anyEntity,
  navigationOf,
  targetOf,
  type AnyNavigation,
  type EntityContainer,
  type EntityType,
  type Navigation,
} from '../edm/index.js';
import { anyNameOf, anyNavigationOf, armsFor } from './path/nested-path.js';
import { errors } from '../errors/catalogue.js';
import { optionsBehind, optionsOfPlaces } from './behind-type.js';
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
export function readableArms(
  type: EntityType,
  any: AnyNavigation,
  { container, caller }: { readonly container: EntityContainer; readonly caller: Caller },
): readonly Arm[] {
  return armsOf(type, any, container).filter(({ target }) => accessTo(target, 'read', caller).allowed);
}

/** The types of the records that it may lead to, as they stand behind its name. */
export function typesIn({ paths }: AnyNavigation, name: string): readonly string[] {
  return [...new Set(paths.map((path) => path.slice(name.length + 1).replace(/:.*/, '')))];
}

/** Refuses a type that records of several sets have: a path would have to lead to all of them. */
export function requireOneSet(type: EntityType, name: string, any: AnyNavigation, cast: string, container: EntityContainer): void {
  const [first, second] = armsFor(type, any, cast, container).map(({ navigation }) => targetOf(container, navigation).entitySet);
  if (first !== undefined && second !== undefined)
    throw errors
      .notImplemented(
        `${name}/${cast}, which may be in ${first} and in ${second},`,
        any.collection ? `Read ${name} as a whole, or begin at each of the sets.` : `Expand ${name}/${cast}, or begin at each of the sets.`,
      )
      .at(cast);
}

/** The navigation property to records of any type that has the path. */
export function anyAt(type: EntityType, path: string): AnyNavigation | undefined {
  return anyNavigationOf(type, path);
}

/** Items of `$expand` as those for each set that they may lead to; any others are themselves. */
export function withArmsApart(items: readonly NamedItem[], type: EntityType, scope: ArmScope): readonly NamedItem[] {
  const all = items.flatMap((item) => expandedArms(item, type, scope));
  return all.map((item) =>
    anyNameOf(type, item.name) === undefined
      ? item
      : { ...item, alike: all.filter((other) => wholeName(other) === wholeName(item)).map(({ name }) => name) },
  );
}

interface ArmScope {
  readonly container: EntityContainer;
  readonly caller: Caller;
}

// What is shown, without the type of the part behind it.
function wholeName({ name }: NamedItem): string {
  return name.slice(0, name.lastIndexOf('/'));
}

function expandedArms(named: NamedItem, type: EntityType, scope: ArmScope): readonly NamedItem[] {
  const any = anyAt(type, named.name);
  // A collection is read as a whole.
  if (any === undefined || any.collection) return [named];
  const [, behind] = named.item.path;
  const { options } = named.item;
  const isCast = behind?.name.includes('.') === true;
  const option =
    isCast || any.type !== undefined ? undefined : (['compute', 'levels'] as const).find((name) => options[name] !== undefined);
  const example = typesIn(any, named.name)[0] ?? '';
  if (option)
    throw errors
      .typeMismatch(
        `$${option} within ${named.name} needs a type, since records of different types have no properties in common; write $expand=${named.name}/${example}($${option}=...).`,
      )
      .at('$expand');
  const meant = behind?.name.includes('.') ? new Set(armsFor(type, any, behind.name, scope.container).map(({ path }) => path)) : undefined;
  const arms = readableArms(type, any, scope).filter(({ path }) => meant === undefined || meant.size === 0 || meant.has(path));
  if (arms.length === 0) throw errors.notPermitted(named.name).at(named.name);
  const targets = arms.map(({ target }) => target);
  const optionsOf =
    any.type !== undefined
      ? optionsOfPlaces(options, targets, scope.container)
      : isCast
        ? (): typeof options => options
        : optionsBehind(options, named.name, targets, scope.container);
  return arms.map(({ path, target }) => ({
    ...named,
    name: path,
    item: {
      options: optionsOf(target),
      path: named.item.path.map((segment, index) => (index === 0 ? { ...segment, name: path } : segment)),
    },
  }));
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
    if (anyNameOf(type, item.named.name) === undefined) return item.plan;
    const name = wholeName(item.named);
    if (item.plan.collection) return shownAlone(item, name, items);
    const of = anyAt(type, name)?.type;
    const plan = shownAt(item, name, of);
    const shownWhere = shownOfRecord(item, items, type, alias);
    const isDeclared = of === plan.selection.type.qualifiedName;
    return {
      ...plan,
      ...(!isDeclared && { selection: { ...plan.selection, declared: { ...plan.selection.type, qualifiedName: of ?? anyEntity } } }),
      ...(shownWhere && { shownWhere }),
    };
  });
}

function shownOfRecord(item: PlannedItem, items: readonly PlannedItem[], type: EntityType, alias: string): TypedExpr | undefined {
  const alike = items.filter(({ named }) => item.named.alike?.includes(named.name));
  const isSet = ({ named }: PlannedItem): TypedExpr =>
    isThere({
      kind: 'column',
      type: 'Edm.Int64',
      collection: false,
      nullable: true,
      alias,
      column: Object.keys(navigationOf(type, named.name)?.join ?? {})[0] ?? '',
    });
  const shown = oneOf(alike.map(isSet), alike.indexOf(item));
  return both(item.plan.shownWhere, shown);
}

/** When the one at a place of several is shown, of which one at most is there: where it is, or as the first where none is. */
export function oneOf(isSet: readonly TypedExpr[], place: number): TypedExpr | undefined {
  const shown = place === 0 ? isSet.slice(1).map(not) : isSet.slice(place, place + 1);
  return shown.reduce<TypedExpr | undefined>((all, one) => both(all, one), undefined);
}

/** Whether there is a number of a record. */
export function isThere(number: TypedExpr): TypedExpr {
  return {
    kind: 'comparison',
    type: 'Edm.Boolean',
    nullable: false,
    operator: 'ne',
    left: number,
    right: { kind: 'literal', type: 'null', nullable: true, value: null },
  };
}

// Under the name of the property, and in a context URL with the casts that were asked for.
function shownAt({ named: { through = [], item }, plan: planned }: PlannedItem, name: string, of?: string): ExpandPlan {
  const { within: _, listed: __, ...plan } = planned;
  // Records of different types show different properties.
  const isOfType =
    item.path[1]?.name.includes('.') === true ||
    (of === undefined && (item.options.select !== undefined || item.options.expand !== undefined));
  const cast = isOfType ? [plan.selection.type.qualifiedName] : [];
  const listed =
    through.some((step) => step.includes('.')) || cast.length > 0
      ? [...through, name.slice(name.lastIndexOf('/') + 1), ...cast].join('/')
      : undefined;
  return { ...plan, ...placeOf(name), ...(listed !== undefined && { listed }) };
}

// The records of one type are shown as the whole property, of which a record has one.
function shownAlone(item: PlannedItem, name: string, items: readonly PlannedItem[]): ExpandPlan {
  const { named } = item;
  if (items.some((other) => other.named !== named && (other.named.name === name || other.named.name.startsWith(`${name}/`)))) {
    throw errors
      .badOption(
        `${name} is expanded twice; expand it once, and choose by type within it, as in ${name}($select=${named.name.slice(name.length + 1)}/...).`,
      )
      .at('$expand');
  }
  return shownAt(item, name);
}

function not(operand: TypedExpr): TypedExpr {
  return { kind: 'not', type: 'Edm.Boolean', nullable: false, operand };
}
