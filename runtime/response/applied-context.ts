import type { Selection } from '../plan/read-plan.js';
import { contextPath, expandProjection } from './context-url.js';

/** The context URL of a set that `$apply` made (Data Aggregation 3.1.1): `$metadata#Property(ListAgent(MemberLastName),Total)`. */
export function appliedContextUrl(root: string, selection: Selection, selected: boolean): string {
  const items = [...namesOf(selection, selected), ...selection.expands.map(expandProjection)];
  return `${root}/$metadata#${contextPath(selection)}${items.length === 0 ? '' : `(${items.join(',')})`}`;
}

// Whole records name only what they have beyond the model.
function namesOf({ columns, keyColumns }: Selection, selected: boolean): readonly string[] {
  const shown = columns.filter(({ hidden }) => !hidden);
  const added = shown.filter(({ name, dynamic }) => dynamic || name.includes('/'));
  if (keyColumns.length === 0 || selected) return nest(shown.map(({ name }) => name.split('/')));
  return added.length === 0 ? [] : ['*', ...nest(added.map(({ name }) => name.split('/')))];
}

function nest(paths: readonly (readonly string[])[]): readonly string[] {
  const names = [...new Set(paths.map(([name = '']) => name))];
  return names.map((name) => {
    const inner = nest(paths.filter(([first, next]) => first === name && next !== undefined).map((path) => path.slice(1)));
    return inner.length === 0 ? name : `${name}(${inner.join(',')})`;
  });
}
