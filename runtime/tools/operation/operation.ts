import type { Server } from 'node:http';
import type { Sequelize } from 'sequelize';
import { poolState } from '../../database/pool.js';
import { schemaProbe } from '../migrations/schema-state.js';
import type { EntityContainer } from '../../edm/entity-container.js';
import { drainServer, type DrainTimes } from './drain.js';
import type { Logger } from './logger.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createObserver, type ObserverParts } from './observe.js';
import type { Observer } from '../../http/service.js';
import { createOperations } from './operations.js';
import { createReadiness } from './readiness.js';
import { resourceNames } from './resource-name.js';
import { createTracing } from './tracing.js';
import { scrapeOf } from './worker-metrics.js';

/** The settings for operators. */
interface OperationSettings extends Pick<ObserverParts, 'logRequests' | 'serverTiming'> {
  readonly metrics: boolean;
  readonly traces: boolean;
}

/** The dependencies of the operation side. */
interface OperationContext {
  readonly container: EntityContainer;
  readonly logger: Logger;
  readonly rootPath: string;
  readonly migrations: string;
}

/** The operators' side of a service. */
export interface Operation {
  readonly observer: Observer;
  /** Answers `/health/*` and `/metrics`. */
  readonly answer: ReturnType<typeof createOperations>;
  /** Fails readiness from now on, and ends the server. */
  readonly drain: (server: Server, times: DrainTimes) => Promise<void>;
}

/** Combines logs, metrics, traces, health and draining. */
export function createOperation(
  settings: OperationSettings,
  sequelize: Sequelize,
  { container, logger, rootPath, migrations }: OperationContext,
): Operation {
  let draining = false;
  const isDraining = (): boolean => draining;
  const pool = (): ReturnType<typeof poolState> => poolState(sequelize);
  const metrics = settings.metrics ? createMetrics(pool) : undefined;
  const tracing = settings.traces ? createTracing(rootPath) : undefined;
  const report = (failure: unknown): void => logger.warn({ failure }, 'the database does not respond');
  const readiness = createReadiness({ pool, isDraining, missingMigrations: schemaProbe(sequelize, migrations), report });
  return {
    observer: createObserver({ ...settings, logger, resourceOf: resourceNames(container), metrics, tracing, isDraining }),
    answer: counted(createOperations({ readiness, ...(metrics && { metrics: scrapeOf(metrics.registry) }) }), metrics),
    drain: async (server, times) => {
      draining = true;
      await drainServer(server, times);
      metrics?.registry.clear();
    },
  };
}

// Probes come every few seconds: they are counted on any port, but not logged.
function counted(answer: Operation['answer'], metrics: Metrics | undefined): Operation['answer'] {
  return async (method, path) => {
    const started = performance.now();
    const found = await answer(method, path);
    if (found !== undefined) metrics?.count(method, 'operation', found.status, performance.now() - started);
    return found;
  };
}
