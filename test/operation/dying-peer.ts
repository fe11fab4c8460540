import cluster from 'node:cluster';
import { Counter, Registry } from 'prom-client';
import { answerWorkers, scrapeOf } from '../../runtime/tools/operation/worker-metrics.js';

// A process with three workers: one asks for the metrics of all, one is killed before it can report its own, and one is
// still starting.
if (cluster.isPrimary) {
  answerWorkers();
  const asks = cluster.fork({ ROLE: 'asks' });
  cluster.fork({ ROLE: 'dies' });
  cluster.fork({ ROLE: 'starts' });
  asks.once('exit', () => process.exit(0));
} else if (process.env['ROLE'] === 'starts') {
  setInterval(() => undefined, 1_000);
} else {
  const registry = new Registry();
  new Counter({ name: 'seen', help: 'Seen', registers: [registry] }).inc(2);
  const scrape = scrapeOf(registry);
  if (process.env['ROLE'] === 'dies') setTimeout(() => dieBusily(1_500), 700);
  else setTimeout(() => void scrape().then(({ text }) => print(text), print), 1_000);
}

function dieBusily(milliseconds: number): void {
  for (const end = Date.now() + milliseconds; Date.now() < end;);
  process.kill(process.pid, 'SIGKILL');
}

function print(outcome: unknown): void {
  process.stdout.write(String(outcome), () => process.exit(0));
}
