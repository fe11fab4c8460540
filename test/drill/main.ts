import { drills } from './drills.js';
import type { DrillOutcome } from './rounds.js';
import { scriptOptions } from '../support/script-options.js';

/** Milliseconds from a blow to the next acknowledged write. */
const readyWithin = 3_000;

const { crashes, only } = scriptOptions('drill', {
  crashes: { unless: 10, says: 'how often each is struck' },
  only: { unless: '', says: 'the drills whose titles have this in them' },
});
const chosen = drills.filter(({ title }) => title.includes(only));
if (chosen.length === 0) throw new Error(`--only ${only} names no drill; there are: ${drills.map(({ title }) => title).join(', ')}.`);

console.log('drill                    rounds  acknowledged   503  no answer  other  ready after  lost or torn');
for (const { title, play, unable } of chosen) {
  const why = unable?.();
  if (why !== undefined) console.log(`${title.padEnd(23)}  not played: ${why}`);
  else report(await play(title, crashes));
}

function report(outcome: DrillOutcome): void {
  const late =
    outcome.ready > readyWithin ? [`it was ready only after ${Math.round(outcome.ready)} ms, and ${readyWithin} are allowed`] : [];
  const faults = [...outcome.faults, ...late];
  console.log(row(outcome));
  if (faults.length > 0) process.exitCode = 1;
  faults.slice(0, 10).forEach((fault) => console.log(`  ${fault}`));
}

function row({ title, rounds, record, ready, faults }: DrillOutcome): string {
  const count = (status: number): number => record.statuses.get(status) ?? 0;
  const other = [...record.statuses].filter(([status]) => ![201, 503, 0].includes(status)).reduce((sum, [, number]) => sum + number, 0);
  const cells = [
    [String(rounds), 6],
    [String(record.acknowledged.size), 12],
    [String(count(503)), 4],
    [String(count(0)), 9],
    [String(other), 5],
    [`${Math.round(ready)} ms`, 11],
    [faults.length === 0 ? 'none' : String(faults.length), 12],
  ] as const;
  return [title.padEnd(23), ...cells.map(([text, width]) => text.padStart(width))].join('  ');
}
