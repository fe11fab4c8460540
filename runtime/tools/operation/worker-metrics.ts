import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { AggregatorRegistry, type Registry } from 'prom-client';

/** The Prometheus text with its media type. */
export interface Scrape {
  readonly text: string;
  readonly type: string;
}

interface Asked {
  readonly gable: 'metrics-wanted';
  readonly id: string;
}

interface MetricsMessage {
  readonly gable: 'metrics';
  readonly id: string;
  /** Absent when a worker has not answered. */
  readonly text?: string;
}

/** The metrics of this process, or in a cluster those of all workers, whichever is asked. */
export function scrapeOf(registry: Registry): () => Promise<Scrape> {
  if (!cluster.isWorker) return async () => ({ text: await registry.metrics(), type: registry.contentType });
  AggregatorRegistry.setRegistries([registry]);
  // Its constructor makes the worker answer the primary's requests.
  const { contentType } = new AggregatorRegistry();
  return () => askPrimary(contentType);
}

/** In the primary: answers workers' requests for metrics. */
export function answerWorkers(): void {
  const all = new AggregatorRegistry();
  cluster.on('message', (worker, message: Partial<Asked>) => {
    const { gable, id } = message;
    if (gable !== 'metrics-wanted' || id === undefined) return;
    // A disconnected worker is skipped; without a callback, an error of its channel would end the primary.
    const answer = (told: MetricsMessage): void => void (worker.isConnected() && worker.send(told, () => undefined));
    all.clusterMetrics().then(
      (text) => answer({ gable: 'metrics', id, text }),
      () => answer({ gable: 'metrics', id }),
    );
  });
}

/** Milliseconds to wait for the primary, which gives its workers five seconds. */
const longestAnswer = 10_000;

function askPrimary(type: string): Promise<Scrape> {
  const id = randomUUID();
  return new Promise((resolve, reject) => {
    const end = (text: string | undefined): void => {
      clearTimeout(timer);
      process.off('message', listen);
      if (text === undefined) reject(new Error('A worker did not report its metrics in time.'));
      else resolve({ text, type });
    };
    const listen = (message: Partial<MetricsMessage>): void => void (message.gable === 'metrics' && message.id === id && end(message.text));
    const timer = setTimeout(() => end(undefined), longestAnswer);
    process.on('message', listen);
    process.send?.({ gable: 'metrics-wanted', id } satisfies Asked);
  });
}
