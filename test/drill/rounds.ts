import { setTimeout as delay } from 'node:timers/promises';
import type { ServeProcess } from '../operation/serve-process.js';
import { until } from '../operation/until.js';
import { emptyRecord, startLoad, type LoadRecord, type Target } from './load.js';
import { end } from './place.js';
import { lostOrTorn } from './verify.js';

/** The outcome of a drill. */
export interface DrillOutcome {
  readonly title: string;
  readonly rounds: number;
  readonly record: LoadRecord;
  /** The longest time from a blow to the next acknowledged write, in milliseconds. */
  readonly ready: number;
  readonly faults: readonly string[];
}

/** The permitted consequences of a blow for clients, and other faults. */
interface Blow {
  readonly status: readonly number[];
  /** The time when the service could write again, by the process's clock; by default that of the blow. */
  readonly mended?: number;
  readonly fault?: string;
}

/** Strikes a service repeatedly while four writers write, and verifies afterwards what it kept. */
export async function strikeRepeatedly(
  title: string,
  rounds: number,
  target: Target,
  blow: (record: LoadRecord) => Promise<Blow>,
): Promise<DrillOutcome> {
  const record = emptyRecord();
  const load = startLoad(target, record);
  const faults: string[] = [];
  let ready = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      const struck = await strike(record, blow);
      ready = Math.max(ready, struck.ready);
      faults.push(...struck.faults.map((fault) => `round ${round}: ${fault}`));
    }
  } finally {
    await load.stop();
  }
  return { title, rounds, record, ready, faults: [...faults, ...(await lostOrTorn(target, record))] };
}

async function strike(record: LoadRecord, blow: (record: LoadRecord) => Promise<Blow>): Promise<Pick<DrillOutcome, 'ready' | 'faults'>> {
  await acknowledgedAfter(record, performance.now());
  await delay(Math.random() * 300);
  const struck = performance.now();
  const { status, mended = struck, fault } = await blow(record);
  const ready = (await acknowledgedAfter(record, performance.now())) - mended;
  const strange = [...record.statuses.keys()].filter((each) => !status.includes(each));
  return {
    ready,
    faults: [...(fault === undefined ? [] : [fault]), ...(strange.length === 0 ? [] : [`answered with ${strange.join(', ')}`])],
  };
}

/** Waits until clients have been refused some more times, as they are while the database cannot write. */
export async function untilRefused(record: LoadRecord): Promise<void> {
  const refused = (): number => record.statuses.get(503) ?? 0;
  const before = refused();
  await until(async () => refused() >= before + 8);
}

/** Stops a service after some work; fails with its output when it ends by itself. */
export async function whileServing<Result>(served: ServeProcess, work: Promise<Result>): Promise<Result> {
  const ended = served.ended.then((code) => {
    throw new Error(`The service ended with ${code}: ${served.log()}`);
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    // A running service would keep its resources.
    await end(served);
  }
}

// When the first write was acknowledged after a moment.
async function acknowledgedAfter(record: LoadRecord, moment: number): Promise<number> {
  const given = performance.now() + 60_000;
  while (record.last <= moment) {
    if (performance.now() > given) throw new Error('Nothing was written for a minute.');
    await delay(5);
  }
  return record.last;
}
