import type { Batch, BatchUnit } from './batch.js';
import { batchLimits } from './limits.js';
import { addOutcomes, isSuccess, type Outcome } from './outcomes.js';
import { runGroup } from './run-group.js';
import { runPart, type BatchRun } from './run-part.js';

/** What came of a unit. */
export interface UnitOutcome {
  readonly unit: BatchUnit;
  readonly outcomes: readonly Outcome[];
}

/**
 * Carries out a batch: each unit when those before it are done, independent ones side by side. After a failure nothing
 * new begins, unless the batch continues; what was not begun has no outcome.
 */
export async function runBatch({ units }: Batch, run: BatchRun, continues: boolean): Promise<readonly UnitOutcome[]> {
  const done: UnitOutcome[] = [];
  // Beside one that fails another would have been carried out that is to be left.
  const slots = createSlots(continues ? batchLimits.parallel : 1);
  const running = new Map<BatchUnit, Promise<void>>();
  let hasFailed = false;
  const carryOut = async (unit: BatchUnit): Promise<void> => {
    await Promise.all(unit.after.map((before) => running.get(before)));
    const release = await slots();
    try {
      if (hasFailed && !continues) return;
      const outcomes = unit.group === undefined ? await allEnded(unit.parts.map((part) => runPart(part, run))) : await runGroup(unit, run);
      hasFailed ||= !outcomes.every(({ response }) => isSuccess(response));
      addOutcomes(run.outcomes, unit, outcomes);
      done.push({ unit, outcomes });
    } finally {
      release();
    }
  };
  // The units before one have been seen when it comes.
  for (const unit of units) running.set(unit, carryOut(unit));
  await allEnded([...running.values()]);
  return done.sort((a, b) => units.indexOf(a.unit) - units.indexOf(b.unit));
}

// One that fails ends the batch, but not before the others: their writes would go on behind the answer.
async function allEnded<Ended>(work: readonly Promise<Ended>[]): Promise<Ended[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

type Release = () => void;

// Whoever finds no slot waits in line, so that a batch does not take every connection of the pool.
function createSlots(size: number): () => Promise<Release> {
  let free = size;
  const waiting: (() => void)[] = [];
  const release: Release = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    return release;
  };
}
