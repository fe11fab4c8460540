import type { ValueMember } from '../../runtime/schema/schema.js';
import type { Decisions } from './step.js';

/** Columns and members with a closed list. */
type Listed = Pick<ValueMember, 'allowed'>;

/** The values of a closed list that the new one lacks; none where one of the lists is unknown or open. */
export function removedValues({ allowed: before }: Listed, { allowed: after }: Listed): readonly string[] {
  const now = new Set(after);
  return before === undefined || after === undefined ? [] : before.filter((value) => !now.has(value));
}

/** New values by removed ones, as decided. */
export function renamedValues(
  path: string,
  before: Listed,
  after: Listed,
  { renamed }: Pick<Decisions, 'renamed'>,
): ReadonlyMap<string, string> {
  return new Map(
    removedValues(before, after).flatMap((value) => {
      const to = renamed.get(`${path}/${value}`);
      return to !== undefined && after.allowed?.includes(to) ? [[value, to] as const] : [];
    }),
  );
}
