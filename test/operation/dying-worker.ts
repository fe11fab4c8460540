import cluster from 'node:cluster';
import { Registry } from 'prom-client';
import { scrapeOf, answerWorkers } from '../../runtime/tools/operation/metrics.js';

// A process with two workers: one asks for the metrics of both and is killed, while the other is too busy to tell its own.
if (cluster.isPrimary) {
  answerWorkers();
  const asks = cluster.fork({ ROLE: 'asks' });
  cluster.fork({ ROLE: 'busy' });
  asks.once('exit', () => process.stdout.write('the worker has ended\n'));
  setTimeout(() => {
    process.stdout.write('the primary goes on\n');
    process.exit(0);
  }, 4_000);
} else {
  const scrape = scrapeOf(new Registry());
  if (process.env['ROLE'] === 'busy') setTimeout(() => block(1_500), 700);
  else setTimeout(() => void scrape().catch(() => undefined), 1_000);
  if (process.env['ROLE'] === 'asks') setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1_300);
}

function block(milliseconds: number): void {
  for (const end = Date.now() + milliseconds; Date.now() < end;);
}
