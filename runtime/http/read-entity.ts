import { errors } from '../errors/catalogue.js';
import type { Target } from '../plan/plan-path.js';
import { planEntity } from '../plan/plan-read.js';
import type { ReadPlan } from '../plan/read-plan.js';
import { etagOfRow, renderEntity, urlOfRow } from '../response/render-entity.js';
import { compileRead } from '../sql/compile-read.js';
import type { Row } from '../sql/statement.js';
import type { Exchange } from './exchange.js';
import type { ODataResponse } from './message.js';
import { negotiateJson } from './negotiate.js';
import { requireParents } from './parents.js';
import { matchesETag } from './precondition.js';
import { emptyResponse, jsonResponse } from './responses.js';

type EntityTarget = Extract<Target, { kind: 'entity' }>;

/** GET of one record, by key or by navigation to one. */
export async function readEntity(target: EntityTarget, exchange: Exchange): Promise<ODataResponse> {
  const { request, service, options, context } = exchange;
  const format = negotiateJson(request, options.format);
  const plan = planEntity(target, target.suffix === '$ref' ? { ...options, select: [] } : options, context);
  const row = await readRow(plan, target, exchange);
  if (row === undefined) return emptyResponse(204, format.version);
  const etag = etagOfRow(plan, row);
  const known = request.header('if-none-match');
  if (etag !== undefined && known !== undefined && matchesETag(known, etag)) return emptyResponse(304, format.version, { ETag: etag });
  const body = target.suffix === '$ref' ? renderReference(plan, row, service.root) : renderEntity(plan, row, { ...format, root: service.root }, options.select !== undefined);
  return jsonResponse(200, body, format, etag === undefined ? {} : { ETag: etag });
}

/** The record's row; a missing one is 404, or nothing where a navigation property is simply null (protocol 11.2.4). */
export async function readRow(plan: ReadPlan, target: Pick<EntityTarget, 'key' | 'type' | 'parents' | 'alias' | 'via'>, { service }: Exchange): Promise<Row | undefined> {
  return service.store.read(async (connection) => {
    const [row] = await connection.run(compileRead(plan));
    if (row !== undefined) return row;
    await requireParents(target, connection);
    if (target.key.length > 0) throw errors.notFound(`${target.type.name} with that key`);
    return undefined;
  });
}

function renderReference(plan: ReadPlan, row: Row, root: string): string {
  return JSON.stringify({ '@odata.context': `${root}/$metadata#$ref`, '@odata.id': urlOfRow(plan, row, root) });
}
