import { parseArgs } from 'node:util';
import { drills, type DrillOutcome } from './drills.js';

const { values } = parseArgs({ options: { crashes: { type: 'string', default: '10' }, only: { type: 'string' } } });
const chosen = Object.entries(drills).filter(([name]) => values.only === undefined || name.includes(values.only));
if (chosen.length === 0) throw new Error(`--only ${values.only} names no drill; there are: ${Object.keys(drills).join(', ')}.`);

console.log('drill                    rounds  acknowledged  503  no answer  other  longest pause  lost or torn');
for (const [, drill] of chosen) {
  const outcome = await drill(Number(values.crashes));
  console.log(row(outcome));
  if (outcome.faults.length > 0) process.exitCode = 1;
  outcome.faults.slice(0, 10).forEach((fault) => console.log(`  ${fault}`));
}

function row({ title, rounds, record, longest, faults }: DrillOutcome): string {
  const count = (status: number): number => record.statuses.get(status) ?? 0;
  const other = [...record.statuses].filter(([status]) => ![201, 503, 0].includes(status)).reduce((sum, [, number]) => sum + number, 0);
  const cells = [[String(rounds), 6], [String(record.acknowledged.size), 12], [String(count(503)), 3], [String(count(0)), 9], [String(other), 5], [`${Math.round(longest)} ms`, 13], [faults.length === 0 ? 'none' : String(faults.length), 12]] as const;
  return [title.padEnd(23), ...cells.map(([text, width]) => text.padStart(width))].join('  ');
}
