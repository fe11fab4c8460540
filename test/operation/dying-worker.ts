import cluster from 'node:cluster';
import { once } from 'node:events';
import { Registry } from 'prom-client';
import { scrapeOf, answerWorkers } from '../../runtime/tools/operation/worker-metrics.js';
import { hears } from './hears.js';

const scrape = scrapeOf(new Registry());

// A process with two workers: one asks for the metrics of both, reports its own and is killed, while the other is busy.
if (cluster.isPrimary) {
  answerWorkers();
  const [asks, busy] = [cluster.fork(), cluster.fork()];
  await Promise.all([asks, busy].map((worker) => hears(worker, 'ready')));
  busy.send({ busyUntilEndOf: asks.process.pid });
  await hears(busy, 'busy');
  const idle = hears(busy, 'idle');
  asks.send('ask');
  await hears(asks, 'metrics-reported');
  process.kill(asks.process.pid ?? 0, 'SIGKILL');
  await once(asks, 'exit');
  process.stdout.write('the worker has ended\n');
  await idle;
  process.stdout.write('the primary goes on\n');
  process.exit(0);
} else {
  process.on('message', (message: unknown) => {
    if (message === 'ask') void scrape().catch(() => undefined);
    const { busyUntilEndOf } = message as { readonly busyUntilEndOf?: number };
    if (busyUntilEndOf !== undefined) process.send?.({ type: 'busy' }, undefined, undefined, () => blockUntilEndOf(busyUntilEndOf));
  });
  process.send?.({ type: 'ready' });
}

// Its own scrape is answered after that of the other, whose metrics the primary then has.
function blockUntilEndOf(pid: number): void {
  while (runs(pid));
  void scrape().then(() => process.send?.({ type: 'idle' }));
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
