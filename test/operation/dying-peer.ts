import cluster from 'node:cluster';
import { Counter, Registry } from 'prom-client';
import { answerWorkers, scrapeOf } from '../../runtime/tools/operation/worker-metrics.js';
import { hears } from './hears.js';

const { ROLE: role } = process.env;

// A process with three workers: one asks for the metrics of all, one is killed instead of reporting its own, and one is
// still starting.
if (cluster.isPrimary) {
  answerWorkers();
  const [asks, dies] = [cluster.fork({ ROLE: 'asks' }), cluster.fork({ ROLE: 'dies' })];
  cluster.fork({ ROLE: 'starts' });
  await Promise.all([asks, dies].map((worker) => hears(worker, 'metrics-offered')));
  asks.once('exit', () => process.exit(0));
  asks.send('ask');
} else if (role === 'starts') {
  setInterval(() => undefined, 1_000);
} else {
  process.on('message', (message: unknown) => {
    const isAsked = (message as { readonly gable?: string }).gable === 'metrics-asked';
    if (role === 'dies' && isAsked) process.kill(process.pid, 'SIGKILL');
    if (message === 'ask') void scrape().then(({ text }) => print(text), print);
  });
  const registry = new Registry();
  new Counter({ name: 'seen', help: 'Seen', registers: [registry] }).inc(2);
  const scrape = scrapeOf(registry);
}

function print(outcome: unknown): void {
  process.stdout.write(String(outcome), () => process.exit(0));
}
