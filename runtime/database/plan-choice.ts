import type { Bind } from '../sql/statement.js';

/**
 * Whether one generic plan may serve a statement. Planning takes as long as many a statement; but a generic plan is
 * kept only after custom planning gave the same plan several times in a row, and is given up when custom planning for
 * the values of a slow run differs.
 */
export interface PlanChoice {
  /** The number of runs. */
  runs: number;
  /** The number of consecutive comparisons with equal plans. */
  agreed: number;
  /** Whether the generic plan is kept. */
  isKept: boolean;
  /** The time of the next comparison, in milliseconds of the process. */
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
const validity = 10 * 60_000;
/** The minimum milliseconds of a slow run, and the multiple of the usual time. */
const slow = { least: 20, times: 10 };
/** Milliseconds without comparisons after one: on an overloaded machine every run is slow. */
const trust = 1_000;

/** The choice for a new statement: custom plans. */
export function newChoice(): PlanChoice {
  return { runs: 0, agreed: 0, isKept: false, again: 0, usual: 0, doubted: undefined, trusted: 0 };
}

/** The values for a comparison before this run; undefined when none is due. No one else compares meanwhile. */
export function takeComparison(choice: PlanChoice, values: readonly Bind[], now: number): readonly Bind[] | undefined {
  const { doubted = values } = choice;
  if (choice.runs < firstComparison || now < choice.again) return undefined;
  Object.assign(choice, { again: Infinity, doubted: undefined, trusted: now + trust });
  return doubted;
}

/** Records the result of a comparison. */
export function noteComparison(choice: PlanChoice, isSame: boolean, now: number): void {
  choice.agreed = isSame ? choice.agreed + 1 : 0;
  choice.isKept = choice.agreed >= enough;
  choice.again = isSame && !choice.isKept ? now : now + validity;
}

/** Records a run with its values and milliseconds. */
export function noteRun(choice: PlanChoice, values: readonly Bind[], milliseconds: number, now: number): void {
  choice.runs += 1;
  if (!choice.isKept) return;
  const { usual } = choice;
  const isSlow = usual > 0 && milliseconds >= Math.max(slow.least, slow.times * usual);
  if (!isSlow) choice.usual = usual === 0 ? milliseconds : 0.9 * usual + 0.1 * milliseconds;
  else if (now >= choice.trusted && choice.again !== Infinity) Object.assign(choice, { again: now, doubted: values });
}
