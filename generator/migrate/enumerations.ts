import type { Column } from '../../runtime/schema/schema.js';
import type { Decisions, Problem } from './step.js';

/** Members of an enumeration whose numbers rows store, and that are removed or have another number. */
export function changedMembers(
  { table, column }: Pick<Problem, 'table'> & { readonly column: string },
  old: Column['members'],
  wanted: Column['members'],
  { allowLossy, dropped }: Decisions,
): readonly Problem[] {
  const path = `${table}/${column}`;
  if (old === undefined || wanted === undefined || allowLossy || dropped.has(path)) return [];
  const now = new Map(Object.entries(wanted));
  const shown = new Set(now.values());
  return Object.entries(old).flatMap(([name, value]): readonly Problem[] => {
    const number = now.get(name);
    // Under another name the number still means the same.
    if (number === value || (number === undefined && shown.has(value)) || dropped.has(`${path}/${name}`)) return [];
    const what =
      number === undefined
        ? `${name} (${value}) was removed, but rows may have its number`
        : `${name} changed from ${value} to ${number}, but rows have the old number`;
    const message = `${path}: ${what}. Restore the member; or write the update of the rows as a separate migration, and --dropped ${path}/${name} for this member, or --allow-lossy.`;
    return [{ kind: 'lossy', table, column, message }];
  });
}
