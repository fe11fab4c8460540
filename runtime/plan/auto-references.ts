import { fieldOf, targetOf, type EntityType } from '../edm/index.js';
import type { ExpandItem } from '../uri/query-options.js';
import { accessTo, isHidden } from './caller.js';
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
 * What is expanded, and the references that items show without being asked for (Core.AutoExpandReferences), as far as the
 * caller may see where they lead. An answer then holds all that the items do, and may be sent back as it is.
 */
export function withAutoReferences(items: readonly ExpandItem[], { type, depth, isShown }: Showing, { container, caller }: Pick<Scope, 'container' | 'caller'>): readonly ExpandItem[] {
  if (type.itemNavigation === undefined || depth > maxExpandDepth(type)) return items;
  const asked = new Set(items.map(({ path }) => shownName(path.map(({ name }) => name).filter((name) => !name.startsWith('$')).join('/'))));
  const added = Object.entries(type.itemNavigation).filter(([path, navigation]) => {
    if (!navigation.references || navigation.expandable === false || asked.has(shownName(path))) return false;
    const [root = ''] = path.split('/');
    // What $apply has made may have no such items any more.
    if (fieldOf(type, root) === undefined || isHidden(type, root, caller)) return false;
    return accessTo(targetOf(container, navigation), 'read', caller).allowed && isShown(path.slice(0, path.lastIndexOf('/')));
  });
  return added.length === 0 ? items : [...items, ...added.map(([path]) => referenceItem(path))];
}

/** Whether items of a collection, or of what lies within a value, show references without being asked. */
export function showsReferences({ itemNavigation = {} }: EntityType, path: string): boolean {
  return Object.entries(itemNavigation).some(([name, { references }]) => references && shownName(name).startsWith(`${shownName(path)}/`));
}

function referenceItem(path: string): ExpandItem {
  return { path: [...path.split('/'), '$ref'].map((name) => ({ name, at: 0 })), options: {} };
}
