import type { Statement } from '../sql/statement.js';

/**
 * How PostgreSQL plans what a connection prepares (`plan_cache_mode`): each execution for its values, or one plan for any;
 * left to itself it guesses from five executions. What has no name is planned like what has one.
 */
export type PlanMode = 'auto' | 'force_custom_plan' | 'force_generic_plan';

// A connection is in the usual mode until it is told otherwise.
const modes = new WeakMap<object, PlanMode>();

const anyPlan: readonly PlanMode[] = ['auto', 'force_generic_plan'];
const keptPlan: readonly PlanMode[] = ['force_generic_plan'];
const ownPlan: readonly PlanMode[] = ['force_custom_plan'];
const firstPlan: readonly PlanMode[] = ['auto', 'force_custom_plan'];

/**
 * The modes that a statement may run in, the one to change to first. A filter that comes again is parsed once and planned
 * for its values each time, since the plan for any values can cost thousands of times as much, unless it is known
 * (`plan-choice.ts`) that one plan serves them all.
 */
export function planModesFor({ reusable }: Statement, name: string | undefined, isKept: boolean): readonly PlanMode[] {
  if (reusable) return anyPlan;
  if (name === undefined) return firstPlan;
  return isKept ? keptPlan : ownPlan;
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
