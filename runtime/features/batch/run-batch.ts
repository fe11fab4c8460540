import type { Batch, BatchUnit } from './batch.js';
import { batchLimits } from './limits.js';
import { addOutcomes, isSuccess, type Outcome } from './outcomes.js';
import { runGroup } from './run-group.js';
import { runPart, type BatchRun } from './run-part.js';

/** The outcomes of a unit. */
export interface UnitOutcome {
  readonly unit: BatchUnit;
  readonly outcomes: readonly Outcome[];
}

/**
 * Runs a batch: each unit after those that it depends on, independent ones in parallel. After a failure no unit starts,
 * unless the batch continues; such units have no outcome.
 */
export async function runBatch({ units }: Batch, run: BatchRun, continues: boolean): Promise<readonly UnitOutcome[]> {
  const done: UnitOutcome[] = [];
  // Without continue-on-error a parallel unit might run after the failure.
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
  // The units that one depends on come earlier in the list.
  for (const unit of units) running.set(unit, carryOut(unit));
  await allEnded([...running.values()]);
  return done.sort((a, b) => units.indexOf(a.unit) - units.indexOf(b.unit));
}

// A failure ends the batch only when all running units have ended: their writes would continue after the answer.
async function allEnded<Ended>(work: readonly Promise<Ended>[]): Promise<Ended[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

type Release = () => void;

// Units wait for a slot, so that a batch does not take every connection of the pool.
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
