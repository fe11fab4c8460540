import { anySeed, scriptOptions } from '../support/script-options.js';
import { startOracle, tellTimes } from './timing.js';
import { startClubs } from './club-databases.js';
import { startListings } from './listing-databases.js';
import { compareLogs } from './two-logs.js';
import { compareAnswers, type TwoDatabases } from './two-databases.js';
import { telling } from './welch.js';

const { cases, seed, timing, pairs } = scriptOptions('noninterference', {
  cases: { unless: 5000, says: 'how many requests' },
  seed: anySeed,
  timing: { unless: false, says: 'compares how long answers take instead of what they say' },
  pairs: { unless: 2000, says: 'of answers for each question of --timing' },
});

await (timing ? compareTimes(pairs) : compareBytes(cases));

// Half of the requests for properties that a scope hides, half for hidden entities.
async function compareBytes(cases: number): Promise<void> {
  const half = Math.ceil(cases / 2);
  await compareIn(startListings, [['read', half]]);
  await compareIn(startClubs, [
    ['reader', Math.ceil(half / 2)],
    ['worker', Math.floor(half / 2)],
  ]);
}

async function compareIn(
  start: () => Promise<TwoDatabases>,
  callers: readonly (readonly [caller: string, cases: number])[],
): Promise<void> {
  const two = await start();
  try {
    for (const [caller, cases] of callers) {
      const { telling: answered, statuses, different } = await compareAnswers(two, { cases, seed, caller });
      console.log(
        `seed ${seed}: ${cases} requests of ${caller} (${[...statuses]
          .toSorted()
          .map(([status, count]) => `${status}: ${count}`)
          .join(', ')}), ${answered} of them telling, ${different.length} answered differently`,
      );
      report(different);
      const logs = await compareLogs(two, { cases: Math.ceil(cases / 10), seed, caller });
      console.log(
        `seed ${seed}: ${logs.followed} delta links of ${caller} followed, ${logs.telling} of them to changes, deliveries of hooks after ${logs.delivered} rounds, ${logs.different.length} answered differently`,
      );
      report(logs.different);
    }
  } finally {
    await two.stop();
  }
}

function report(different: readonly string[]): void {
  if (different.length === 0) return;
  console.log(different.slice(0, 10).join('\n\n'));
  process.exitCode = 1;
}

// Whoever may see the values is the control: where even that caller's answers took the same time, nothing was measured.
async function compareTimes(pairs: number): Promise<void> {
  const service = await startOracle();
  try {
    console.log(
      `seed ${seed}: ${pairs} pairs a question; microseconds with the stored value, with another one, and Welch's t (told beyond ${telling})`,
    );
    console.log('who may not see them');
    const told = await printTimes(tellTimes(service, { pairs, caller: 'read', seed }));
    console.log('who may, until something is told');
    const control = await printTimes(tellTimes(service, { pairs, caller: 'all', seed }), 1);
    console.log(
      `${told} of the questions told something${control === 0 ? '; nothing was told to who may see the values either, so nothing was measured' : ''}`,
    );
    if (told > 0 || control === 0) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

async function printTimes(all: ReturnType<typeof tellTimes>, enough = Infinity): Promise<number> {
  let count = 0;
  for await (const { name, medians, t } of all) {
    if (Math.abs(t) >= telling) count += 1;
    console.log(
      `  ${name.padEnd(22)} ${medians.map((time) => time.toFixed(0).padStart(7)).join(' ')} ${t.toFixed(2).padStart(8)}${Math.abs(t) >= telling ? '  told' : ''}`,
    );
    if (count >= enough) break;
  }
  return count;
}
