import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';

/** The Prometheus text with its media type. */
export interface Scrape {
  readonly text: string;
  readonly type: string;
}

/** Messages between the primary and its workers. */
type Message =
  | { readonly gable: 'metrics-offered' }
  | { readonly gable: 'metrics-wanted'; readonly id: string }
  | { readonly gable: 'metrics-asked'; readonly id: string }
  /** Without metrics if a gauge of the worker could not be read. */
  | { readonly gable: 'metrics-reported'; readonly id: string; readonly metrics?: readonly MetricObject[] }
  /** Without a text if a worker has not reported. */
  | { readonly gable: 'metrics'; readonly id: string; readonly text?: string };

/** The metrics of this process, or in a cluster those of all workers, whichever is asked. */
export function scrapeOf(registry: Registry): () => Promise<Scrape> {
  const { contentType: type } = registry;
  if (!cluster.isWorker) return async () => ({ text: await registry.metrics(), type });
  process.on('message', (message: Message) => {
    if (message.gable === 'metrics-asked') void report(registry, message.id);
  });
  toPrimary({ gable: 'metrics-offered' });
  return () => askPrimary(type);
}

async function report(registry: Registry, id: string): Promise<void> {
  const metrics = await registry.getMetricsAsJSON().catch(() => undefined);
  toPrimary({ gable: 'metrics-reported', id, ...(metrics && { metrics }) });
}

// Without a callback, the error of a primary that has ended would be uncaught.
function toPrimary(message: Message): void {
  process.send?.(message, undefined, undefined, () => undefined);
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
    const listen = (message: Message): void => void (message.gable === 'metrics' && message.id === id && end(message.text));
    const timer = setTimeout(() => end(undefined), longestAnswer);
    process.on('message', listen);
    toPrimary({ gable: 'metrics-wanted', id });
  });
}

/** In the primary: answers workers' requests for metrics. */
export function answerWorkers(): void {
  const offering = new Set<Worker>();
  cluster.on('disconnect', (worker) => offering.delete(worker));
  cluster.on('message', (worker, message: Message) => {
    if (message.gable === 'metrics-offered') offering.add(worker);
    if (message.gable !== 'metrics-wanted') return;
    const answer = (text?: string): void => send(worker, { gable: 'metrics', id: message.id, ...(text !== undefined && { text }) });
    void metricsOf(offering).then(answer, () => answer());
  });
}

async function metricsOf(workers: ReadonlySet<Worker>): Promise<string> {
  const reports = await Promise.all([...workers].map(askWorker));
  return AggregatorRegistry.aggregate(reports).metrics();
}

const longestReport = 5_000;

// The metrics of a worker; none of one that ends before it reports. Those of one that hangs are awaited, because sums
// without them would look like counters that began again.
function askWorker(worker: Worker): Promise<MetricObject[]> {
  const id = randomUUID();
  return new Promise((resolve, reject) => {
    const end = (metrics: readonly MetricObject[] | undefined): void => {
      clearTimeout(timer);
      worker.off('message', listen).off('disconnect', gone);
      if (metrics === undefined) reject(new Error('A worker did not report its metrics.'));
      else resolve([...metrics]);
    };
    const listen = (message: Message): void => void (message.gable === 'metrics-reported' && message.id === id && end(message.metrics));
    const gone = (): void => end([]);
    const timer = setTimeout(() => end(undefined), longestReport);
    worker.on('message', listen).once('disconnect', gone);
    send(worker, { gable: 'metrics-asked', id });
  });
}

// A disconnected worker is skipped; without a callback, an error of its channel would end the primary.
function send(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
