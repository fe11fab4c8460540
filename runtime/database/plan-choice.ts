/**
 * Whether one plan may serve a statement whatever its values are. Planning takes as long as many a statement itself; but a
 * plan for any values is only kept where planning for values came to the same several times in a row, and is given up
 * where it turns out slow.
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
  /** Grows with a slow run, and falls again with others. */
  slowness: number;
}

/** Runs from which on comparing is worth it, since it takes as long as planning twice. */
const firstComparison = 8;
/** Sets of values for which planning must have come to the same. */
const enough = 3;
/** Milliseconds after which data may have become others. */
const validity = 10 * 60_000;
/** A run is slow that takes so many milliseconds, and so many times as long as usual; two among so many runs are too many, and one may have other causes. */
const slow = { least: 20, times: 10, among: 100 };

/** The choice for a statement that has not run yet: to plan for its values. */
export function newChoice(): PlanChoice {
  return { runs: 0, agreed: 0, isKept: false, again: 0, usual: 0, slowness: 0 };
}

/** Whether the plans are to be compared before the next run. Nobody else compares meanwhile. */
export function takeComparison(choice: PlanChoice, now: number): boolean {
  if (choice.runs < firstComparison || now < choice.again) return false;
  choice.again = Infinity;
  return true;
}

/** Notes what the comparison has shown. */
export function noteComparison(choice: PlanChoice, isSame: boolean, now: number): void {
  choice.agreed = isSame ? choice.agreed + 1 : 0;
  choice.isKept = choice.agreed >= enough;
  choice.again = isSame && !choice.isKept ? now : now + validity;
}

/** Notes that the statement has run, and for how many milliseconds. */
export function noteRun(choice: PlanChoice, milliseconds: number, now: number): void {
  choice.runs += 1;
  if (!choice.isKept) return;
  const { usual } = choice;
  const isSlow = usual > 0 && milliseconds >= Math.max(slow.least, slow.times * usual);
  choice.slowness = isSlow ? choice.slowness + slow.among : Math.max(0, choice.slowness - 1);
  if (!isSlow) choice.usual = usual === 0 ? milliseconds : 0.9 * usual + 0.1 * milliseconds;
  if (choice.slowness > slow.among) Object.assign(choice, { agreed: 0, isKept: false, again: now + validity, usual: 0, slowness: 0 });
}
