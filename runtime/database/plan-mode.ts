import type { Statement } from '../sql/statement.js';

/** How PostgreSQL plans the named statements of a connection (`plan_cache_mode`): one plan may serve any values, or each execution has its own. */
type PlanMode = 'auto' | 'force_custom_plan';

// A connection is in the usual mode until it is told otherwise.
const modes = new WeakMap<object, PlanMode>();

/**
 * What a statement needs. A filter that comes again is parsed once and planned for its values each time: the plan for
 * any values can cost thousands of times as much.
 */
export function planModeFor({ reusable }: Statement): PlanMode {
  return reusable ? 'auto' : 'force_custom_plan';
}

/** The mode that a connection is in. */
export function planModeOf(connection: object): PlanMode {
  return modes.get(connection) ?? 'auto';
}

/** Notes a change that the server has committed. */
export function notePlanMode(connection: object, mode: PlanMode): void {
  modes.set(connection, mode);
}

/** The statement that changes it. */
export function setPlanMode(mode: PlanMode): string {
  return `SET plan_cache_mode TO ${mode}`;
}
