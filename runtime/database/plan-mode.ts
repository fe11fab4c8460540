import type { Statement } from '../sql/statement.js';

/**
 * A connection's planning of prepared statements (`plan_cache_mode`): a custom plan for each execution, or a generic
 * one; `auto` decides after five executions. Unnamed statements are planned alike.
 */
export type PlanMode = 'auto' | 'force_custom_plan' | 'force_generic_plan';

// A connection is in the default mode until it is changed.
const modes = new WeakMap<object, PlanMode>();

const anyPlan: readonly PlanMode[] = ['auto', 'force_generic_plan'];
const keptPlan: readonly PlanMode[] = ['force_generic_plan'];
const ownPlan: readonly PlanMode[] = ['force_custom_plan'];
const firstPlan: readonly PlanMode[] = ['auto', 'force_custom_plan'];

/**
 * The modes in which a statement may run, preferred one first. A recurring filter is parsed once and planned for its
 * values each time, since the generic plan can cost thousands of times as much, unless the comparison
 * (`plan-choice.ts`) has shown that one plan serves all.
 */
export function planModesFor({ reusable }: Statement, name: string | undefined, isKept: boolean): readonly PlanMode[] {
  if (reusable) return anyPlan;
  if (name === undefined) return firstPlan;
  return isKept ? keptPlan : ownPlan;
}

/** The current mode of a connection. */
export function planModeOf(connection: object): PlanMode {
  return modes.get(connection) ?? 'auto';
}

/** Records a committed change of mode. */
export function notePlanMode(connection: object, mode: PlanMode): void {
  modes.set(connection, mode);
}

/** The statement that changes the mode. */
export function setPlanMode(mode: PlanMode): string {
  return `SET plan_cache_mode TO ${mode}`;
}
