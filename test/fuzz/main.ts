import { parseArgs } from 'node:util';
import { longest, longestShared, runFuzz } from './fuzz.js';

const { values } = parseArgs({ options: { inputs: { type: 'string', default: '100000' }, seed: { type: 'string', default: String(Date.now() % 1_000_000_000) }, shared: { type: 'boolean' }, costliest: { type: 'string', default: '0' } } });
// `--shared` for a machine that others use too; `--costliest N` tells what took longest.
const { inputs, statuses, slowest, growth, faults, costliest } = await runFuzz(Number(values.inputs), Number(values.seed), { allowed: values.shared ? longestShared : longest, told: Number(values.costliest) });
console.log(`seed ${values.seed}: ${inputs} inputs; ${[...statuses].toSorted().map(([status, count]) => `${status}: ${count}`).join(', ')}`);
console.log(`slowest ${slowest.toFixed(2)} ms of processor time; heap ${(growth / 1024 / 1024).toFixed(1)} MiB`);
if (costliest.length > 0) console.log(`${costliest.join('\n\n')}\n`);
if (faults.length > 0) {
  console.log(faults.join('\n\n'));
  process.exitCode = 1;
}
