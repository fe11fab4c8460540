import {
  type EntityContainer,
  type EntityType,
  fieldOf,
  isDirect,
  isShownName,
  type Navigation,
  navigationOf,
  targetOf,
} from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import type { ExpandItem, QueryOptions } from '../../uri/query-options.js';
import { accessTo, type Caller, isHidden, rootOf } from '../caller.js';
import { castHint } from '../path/type-cast.js';
import { refuseContained } from '../check/unplanned.js';
import { nestedNavigationOf } from '../path/nested-path.js';
import type { ExpandPlan } from '../read-plan.js';
import type { Scope } from '../scope.js';
import { shownName } from '../shown-path.js';

/** An item of `$expand` that is a navigation property, explicitly or through a star. */
export interface NamedItem {
  readonly name: string;
  readonly item: ExpandItem;
  /** For a navigation property of a complex value: the names and casts before it in the request. */
  readonly through?: readonly string[];
}

/** The expansion of `*`: every navigation property without its own item (URL conventions 5.1.3) that the caller may read. */
export function expandStars(
  items: readonly ExpandItem[],
  type: EntityType,
  isLast: boolean,
  { container, caller }: Pick<Scope, 'container' | 'caller'>,
): readonly NamedItem[] {
  const isSeen = (name: string, navigation: Navigation): boolean =>
    !isHidden(type, name, caller) && accessTo(targetOf(container, navigation), 'read', caller).allowed;
  const named = new Set(items.map(({ path: [first] }) => first?.name));
  return items.flatMap((item) => {
    const [first, ...rest] = item.path;
    if (first === undefined) return [];
    if (first.name !== '*') return [namedItem(first.name, item, type, container)];
    const options = withInner({}, lowered(item, isLast));
    const names = Object.entries(type.navigation).filter(
      ([name, navigation]) => navigation.expandable !== false && !named.has(name) && isDirect(name) && isSeen(name, navigation),
    );
    return names.map(([name]) => ({ name, item: { path: [{ ...first, name }, ...rest], options } }));
  });
}

// `Address/Country` is the navigation property of a complex value.
function namedItem(name: string, item: ExpandItem, type: EntityType, container: EntityContainer): NamedItem {
  const names = item.path.map((segment) => segment.name);
  const nested = nestedNavigationOf(type, names, container);
  const last = nested && item.path[nested.length - 1];
  if (nested && last) {
    return {
      name: nested.path,
      item: { ...item, path: [{ ...last, name: nested.path }, ...item.path.slice(nested.length)] },
      through: names.slice(0, nested.length - 1),
    };
  }
  const [, second] = item.path;
  if (second && fieldOf(type, name)?.complex !== undefined)
    throw errors
      .unknownName(`navigation property ${names.slice(1).join('/')}`, `The value of ${name}`, derivedHint(names, type))
      .at('$expand');
  return { name, item };
}

// Only the values of a derived type may have it.
function derivedHint(names: readonly string[], type: EntityType): string {
  const found = Object.keys(type.navigation).find((path) => path.includes('.') && shownName(path) === names.join('/'));
  return found === undefined ? '' : ` Write ${found}.`;
}

/** The options of an item with `$levels`, nested: the target has a navigation property of the same name. */
export function unfoldLevels({ name, item }: NamedItem, navigation: Navigation, target: EntityType, isLast: boolean): QueryOptions {
  const { levels, ...options } = item.options;
  if (levels === undefined) return options;
  const suffix = item.path.find((segment) => segment.name.startsWith('$'));
  if (suffix) throw errors.badOption(`$levels cannot be used with ${name}/${suffix.name}, which returns no records.`).at('$expand');
  // One level is not recursive.
  if (levels !== 1 && navigationOf(target, name)?.target !== navigation.target) {
    const shown = shownName(name);
    throw errors.badOption(`$levels cannot be used with ${shown}: its target ${target.name} has no recursive ${shown}.`).at('$expand');
  }
  return withInner(options, lowered(item, isLast));
}

function withInner(options: QueryOptions, inner: ExpandItem | undefined): QueryOptions {
  return inner === undefined ? options : { ...options, expand: [...(options.expand ?? []), inner] };
}

// `max` ends at the deepest level that the service allows; a number beyond it is refused at the level that is too deep.
function lowered(item: ExpandItem, isLast: boolean): ExpandItem | undefined {
  const { levels } = item.options;
  if (levels === undefined || levels === 1 || (levels === 'max' && isLast)) return undefined;
  if (levels === 0) throw errors.badOption('$levels must be a whole number of 1 or more, or max.').at('$expand');
  return { ...item, options: { ...item.options, levels: levels === 'max' ? 'max' : levels - 1 } };
}

