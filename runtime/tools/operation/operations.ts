import type { WholeResponse } from '../../protocol/message.js';
import type { Readiness } from './readiness.js';
import type { Scrape } from './worker-metrics.js';

/** The sources of the operators' endpoints. */
interface OperationsSources {
  readonly readiness: () => Promise<Readiness>;
  /** The Prometheus text; absent where metrics are off. */
  readonly metrics?: () => Promise<Scrape>;
}

/** Answers the operators' endpoints by path; undefined for other paths. */
export function createOperations({
  readiness,
  metrics,
}: OperationsSources): (method: string, path: string) => Promise<WholeResponse | undefined> {
  const answers: { readonly [path: string]: (() => Promise<WholeResponse>) | undefined } = {
    '/health/live': async () => answer(200, { status: 'up' }),
    '/health/ready': async () => {
      const { ready, ...parts } = await readiness();
      return answer(ready ? 200 : 503, { status: ready ? 'up' : 'down', ...parts });
    },
    ...(metrics && { '/metrics': () => metrics().then(scrape, () => answer(503, { status: 'down' })) }),
  };
  return async (method, path) => {
    const found = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (found === undefined) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { Allow: 'GET, HEAD' } };
    return found();
  };
}

// An answer about the current state must not be cached.
function answer(status: number, body: object): WholeResponse {
  return { status, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }, body: JSON.stringify(body) };
}

function scrape({ text, type }: Scrape): WholeResponse {
  return { status: 200, headers: { 'Content-Type': type, 'Cache-Control': 'no-store' }, body: text };
}
