import type { Selection } from '../plan/read-plan.js';
import { byFirstName, shownPath } from '../plan/shown-path.js';

/**
 * The names of a result of `$apply` for context URLs, with nested names for paths; for whole entities only the
 * additional ones.
 */
export function appliedNames({ columns, keyColumns }: Selection, selected: boolean): readonly string[] {
  const shown = columns.filter(({ hidden }) => !hidden);
  const added = shown.filter(({ name, dynamic }) => dynamic || shownPath(name).length > 1);
  if (keyColumns.length === 0 || selected) return nest(shown.flatMap(({ name, paths = [name] }) => paths.map(shownPath)));
  return added.length === 0 ? [] : ['*', ...nest(added.map(({ name }) => shownPath(name)))];
}

function nest(paths: readonly (readonly string[])[]): readonly string[] {
  return [...byFirstName(paths, (path) => path)].map(([name, own]) => {
    const inner = nest(own.filter((path) => path.length > 1).map((path) => path.slice(1)));
    return inner.length === 0 ? name : `${name}(${inner.join(',')})`;
  });
}
