import type { Bind, Statement } from '../sql/statement.js';

/**
 * Whether one generic plan may serve a statement. Planning takes as long as many a statement; but a generic plan is
 * kept only after custom planning gave the same plan several times in a row, and is given up when custom planning for
 * the values of a slow run differs.
 */
export interface PlanChoice {
  runs: number;
  /** The number of consecutive comparisons with equal plans. */
  agreed: number;
  isKept: boolean;
  /** The time of the next comparison, in milliseconds of the process; none is due before it. */
  again: number;
  /** The usual run time with the generic plan, in milliseconds: a mean weighted to recent runs. */
  usual: number;
  /** The values of a slow run, which the next comparison uses. */
  doubted: readonly Bind[] | undefined;
  /** The end of the time in which slow runs are ignored, in milliseconds of the process. */
  trusted: number;
}

/** The run from which comparing pays off, since it takes two plannings. */
const firstComparison = 8;
/** The number of equal comparisons that are required. */
const enough = 3;
/** Milliseconds after which data may have changed. */
export const validity = 10 * 60_000;
/** The minimum milliseconds of a slow run, and the multiple of the usual time. */
const slow = { least: 20, times: 10 };
/** Milliseconds without comparisons after one: on an overloaded machine every run is slow. */
const trust = 1_000;

/** The choice for a new statement: custom plans. */
export function newChoice(): PlanChoice {
  return { runs: 0, agreed: 0, isKept: false, again: Infinity, usual: 0, doubted: undefined, trusted: 0 };
}

/** The values for a comparison before this run; undefined when none is due. No one else compares meanwhile. */
export function takeComparison(choice: PlanChoice, values: readonly Bind[], now: number): readonly Bind[] | undefined {
  const { doubted = values } = choice;
  if (now < choice.again) return undefined;
  Object.assign(choice, { again: Infinity, doubted: undefined, trusted: now + trust });
  return doubted;
}

/** Records the result of a comparison. */
export function noteComparison(choice: PlanChoice, isSame: boolean, now: number): void {
  choice.agreed = isSame ? choice.agreed + 1 : 0;
  choice.isKept = choice.agreed >= enough;
  choice.again = isSame && !choice.isKept ? now : now + validity;
}

/** Whether the last comparison has shown that the best plan depends on the values. */
export function dependsOnValues({ agreed, isKept, again }: PlanChoice, now: number): boolean {
  return !isKept && agreed === 0 && again !== Infinity && again > now;
}

/** Records a run with its values and milliseconds. */
export function noteRun(choice: PlanChoice, values: readonly Bind[], milliseconds: number, now: number): void {
  choice.runs += 1;
  if (choice.runs === firstComparison) choice.again = 0;
  if (!choice.isKept) return;
  const { usual } = choice;
  const isSlow = usual > 0 && milliseconds >= Math.max(slow.least, slow.times * usual);
  if (!isSlow) choice.usual = usual === 0 ? milliseconds : 0.9 * usual + 0.1 * milliseconds;
  else if (now >= choice.trusted && choice.again !== Infinity) Object.assign(choice, { again: now, doubted: values });
}

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

/** All modes: a statement without a plan, or without parameters, is the same in each. */
export const anyMode: readonly PlanMode[] = ['auto', 'force_custom_plan', 'force_generic_plan'];

/**
 * The modes in which a statement may run, preferred one first. A recurring filter is parsed once and planned for its
 * values each time, since the generic plan can cost thousands of times as much, unless comparisons
 * have shown that one plan serves all.
 */
export function planModesFor({ reusable, unplanned }: Statement, name: string | undefined, isKept: boolean): readonly PlanMode[] {
  if (unplanned) return anyMode;
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
