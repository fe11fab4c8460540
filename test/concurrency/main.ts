import { startService } from '../support/service.js';
import { increment, mixtures } from './increments.js';

// The whole load; `npm test` runs a smaller one.
const load = { clients: 50, attempts: 200 };
const service = await startService({ GABLE_POOL_SIZE: '10' });
const { statuses, final } = await increment(service, load);
const mixed = await mixtures(service, { clients: 20, attempts: 50 });
await service.stop();
const succeeded = statuses.get(204) ?? 0;
const others = [...statuses].filter(([status]) => status !== 204 && status !== 412);
console.log(
  `${load.clients * load.attempts} attempts: ${succeeded} succeeded, ${statuses.get(412) ?? 0} met 412, the value is ${final}; ${mixed.length} mixtures`,
);
for (const [status, count] of others) console.log(`${count} answers were ${status}`);
process.exitCode = succeeded === final && others.length === 0 && mixed.length === 0 ? 0 : 1;
