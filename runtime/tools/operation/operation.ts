import type { Server } from 'node:http';
import type { ConnectionPool } from '../../database/pool.js';
import { setTimeout as delay } from 'node:timers/promises';
import { giveUpWork, isWorking } from '../../database/silent-server.js';
import { isBusy, poolState } from '../../database/pool.js';
import type { EntityContainer } from '../../edm/entity-container.js';
import type { Meters } from '../../http/background.js';
import type { OperationsHandler } from '../../http/express-adapter.js';
import type { Observer } from '../../http/service.js';
import { schemaProbe } from '../migrations/migration-status.js';
import { driftOf, watchSchema } from '../migrations/schema-watch.js';
import type { Logger } from './logger.js';
import { createMetrics, metersOf, type Metrics } from './metrics.js';
import { scrapeOf } from './worker-metrics.js';
import { createObserver, type ObserverParts } from './observe.js';
import { createOperations, createReadiness, type ReadinessSources } from './health.js';
import { createTracing } from './tracing.js';

interface OperationSettings extends Pick<ObserverParts, 'logRequests' | 'serverTiming'> {
  readonly metrics: boolean;
  readonly traces: boolean;
  readonly readOnly: boolean;
}

interface OperationContext {
  readonly container: EntityContainer;
  readonly logger: Logger;
  readonly rootPath: string;
  readonly migrations: string;
  readonly replicas: ReadinessSources['replicas'];
}

/** The operators' side of a service. */
export interface Operation {
  readonly observer: Observer;
  readonly meters: Meters;
  /** Whether all connections to the database are in use. */
  readonly isBusy: () => boolean;
  /** Answers `/health/*` and `/metrics`. */
  readonly answer: OperationsHandler;
  /** Adds a gauge of a feature; nothing where metrics are off. */
  readonly addGauge: Metrics['addGauge'];
  /** Fails readiness from now on, and ends the server. */
  readonly drain: (server: Server, times: DrainTimes) => Promise<void>;
}

/** Combines logs, metrics, traces, health and draining. */
export function createOperation(settings: OperationSettings, pool: ConnectionPool, context: OperationContext): Operation {
  const { container, logger, rootPath, migrations, replicas } = context;
  const state = { isDraining: false };
  const isDraining = (): boolean => state.isDraining;
  const load = (): ReturnType<typeof poolState> => poolState(pool);
  const metrics = settings.metrics ? createMetrics(load) : undefined;
  const tracing = settings.traces ? createTracing(rootPath) : undefined;
  const report = (failure: unknown): void => logger.warn({ failure }, 'the database does not respond');
  const readiness = createReadiness({
    pool: load,
    isDraining,
    schemaState: schemaProbe(pool, migrations),
    schema: watchSchema(
      () => driftOf(pool, migrations),
      (level, data, message) => logger[level](data, message),
    ),
    mayBeReadOnly: settings.readOnly,
    report,
    replicas,
  });
  return {
    observer: createObserver({ ...settings, logger, container, metrics, tracing, state }),
    meters: metersOf(metrics?.registry),
    isBusy: () => isBusy(load()),
    answer: counted(createOperations({ readiness, ...(metrics && { metrics: scrapeOf(metrics.registry) }) }), metrics),
    addGauge: (gauge) => metrics?.addGauge(gauge),
    drain: async (server, times) => {
      state.isDraining = true;
      await drainServer(server, pool, times, (given) =>
        logger.warn(given, 'the drain has ended: connections with running requests are closed, and running statements are cancelled'),
      );
      metrics?.registry.clear();
    },
  };
}

// Probes come every few seconds: they are counted on any port, but not logged.
function counted(answer: OperationsHandler, metrics: Metrics | undefined): OperationsHandler {
  return async (method, path) => {
    const started = performance.now();
    const found = await answer(method, path);
    if (found !== undefined) metrics?.count(method, 'operation', found.status, performance.now() - started);
    return found;
  };
}

/** The times of a graceful end, in milliseconds. */
export interface DrainTimes {
  /** The time between failing readiness and closing the listener. */
  readonly drainDelay: number;
  /** The time until connections with running requests are closed, and running statements cancelled. */
  readonly drainTimeout: number;
}

/**
 * Stops listening, lets running requests finish, and closes connections as they become idle. A write that has begun goes
 * on without its client, so that statements may be running when all connections are closed.
 */
async function drainServer(
  server: Server,
  pool: ConnectionPool,
  { drainDelay, drainTimeout }: DrainTimes,
  onCut: (given: { readonly statements: number; readonly connections: number }) => void,
): Promise<void> {
  await delay(drainDelay);
  const closed = new Promise<void>((done) => server.close(() => done()));
  // An answer begun earlier lacks Connection: close; its connection becomes idle only afterwards.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => {
    server.getConnections((_, connections) => {
      onCut({ statements: pool.inUse.size, connections });
      server.closeAllConnections();
      void giveUpWork(pool);
    });
  }, drainTimeout);
  await closed;
  clearInterval(sweep);
  while (isWorking(pool)) await delay(20);
  clearTimeout(cut);
}
