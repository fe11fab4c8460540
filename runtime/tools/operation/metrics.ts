import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolState } from '../../database/pool.js';
import type { Meters } from '../../http/background.js';

/** The Prometheus metrics of a process. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts a request; `resource` is a name of the model, never the client's own text. */
  readonly count: (method: string, resource: string, status: number, milliseconds: number) => void;
  /** Counts an answer that its client did not get whole. */
  readonly countCut: (resource: string, by: string) => void;
  /** Counts an unreadable request, by the status of its answer. */
  readonly countUnreadable: (status: number) => void;
  readonly addGauge: (gauge: GaugeSource) => void;
}

/** A gauge whose values are read for each scrape. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: () => Values | Promise<Values>;
}

/** Values with their labels; a value of a moment ago that is no longer named is not reported. */
type Values = readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];

type Observe = (seconds: number) => void;

/** Metrics with a separate registry, so that several services fit into one process. */
export function createMetrics(pool: () => PoolState): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addGauge(registry, poolGauge(pool));
  const durations = new Histogram({
    name: 'gable_http_request_duration_seconds',
    help: 'Time from the head of a request to the last byte of its response',
    labelNames: ['method', 'resource', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
    collect: () => batches.forEach((pass) => pass()),
  });
  const batches: (() => void)[] = [];
  const cut = new Counter({
    name: 'gable_http_cut_answers_total',
    help: 'Answers that ended before their end: by a client that went or did not read, or by a failure of the service',
    labelNames: ['resource', 'by'],
    registers: [registry],
  });
  const unreadable = new Counter({
    name: 'gable_http_unreadable_requests_total',
    help: 'Requests that were no valid HTTP, too large, or too slow',
    labelNames: ['status'],
    registers: [registry],
  });
  const observe = remembered((method, resource, status) => {
    const child = durations.labels(method, resource, status);
    return inBatches((seconds) => child.observe(seconds), batches);
  });
  return {
    registry,
    count: (method, resource, status, milliseconds) => observe(method, resource, status)(milliseconds / 1000),
    countCut: (resource, by) => cut.inc({ resource, by }),
    countUnreadable: (status) => unreadable.inc({ status }),
    addGauge: (gauge) => addGauge(registry, gauge),
  };
}

/** Metrics of features in a registry; without one they go nowhere. */
export function metersOf(registry: Registry | undefined): Meters {
  if (registry === undefined) return { counter: () => () => undefined, gauge: () => () => undefined };
  return {
    counter: (name, help, labelNames) => {
      const counter = new Counter({ name, help, labelNames, registers: [registry] });
      return (labels, value = 1) => counter.inc(labels, value);
    },
    gauge: (name, help, labelNames) => {
      const gauge = new Gauge({ name, help, labelNames, registers: [registry], aggregator: 'max' });
      // A gauge without labels begins with 0, which nobody has measured.
      gauge.remove({});
      return (labels, value = 0) => gauge.set(labels, value);
    },
  };
}

const batchSize = 256;

// Observing takes microseconds within a request, and a tenth of that in a batch; readers flush the batches first.
function inBatches(observe: Observe, batches: (() => void)[]): Observe {
  const waiting: number[] = [];
  const pass = (): void => waiting.splice(0).forEach(observe);
  batches.push(pass);
  return (seconds) => {
    waiting.push(seconds);
    if (waiting.length >= batchSize) pass();
  };
}

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

// Finding a child by its labels hashes them each time, which costs as much as everything else here.
function remembered(
  create: (method: string, resource: string, status: string) => Observe,
): (method: string, resource: string, status: number) => Observe {
  const known = new Map<string, Observe>();
  return (sent, resource, status) => {
    // Clients can invent methods, which must not become labels.
    const method = knownMethods.has(sent) ? sent : 'other';
    const key = `${method} ${resource} ${status}`;
    const child = known.get(key) ?? create(method, resource, String(status));
    known.set(key, child);
    return child;
  };
}

function poolGauge(pool: () => PoolState): GaugeSource {
  return {
    name: 'gable_database_connections',
    help: 'Connections of the pool, and the requests that wait for one',
    labels: ['state'],
    read: () => {
      const { using, available, waiting } = pool();
      return Object.entries({ using, available, waiting }).map(([state, value]) => ({ labels: { state }, value }));
    },
  };
}

function addGauge(registry: Registry, { name, help, labels, read }: GaugeSource): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect: async () => {
      const values = await read();
      gauge.reset();
      for (const each of values) gauge.set(each.labels, each.value);
    },
  });
}