/** The navigation property with the name; throws with a suggestion for an unknown one. */
export function requireNavigation(name: string, { type, scope }: { readonly type: EntityType; readonly scope: Scope }): Navigation {
  const navigation = navigationOf(type, name);
  if (navigation === undefined && fieldOf(type, name))
    throw errors
      .typeMismatch(
        `${name} is not a navigation property${withinHint(name, type)}; it is returned without $expand, or with $select=${name}.`,
      )
      .at(name);
  if (navigation === undefined) {
    throw errors
      .unknownName(
        `navigation property ${name}`,
        type.name,
        goneHint(name, scope) ||
          expandHint(name, type, scope) ||
          castHint(name, type, scope.container) ||
          suggestion(name, Object.keys(type.navigation)) ||
          listHint(type),
      )
      .at(name);
  }
  refuseContained(type, name, navigation);
  return navigation;
}

// The value of a complex property may have navigation properties.
function withinHint(name: string, type: EntityType): string {
  const within = Object.keys(type.navigation).find((path) => path.startsWith(`${name}/`));
  return within === undefined ? '' : ` on its own, like ${within}`;
}

function goneHint(name: string, { has }: Scope): string {
  return has?.({ kind: 'member', at: 0, path: [{ name, at: 0 }] })?.kind === 'constant'
    ? ` A group has only the navigation properties that it was grouped by.`
    : '';
}

function expandHint(name: string, type: EntityType, { container }: Scope): string {
  if (name.toLowerCase() === 'all') return ' Write $expand=*.';
  const [first = '', ...rest] = name.split('.');
  const navigation = navigationOf(type, first);
  if (navigation === undefined || rest.length === 0) return '';
  const isProperty = fieldOf(targetOf(container, navigation), rest[0] ?? '') !== undefined;
  return ` Write ${first}(${isProperty ? '$select' : '$expand'}=${rest.join('/')}).`;
}

const mostListed = 12;

// The names that there are, where none resembles the given one.
function listHint({ navigation }: EntityType): string {
  const names = Object.keys(navigation).filter((name) => isShownName(name) && !name.includes('/'));
  return names.length === 0 || names.length > mostListed ? '' : ` There ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}.`;
}

/** Rejects an expansion that the model does not offer. */
export function requireExpandable(name: string, { expandable }: Navigation): void {
  if (expandable === false) throw errors.typeMismatch(`${name} cannot be expanded: the model does not allow it.`).at(name);
}

/** Rejects an expansion that the caller may not read: the navigation property or its target. */
export function requireShown(name: string, type: EntityType, target: EntityType, caller: Caller): void {
  const hidden = isHidden(type, name, caller) ? rootOf(name) : accessTo(target, 'read', caller).allowed ? undefined : name;
  if (hidden !== undefined) throw errors.notPermitted(hidden).at(hidden);
}

/** Rejects an expansion beyond the depth limit. */
export function requireDepth({ written }: ExpandItem, { depth, type }: { readonly depth: number; readonly type: EntityType }): void {
  if (written) return;
  const limit = type.limits.maxExpandDepth;
  if (depth > limit) throw errors.limitExceeded(`$expand is nested ${depth} levels deep; the limit is ${limit}.`).at('$expand');
}

/** Rejects a path after a navigation property: nested $select and $expand are options. */
export function requireNoPath({ path: [first, second] }: ExpandItem, target: EntityType): void {
  if (first === undefined || second === undefined) return;
  const option = fieldOf(target, second.name) ? 'select' : navigationOf(target, second.name) ? 'expand' : undefined;
  if (option)
    throw errors
      .typeMismatch(`${first.name}/${second.name} is not a path of $expand; write ${first.name}($${option}=${second.name}).`)
      .at('$expand')
      .in(second);
}

const collectionOptions = ['filter', 'search', 'orderby', 'top', 'skip', 'count'] as const;

/** Rejects collection options on a single-valued navigation property. */
export function requireCollectionFor(name: string, { options }: ExpandItem, form: ExpandPlan['form'], collection: boolean): void {
  if (collection) return;
  const option = collectionOptions.find((candidate) => options[candidate] !== undefined);
  if (option) throw errors.badOption(`$${option} cannot be used within ${name}, which is to-one.`).at('$expand');
  if (form === 'count') throw errors.badOption(`${name}/$count cannot be expanded: ${name} is to-one.`).at('$expand');
}

/** The number of path segments between a containing entity and a back-reference to it: more than one within a complex value. */
export function parentDistance(
  navigation: Navigation,
  type: EntityType,
  target: EntityType,
  container: EntityContainer,
): Pick<ExpandPlan, 'up'> {
  if (!navigation.container) return {};
  const [column] = Object.keys(navigation.join);
  const down = Object.entries(target.navigation).find(
    ([, one]) => one.contains && one.join['#id'] === column && targetOf(container, one).table === type.table,
  );
  return { up: down?.[0].split('/').length ?? 1 };
}
