import { fieldOf, isDirect, navigationOf, targetOf, type EntityContainer, type EntityType, type Navigation } from '../edm/index.js';
import { nestedNavigationOf } from './path/nested-path.js';
import { errors } from '../errors/catalogue.js';
import type { ExpandItem, QueryOptions } from '../uri/query-options.js';
import { accessTo, isHidden } from './caller.js';
import type { Scope } from './scope.js';
import { shownName } from './shown-path.js';

/** An item of `$expand` that is a navigation property, explicitly or through a star. */
export interface NamedItem {
  readonly name: string;
  readonly item: ExpandItem;
  /** Of one within a complex value: the names and casts that were asked for in front of it. */
  readonly through?: readonly string[];
}

/**
 * The expansion of `*`: every navigation property without its own item (URL conventions 5.1.3) that the caller may
 * read.
 */
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
  const found = Object.keys(type.navigation).find(
    (path) =>
      path.includes('.') &&
      path
        .split('/')
        .filter((part) => !part.includes('.'))
        .join('/') === names.join('/'),
  );
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

// `max` goes as deep as the service allows; a number that goes deeper is refused where its depth is.
function lowered(item: ExpandItem, isLast: boolean): ExpandItem | undefined {
  const { levels } = item.options;
  if (levels === undefined || levels === 1 || (levels === 'max' && isLast)) return undefined;
  if (levels === 0) throw errors.badOption('$levels must be a whole number of 1 or more, or max.').at('$expand');
  return { ...item, options: { ...item.options, levels: levels === 'max' ? 'max' : levels - 1 } };
}
