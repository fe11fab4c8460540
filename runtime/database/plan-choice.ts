import type { Bind } from '../sql/statement.js';

/**
 * Whether one plan may serve a statement whatever its values are. Planning takes as long as many a statement itself; but a
 * plan for any values is only kept where planning for values came to the same several times in a row, and is given up
 * where planning for the values of a slow run comes to another.
 */
export interface PlanChoice {
  /** How often the statement has run. */
  runs: number;
  /** How often in a row planning for values has come to the plan for any. */
  agreed: number;
  /** Whether that one is kept. */
  isKept: boolean;
  /** When the two are to be compared again, in milliseconds of the process. */
  again: number;
  /** How long a run takes with the plan that is kept, in milliseconds: the mean, of which the last ones are most. */
  usual: number;
  /** The values of a slow run, for which the plans are to be compared next. */
  doubted: readonly Bind[] | undefined;
  /** Until when a slow run raises no doubt, in milliseconds of the process. */
  trusted: number;
}

/** Runs from which on comparing is worth it, since it takes as long as planning twice. */
const firstComparison = 8;
/** Sets of values for which planning must have come to the same. */
const enough = 3;
/** Milliseconds after which data may have become others. */
const validity = 10 * 60_000;
/** A run is slow that takes so many milliseconds, and so many times as long as usual. */
const slow = { least: 20, times: 10 };
/** Milliseconds without doubt after one: on a machine that has too much to do every run is slow, and the plans are not to blame. */
const trust = 1_000;

/** The choice for a statement that has not run yet: to plan for its values. */
export function newChoice(): PlanChoice {
  return { runs: 0, agreed: 0, isKept: false, again: 0, usual: 0, doubted: undefined, trusted: 0 };
}

/** The values to compare the plans for before a run with these; none where it is not time to. Nobody else compares meanwhile. */
export function takeComparison(choice: PlanChoice, values: readonly Bind[], now: number): readonly Bind[] | undefined {
  const { doubted = values } = choice;
  if (choice.runs < firstComparison || now < choice.again) return undefined;
  Object.assign(choice, { again: Infinity, doubted: undefined, trusted: now + trust });
  return doubted;
}

/** Notes what the comparison has shown. */
export function noteComparison(choice: PlanChoice, isSame: boolean, now: number): void {
  choice.agreed = isSame ? choice.agreed + 1 : 0;
  choice.isKept = choice.agreed >= enough;
  choice.again = isSame && !choice.isKept ? now : now + validity;
}

/** Notes that the statement has run with these values, and for how many milliseconds. */
export function noteRun(choice: PlanChoice, values: readonly Bind[], milliseconds: number, now: number): void {
  choice.runs += 1;
  if (!choice.isKept) return;
  const { usual } = choice;
  const isSlow = usual > 0 && milliseconds >= Math.max(slow.least, slow.times * usual);
  if (!isSlow) choice.usual = usual === 0 ? milliseconds : 0.9 * usual + 0.1 * milliseconds;
  else if (now >= choice.trusted && choice.again !== Infinity) Object.assign(choice, { again: now, doubted: values });
}
