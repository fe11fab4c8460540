import type { EntityContainer } from '../edm/index.js';
import { nestedNavigationOf } from './path/nested-path.js';
import type { ExpandItem, SelectPath } from '../uri/query-options.js';
import type { Selected } from './complex-shape.js';
import type { PropertyTarget } from './path-target.js';
import type { Selection } from './read-plan.js';
import { withoutOrdinals } from './item-step.js';
import { shownName, shownPath } from './shown-path.js';

/** The path from the entity to a single complex value, without casts; undefined for other properties and for items. */
export function valuePath({ name, field, dynamic, items }: PropertyTarget): readonly string[] {
  if (field.complex === undefined || field.collection || dynamic || items) return [];
  return name.split('/').filter((part) => !part.includes('.'));
}

/** Everything of the property that the value lies in. */
export function wholeOf([name = '']: readonly string[]): SelectPath {
  return { kind: 'member', at: 0, path: [{ name, at: 0 }] };
}

/**
 * An item of `$expand` at a value's address, rewritten for the entity, to which streams and navigation properties
 * belong; the address has its casts.
 */
export function itemsWithin(item: ExpandItem, { name, type }: PropertyTarget, container: EntityContainer): readonly ExpandItem[] {
  const [first, ...rest] = item.path;
  if (first === undefined) return [];
  const before = withoutOrdinals(name.split('/')).map((part) => ({ name: part, at: first.at }));
  if (first.name !== '*') return [{ ...item, path: [...before, ...item.path] }];
  const within = before.map((part) => part.name);
  const own = Object.keys(type.navigation).filter((path) => nestedNavigationOf(type, [...within, lastOf(path)], container)?.path === path);
  return own.map((path) => ({ ...item, path: [...before, { ...first, name: lastOf(path) }, ...rest] }));
}

/** The selected streams and expansions of the value, as its members. */
export function shownWithin({ streams = [] }: Selection, within: readonly string[], selected: Selected): Pick<Selection, 'streams'> {
  return {
    streams: streams.filter(
      ({ name, inline }) => isBeneath(shownName(name), within) && (inline || isSelected(shownPath(name).slice(within.length), selected)),
    ),
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
