import { anySeed, scriptOptions } from '../support/script-options.js';
import { longest, longestShared, runFuzz } from './fuzz.js';

const asked = scriptOptions('fuzz', {
  inputs: { unless: 100_000, says: 'how many' },
  seed: anySeed,
  shared: { unless: false, says: 'allows more time, on a machine that others use too' },
  costliest: { unless: 0, says: 'tells so many of the inputs that took longest' },
});
const { inputs, statuses, slowest, growth, faults, costliest } = await runFuzz(asked.inputs, asked.seed, {
  allowed: asked.shared ? longestShared : longest,
  told: asked.costliest,
});
console.log(
  `seed ${asked.seed}: ${inputs} inputs; ${[...statuses]
    .toSorted()
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')}`,
);
console.log(`slowest ${slowest.toFixed(2)} ms of processor time; heap ${(growth / 1024 / 1024).toFixed(1)} MiB`);
if (costliest.length > 0) console.log(`${costliest.join('\n\n')}\n`);
if (faults.length > 0) {
  console.log(faults.join('\n\n'));
  process.exitCode = 1;
}
