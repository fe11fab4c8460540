import { errors } from '../errors/catalogue.js';
import type { RecordTarget, Target } from '../plan/plan-path.js';
import { planEntity } from '../plan/plan-read.js';
import type { ReadPlan } from '../plan/read-plan.js';
import type { RecordFormat } from '../response/record-writer.js';
import { etagOfRow, renderEntity, urlOfRow, type RenderedEntity } from '../response/render-entity.js';
import { compileRead } from '../sql/compile-read.js';
import type { Connection, RowBytes } from '../sql/statement.js';
import type { Exchange } from './exchange.js';
import { requireFewExpanded } from './expanded-records.js';
import type { ODataResponse } from './message.js';
import { negotiateJson } from './negotiate.js';
import { requireParents } from './parents.js';
import { conditionsOf, isKnown } from './precondition.js';
import { omissionApplied, preferencesApplied } from './prefer.js';
import { recordFormat } from './record-format.js';
import { emptyResponse, jsonResponse } from './responses.js';

type EntityTarget = Extract<Target, { kind: 'entity' }>;

/** GET of one record, by key or by navigation to one. */
export async function readEntity(target: EntityTarget, exchange: Exchange): Promise<ODataResponse> {
  const { request, options, context, preferences } = exchange;
  const format = negotiateJson(request, options.format);
  const plan = planEntity(target, target.suffix === '$ref' ? { ...options, select: [] } : options, context);
  const render = target.suffix === '$ref' ? renderReference : renderEntity;
  // The ETag is the record's own, and tells nothing of what is expanded beneath it or computed from others.
  const { ifMatch, ifNoneMatch } = conditionsOf(request);
  const isWhole = plan.selection.expands.length + plan.selection.computed.length === 0;
  const conditions = { ifMatch, ifNoneMatch: isWhole ? ifNoneMatch : undefined };
  const entity = await readOne(plan, target, exchange, (row) => {
    const etag = etagOfRow(plan, row);
    if (etag !== undefined && isKnown(conditions, etag)) return { etag, body: undefined };
    return render(plan, row, recordFormat(format, exchange), options.select !== undefined);
  });
  if (entity === undefined) return emptyResponse(204, format.version);
  const { etag, body } = entity;
  if (body === undefined) return emptyResponse(304, format.version, { ETag: etag });
  return jsonResponse(200, body, format, { ...(etag !== undefined && { ETag: etag }), ...preferencesApplied([omissionApplied(preferences)]) });
}

/** What `render` makes of the record; a missing one is 404, or nothing where navigation leads nowhere (protocol 11.2.4). */
export async function readOne<Result>(plan: ReadPlan, target: RecordTarget, { service, request }: Exchange, render: (row: RowBytes) => Result): Promise<Result | undefined> {
  return service.store.read(async (connection) => {
    const found = await renderFirst(plan, connection, render);
    if (found.length > 0) return found[0];
    await requireParents(target, connection);
    if (target.key.length > 0) throw errors.notFound(`${target.type.name} with that key`);
    return undefined;
  }, request.recipient);
}

/** Renders the only row of a plan, if there is one. */
export async function renderFirst<Result>(plan: ReadPlan, connection: Connection, render: (row: RowBytes) => Result): Promise<readonly Result[]> {
  await requireFewExpanded(plan, connection);
  const found: Result[] = [];
  await connection.each(compileRead(plan), (row) => void found.push(render(row)));
  return found;
}

function renderReference(plan: ReadPlan, row: RowBytes, { root }: RecordFormat): RenderedEntity {
  const url = urlOfRow(plan, row, root);
  const body = Buffer.from(JSON.stringify({ '@odata.context': `${root}/$metadata#$ref`, '@odata.id': url }));
  return { body, url, etag: etagOfRow(plan, row) };
}
