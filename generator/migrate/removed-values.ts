import { nearestOf } from '../../runtime/errors/suggest.js';
import type { ValueMember, Column } from '../../runtime/schema/schema.js';
import type { Decisions, Problem } from './step.js';

/** Columns and members with a closed list. */
export type Listed = Pick<ValueMember, 'allowed'>;

/** The values of a closed list that the new one lacks; none where one of the lists is unknown or open. */
export function removedValues({ allowed: before }: Listed, { allowed: after }: Listed): readonly string[] {
  const now = new Set(after);
  return before === undefined || after === undefined ? [] : before.filter((value) => !now.has(value));
}

/** New values by removed ones, as decided. */
export function renamedValues(path: string, before: Listed, after: Listed, { renamed }: Decisions): ReadonlyMap<string, string> {
  return new Map(
    removedValues(before, after).flatMap((value) => {
      const to = renamed.get(`${path}/${value}`);
      return to !== undefined && after.allowed?.includes(to) ? [[value, to] as const] : [];
    }),
  );
}

/** A removed value that a new one resembles. The message ends before the alternative, which names the path. */
interface ValueQuestion extends Problem {
  readonly value: string;
  /** Its path, as a shell reads it. */
  readonly path: string;
}

/** The removed values of a property or member that new ones resemble, unless decided. */
export function valueQuestions(
  { table, column }: { readonly table: string; readonly column: string },
  before: Listed,
  after: Listed,
  { renamed, dropped }: Decisions,
): readonly ValueQuestion[] {
  const removed = removedValues(before, after);
  const added = removedValues(after, before);
  return removed.flatMap((value): readonly ValueQuestion[] => {
    const path = `${table}/${column}/${value}`;
    const candidate = removed.length === 1 && added.length === 1 ? added[0] : nearestOf(value, added);
    if (candidate === undefined || renamed.has(path) || dropped.has(path)) return [];
    const message = `${table}/${column}: the value '${value}' was removed, and '${candidate}' is new. If it was renamed, write --renamed-value ${shell(`${path}=${candidate}`)};`;
    return [{ kind: 'rename', table, column: `${column}/${value}`, candidate, message, value, path: shell(path) }];
  });
}

function shell(text: string): string {
  return /^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

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
