import type { ExpandItem, SelectPath } from '../uri/query-options.js';
import type { Selected } from './complex-shape.js';
import type { PropertyTarget } from './plan-path.js';
import type { Selection } from './read-plan.js';

/** The names that lead from the record to a single complex value, without casts; none for other properties. */
export function valuePath({ name, field, dynamic }: PropertyTarget): readonly string[] {
  if (field.complex === undefined || field.collection || dynamic) return [];
  return name.split('/').filter((part) => !part.includes('.'));
}

/** Everything of the property that the value lies in. */
export function wholeOf([name = '']: readonly string[]): SelectPath {
  return { kind: 'member', at: 0, path: [{ name, at: 0 }] };
}

/** An item of `$expand` at a value's address as one at that of its record, whose streams and navigation properties they are. */
export function itemsWithin(item: ExpandItem, within: readonly string[], { type }: PropertyTarget): readonly ExpandItem[] {
  const [first, ...rest] = item.path;
  if (first === undefined) return [];
  const before = within.map((name) => ({ name, at: first.at }));
  if (first.name !== '*') return [{ ...item, path: [...before, ...item.path] }];
  return Object.keys(type.navigation).flatMap((path) => (isIn(path, within) ? [{ ...item, path: [...before, { ...first, name: lastOf(path) }, ...rest] }] : []));
}

/** What a selection tells of the streams and expansions of the value, as members of the value itself. */
export function shownWithin({ streams = [] }: Selection, within: readonly string[], selected: Selected): Pick<Selection, 'streams'> {
  return { streams: streams.filter(({ name, inline }) => isBeneath(name, within) && (inline || isSelected(name.split('/').slice(within.length), selected))) };
}

function isSelected([name = '', ...deeper]: readonly string[], selected: Selected): boolean {
  if (selected === 'all') return true;
  const inner = selected.get(name);
  return inner !== undefined && (deeper.length === 0 || isSelected(deeper, inner));
}

function isBeneath(path: string, within: readonly string[]): boolean {
  return path.startsWith(`${within.join('/')}/`);
}

function isIn(path: string, within: readonly string[]): boolean {
  return isBeneath(path, within) && path.split('/').length === within.length + 1;
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
