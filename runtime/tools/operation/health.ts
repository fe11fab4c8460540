import { createServer, type Server } from 'node:http';
import { isExhausted, type PoolState } from '../../database/pool.js';
import type { OperationsHandler } from '../../http/express-adapter.js';
import { unstoredJson, type WholeResponse } from '../../protocol/message.js';
import type { SchemaMatch } from '../migrations/schema-watch.js';
import type { SchemaState } from '../migrations/migration-status.js';
import type { Scrape } from './worker-metrics.js';
import { inTime } from '../../errors/in-time.js';

interface OperationsSources {
  readonly readiness: () => Promise<Readiness>;
  /** The Prometheus text; absent where metrics are off. */
  readonly metrics?: () => Promise<Scrape>;
}

/** Answers the operators' endpoints by path; undefined for other paths. */
export function createOperations({ readiness, metrics }: OperationsSources): OperationsHandler {
  const answers: { readonly [path: string]: (() => Promise<WholeResponse>) | undefined } = {
    '/health/live': async () => unstoredJson(200, { status: 'up' }),
    '/health/ready': async () => {
      const { ready, ...parts } = await readiness();
      return unstoredJson(ready ? 200 : 503, { status: ready ? 'up' : 'down', ...parts });
    },
    ...(metrics && { '/metrics': () => metrics().then(scrape, () => unstoredJson(503, { status: 'down' })) }),
  };
  return async (method, path) => {
    const found = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (found === undefined) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { Allow: 'GET, HEAD' } };
    return found();
  };
}

function scrape({ text, type }: Scrape): WholeResponse {
  return { status: 200, headers: { 'Content-Type': type, 'Cache-Control': 'no-store' }, body: text };
}

/** Serves health and metrics on a separate port, which need not be open to clients. */
export function createOperationsServer(answer: OperationsHandler): Server {
  return createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    void answer(request.method ?? '', path)
      .catch(() => failed)
      .then((found) => {
        const { status, headers, body } = found ?? { status: 404, headers: {}, body: undefined };
        response.writeHead(status, headers).end(body);
      });
  });
}

const failed = { status: 500, headers: {}, body: undefined };

/** Whether this process is ready for requests, and the reason. */
interface Readiness {
  readonly ready: boolean;
  readonly database: 'up' | 'read-only' | 'down' | 'busy' | 'unknown';
  /** `newer`: the database has migrations that this process does not know, as during a deployment. */
  readonly migrations: 'current' | 'newer' | 'missing' | 'unknown';
  /** Whether the schema is that of the migrations, as `gable migrate verify` says; where these are current. */
  readonly schema?: SchemaMatch;
  readonly draining: boolean;
  readonly replicas?: ReplicaSummary;
}

/** The replicas that serve and those that are left out, and the longest lag of a serving one in milliseconds. */
interface ReplicaSummary {
  readonly serving: number;
  readonly ejected: number;
  readonly lag: number;
}

/** The inputs of readiness. */
export interface ReadinessSources {
  readonly replicas?: (() => readonly { readonly serving: boolean; readonly lag: number }[]) | undefined;
  readonly pool: () => PoolState;
  /** Queries the database for missing migrations, and whether it accepts changes. */
  readonly schemaState: () => Promise<SchemaState>;
  readonly schema: () => SchemaMatch;
  /** Whether a service that only reads is ready. */
  readonly mayBeReadOnly: boolean;
  readonly isDraining: () => boolean;
  /** Called once with the reason for each period in which the database does not answer. */
  readonly report: (failure: unknown) => void;
}

/** Milliseconds: an unauthenticated endpoint must not cause load, and must answer in time. */
const kept = 1_000;
const longest = 1_000;

/** Checks readiness, querying the database at most once a second. */
export function createReadiness(sources: ReadinessSources): () => Promise<Readiness> {
  const { pool, schemaState, schema, mayBeReadOnly, isDraining, report, replicas } = sources;
  const usable = mayBeReadOnly ? ['up', 'read-only'] : ['up'];
  const reportOnce = onceWhile(report);
  let asked: Promise<Omit<Readiness, 'ready' | 'draining'>> | undefined;
  let at = 0;
  return async () => {
    const draining = isDraining();
    const shown = { draining, ...(replicas && { replicas: summaryOf(replicas()) }) };
    // Whatever the database's state, no requests should arrive any more.
    if (draining) return { ready: false, database: 'unknown', migrations: 'unknown', ...shown };
    // The check would wait in the same queue.
    if (isExhausted(pool())) return { ready: false, database: 'busy', migrations: 'unknown', ...shown };
    if (asked === undefined || performance.now() - at > kept) {
      at = performance.now();
      asked = ask(schemaState, reportOnce);
    }
    const answer = await asked;
    const compared = answer.migrations === 'current' && answer.database === 'up' && { schema: schema() };
    return { ...answer, ...compared, ready: usable.includes(answer.database) && answer.migrations !== 'missing', ...shown };
  };
}

function summaryOf(states: ReturnType<NonNullable<ReadinessSources['replicas']>>): ReplicaSummary {
  const serving = states.filter((state) => state.serving);
  const lag = Math.round(Math.max(0, ...serving.map((state) => state.lag)));
  return { serving: serving.length, ejected: states.length - serving.length, lag };
}

/** Reports the first failure after each success, which is undefined. */
function onceWhile(report: (failure: unknown) => void): (failure: unknown) => void {
  let failing = false;
  return (failure) => {
    if (failure !== undefined && !failing) report(failure);
    failing = failure !== undefined;
  };
}

async function ask(
  schemaState: ReadinessSources['schemaState'],
  report: (failure: unknown) => void,
): Promise<Omit<Readiness, 'ready' | 'draining'>> {
  try {
    const { missing, newer, isReadOnly } = await inTime(schemaState(), longest, tooLate);
    report(undefined);
    return {
      database: isReadOnly ? 'read-only' : 'up',
      migrations: missing.length > 0 ? 'missing' : newer.length > 0 ? 'newer' : 'current',
    };
  } catch (failure) {
    // The unauthenticated answer gives no reason; the log does.
    report(failure);
    return { database: 'down', migrations: 'unknown' };
  }
}

const tooLate = (): Error => new Error('The database did not respond in time.');
