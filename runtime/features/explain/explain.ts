import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import { answer } from '../../http/dispatch.js';
import type { Outside, Site } from '../../http/outside.js';
import type { Prepared, PreparedRead } from '../../http/read/plan-cache.js';
import type { Service } from '../../http/service.js';
import type { ODataRequest, WholeResponse } from '../../protocol/message.js';
import { notAllowed } from '../../protocol/routes.js';
import { createExplainingStore } from './explaining-store.js';
import { summaryOf } from './plan-summary.js';
import { type ExplainedStatement, studied } from './studied-plan.js';

const prefix = '/explain';

/** A read as it would be executed, for operators. */
export interface Explanation {
  /** The part of the service's plan that determines the statements; absent for reads without a kept plan. */
  readonly plan?: ReturnType<typeof summaryOf>;
  readonly statements: readonly ExplainedStatement[];
}

/** Explains a read at `/explain` and its path below the service root, to callers with the scope of the setting. */
export function explain({ explainScope = '', rootPath }: Site): Outside | undefined {
  if (explainScope === '') return undefined;
  return {
    isGuarded: true,
    folders: [`${prefix}/`],
    answer: async (request, service) => {
      const { scopes } = await service.authenticate(request.header('authorization'));
      // In the words of an address that does not exist.
      if (!scopes.has(explainScope)) throw errors.notFound('resource at this address', ` The service root is ${rootPath}.`);
      if (request.method !== 'GET') throw notAllowed(request.method, ['GET']);
      return json(await explanationOf(request, service));
    },
  };
}

// The request passes all stages with a store that explains statements, so that it is refused like the request itself, and
// the caller's row filters are in the statements.
async function explanationOf(request: ODataRequest, service: Service): Promise<Explanation> {
  const isAnalyzed = /(?:^|[\s,;])analyze(?:$|[\s,;])/.test(request.header('prefer') ?? '');
  const { store, explained } = createExplainingStore(service.store, isAnalyzed);
  const kept: PreparedRead[] = [];
  const plans = { find: () => undefined, add: (_: string, __: unknown, plan: Prepared) => void (plan.kind !== 'write' && kept.push(plan)) };
  try {
    await answer(readOf(request), { ...service, store, plans, operations: {}, readOnly: true });
  } catch (failure) {
    // The store has no rows, which the last stage may miss; what is refused before has no statements.
    if (!(failure instanceof ODataError) || explained.length === 0) throw failure;
  }
  const [read] = kept;
  return { ...(read && { plan: summaryOf(read) }), statements: explained.map((one) => studied(one, service.container)) };
}

// Preferences and conditions of the request are no part of its plan.
function readOf(request: ODataRequest): ODataRequest {
  const header = (name: string): string | undefined => (name === 'authorization' ? request.header(name) : undefined);
  return { ...request, path: request.path.slice(prefix.length), header };
}

function json(body: object): WholeResponse {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json;charset=utf-8', 'Cache-Control': 'no-store' },
    body: JSON.stringify(body),
  };
}
