import { fieldOf, own, targetOf, type EntityContainer, type EntityType, type ItemNavigation, type Navigation } from '../edm/index.js';
import { anyNameOf } from './path/nested-path.js';
import { derivedTypesOf } from './path/derivation.js';
import type { ExpandItem } from '../uri/query-options.js';
import { accessTo, isHidden, type Caller } from './caller.js';
import { maxExpandDepth } from './limits.js';
import type { Scope } from './scope.js';
import { shownName } from './shown-path.js';

/** Where records are shown: the type, how deep within `$expand`, and whether a path to a complex value is among what is shown. */
interface Showing {
  readonly type: EntityType;
  readonly depth: number;
  readonly isShown: (path: string) => boolean;
}

/**
 * What is expanded, and what items show without being asked for: references (Core.AutoExpandReferences), and the records
 * that they contain (Core.AutoExpand), as far as the caller may see them. An answer then holds all that the items do, and
 * may be sent back as it is.
 */
export function withAutoExpanded(
  items: readonly ExpandItem[],
  { type, depth, isShown }: Showing,
  { container, caller }: Pick<Scope, 'container' | 'caller'>,
): readonly ExpandItem[] {
  const found = autoExpandedOf(type, container);
  if (found.length === 0 || depth > maxExpandDepth(type)) return items;
  const asked = new Set(
    items.map(({ path }) =>
      shownName(
        path
          .map(({ name }) => name)
          .filter((name) => !name.startsWith('$'))
          .join('/'),
      ),
    ),
  );
  const added = found.filter(
    (one) => !asked.has(shownName(one.path)) && isSeen(one, container, caller) && isShown(one.path.slice(0, one.path.lastIndexOf('/'))),
  );
  return added.length === 0 ? items : [...items, ...added.map((one) => withReferences(one, depth, { container, caller }))];
}

/** Whether items of a collection, or of what lies within a value, show records or references without being asked. */
export function showsInItems({ itemNavigation = {} }: EntityType, path: string): boolean {
  return Object.entries(itemNavigation).some(([name, { shows }]) => shows && shownName(name).startsWith(`${shownName(path)}/`));
}

/** A navigation property of items of a type, or of one that derives from it, and how it is asked for. */
interface AutoExpanded {
  readonly owner: EntityType;
  readonly path: string;
  /** Of what leads to records of any type those to each set. */
  readonly navigations: readonly ItemNavigation[];
  readonly item: ExpandItem;
}

const known = new WeakMap<EntityType, readonly AutoExpanded[]>();

// Looked for once a type, of which most have none.
function autoExpandedOf(type: EntityType, container: EntityContainer): readonly AutoExpanded[] {
  const found = known.get(type) ?? findAutoExpanded(type, container);
  known.set(type, found);
  return found;
}

function findAutoExpanded(type: EntityType, container: EntityContainer): readonly AutoExpanded[] {
  const owners = [type, ...derivedTypesOf(type, container)];
  return owners.flatMap((owner) => {
    const bases = owners.filter(({ qualifiedName }) => owner.baseTypes?.includes(qualifiedName));
    const declared = Object.entries(owner.itemNavigation ?? {}).filter(
      ([path, { shows, expandable }]) =>
        shows && expandable !== false && !bases.some(({ itemNavigation }) => own(itemNavigation ?? {}, path)),
    );
    const paths = new Set(declared.map(([path]) => anyNameOf(owner, path) ?? path));
    return [...paths].map((path) => {
      const navigations = declared.filter(([one]) => (anyNameOf(owner, one) ?? one) === path).map(([, navigation]) => navigation);
      const names = [
        ...(owner === type ? [] : [owner.qualifiedName]),
        ...path.split('/'),
        ...(navigations[0]?.shows === 'references' ? ['$ref'] : []),
      ];
      return { owner, path, navigations, item: { path: names.map((name) => ({ name, at: 0 })), options: {} } };
    });
  });
}

// A record that an item contains is written anew with the item, so that the references which only the service keeps must stand in it, too.
function withReferences(
  { navigations: [navigation], item }: AutoExpanded,
  depth: number,
  { container, caller }: Pick<Scope, 'container' | 'caller'>,
): ExpandItem {
  if (navigation === undefined) return item;
  const target = targetOf(container, navigation);
  if (navigation.shows !== 'records' || depth >= maxExpandDepth(target)) return item;
  const owners = [target, ...derivedTypesOf(target, container)];
  const isSeenIn = (owner: EntityType, path: string, to: Navigation): boolean =>
    isKept(to) && !isHidden(owner, path.split('/')[0] ?? '', caller) && accessTo(targetOf(container, to), 'read', caller).allowed;
  const expand = owners.flatMap((owner) => {
    const bases = owners.filter(({ qualifiedName }) => owner.baseTypes?.includes(qualifiedName));
    const paths = Object.entries(owner.navigation).filter(
      ([path, to]) => isSeenIn(owner, path, to) && !bases.some((base) => own(base.navigation, path)),
    );
    return paths.map(([path]) => ({
      path: [...(owner === target ? [] : [owner.qualifiedName]), ...path.split('/'), '$ref'].map((name) => ({ name, at: 0 })),
      options: {},
    }));
  });
  return expand.length === 0 ? item : { ...item, options: { expand } };
}

// What properties say stands in the record anyway.
function isKept({ join, through, contains, container, follows, expandable }: Navigation): boolean {
  return (
    !contains &&
    !container &&
    !follows &&
    expandable !== false &&
    (through !== undefined || Object.keys(join).some((column) => column.startsWith('#')))
  );
}

// What $apply has made may have no such items any more.
function isSeen({ owner, path, navigations }: AutoExpanded, container: EntityContainer, caller: Caller): boolean {
  const [root = ''] = path.split('/');
  return (
    fieldOf(owner, root) !== undefined &&
    !isHidden(owner, root, caller) &&
    navigations.some((navigation) => accessTo(targetOf(container, navigation), 'read', caller).allowed)
  );
}
