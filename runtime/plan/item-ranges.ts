import { complexTypeOf, fieldOf, own, targetOf, type ComplexType, type EntityType, type Navigation } from '../edm/index.js';
import { isThere, oneOf } from './any-navigation.js';
import { hopFromItem, numbersAt } from './check/check-item-navigation.js';
import { storedExpr } from './check/stored-expr.js';
import { castOf, elementOf, placeOf, propertyOf } from './check/check-property.js';
import { both } from './plan-filter.js';
import type { NamedItem } from './plan-levels.js';
import type { ExpandPlan, ItemRange, ItemRanges, SelectedColumn } from './read-plan.js';
import type { Scope } from './scope.js';
import type { Hop, JsonPlace, PropertyExpr, TypedExpr } from './typed-expr.js';
import { isPresent } from './value/check-literal.js';

/** A navigation property of items as `$expand` names it: what it is, the items, and the step from each. */
export interface AlongItems {
  readonly navigation: Navigation;
  readonly hop: Hop;
  readonly items: ItemRanges;
}

interface Holder {
  readonly type: EntityType;
  readonly alias: string;
  readonly scope: Scope;
}

/** What items lead to, where it is they that have the property. */
export function alongItems(named: NamedItem, holder: Holder): AlongItems | undefined {
  const navigation = own(holder.type.itemNavigation ?? {}, named.name);
  const items = navigation && itemsBehind(named, holder);
  if (navigation === undefined || items === undefined) return undefined;
  const { target, join, collection, expandable } = navigation;
  const hop = hopFromItem(navigation, targetOf(holder.scope.container, navigation), items.place, holder.scope.aliases);
  const given = both(items.ranges.given, isShownPart(named, holder.type, items.place));
  return {
    navigation: { target, join, ...(collection && { collection }), ...(expandable === false && { expandable }) },
    hop,
    items: { ...items.ranges, ...(given && { given }) },
  };
}

/** The items that have a navigation property, and where the value of each is that leads on. */
export interface ItemsBehind {
  readonly ranges: ItemRanges;
  readonly place: JsonPlace;
}

/** The items behind the names in front of what `$expand` names. */
export function itemsBehind({ through = [] }: NamedItem, holder: Holder): ItemsBehind | undefined {
  // What $apply has made may have no such items any more.
  if (fieldOf(holder.type, through[0] ?? '') === undefined) return undefined;
  const { ranges, value } = through.reduce<Reached>((before, step) => reach(before, step, holder), { ranges: [] });
  if (value === undefined) return undefined;
  const place = placeOf(value);
  return {
    place,
    ranges: { ranges, ...(ranges.length > 0 && { isMany: true }), ...(place.steps.length > 0 && { given: isPresent(value) }) },
  };
}

// Of parts of one navigation property an item shows the one that leads somewhere.
function isShownPart({ name, alike = [] }: NamedItem, { itemNavigation = {} }: EntityType, place: JsonPlace): TypedExpr | undefined {
  const isSet = alike.flatMap((path) => own(itemNavigation, path) ?? []).map((navigation) => isThere(numbersAt({ navigation }, place)));
  return oneOf(isSet, alike.indexOf(name));
}

/** How far the names in front have led: the value, or an item of the last range. */
interface Reached {
  readonly ranges: ItemRanges['ranges'];
  readonly value?: PropertyExpr;
  readonly complex?: ComplexType;
}

function reach({ ranges, value, complex }: Reached, step: string, { type, alias, scope }: Holder): Reached {
  if (step.includes('.') && value && complex) return { ranges, ...castOf(value, complex, step, scope) };
  const field = fieldOf(complex ?? type, step);
  if (field === undefined) throw new Error(`${type.name} has no ${step}, which items lie behind.`);
  const found = value ? propertyOf(placeOf(value), step, field) : storedExpr({ type, alias }, step, field);
  const inner = complexTypeOf(scope.container, field);
  if (!field.collection) return { ranges, value: found, complex: inner };
  const range = scope.aliases.next();
  return { ranges: [...ranges, { alias: range, items: found }], value: elementOf(found, range), complex: inner };
}

/** The expansion of those items alone that the record shows. */
export function ofShownItems(expand: ExpandPlan, columns: readonly SelectedColumn[]): ExpandPlan {
  const [first] = expand.items?.ranges ?? [];
  const [root] = expand.within?.split('/') ?? [];
  const shown = first && columns.find(({ name, control }) => name === root && !control)?.expression;
  return first && shown ? overItems(expand, shown) : expand;
}

/** The expansion of these items alone, of those that it would begin with, or would come to behind so many collections. */
export function overItems(expand: ExpandPlan, items: TypedExpr, behind = 0): ExpandPlan {
  return withRange(expand, behind, { items });
}

/** The expansion of a single item, behind so many other collections. */
export function ofOneItem(expand: ExpandPlan, item: TypedExpr, behind: number): ExpandPlan {
  const { items, ...plan } = withRange(expand, behind, { items: item, single: true });
  if (items === undefined || items.ranges.length > 1) return { ...plan, ...(items && { items }) };
  const { isMany: _, ...one } = items;
  return { ...plan, items: one };
}

function withRange(expand: ExpandPlan, behind: number, range: Omit<ItemRange, 'alias'>): ExpandPlan {
  const [first, ...others] = expand.items?.ranges.slice(behind) ?? [];
  return expand.items && first ? { ...expand, items: { ...expand.items, ranges: [{ alias: first.alias, ...range }, ...others] } } : expand;
}
