import { planCollection, planCount, type CollectionPlan } from '../plan/plan-read.js';
import type { Target } from '../plan/plan-path.js';
import { renderCollection, renderReferences, type CollectionFrame } from '../response/render-collection.js';
import { compileCountOf, compileRead } from '../sql/compile-read.js';
import type { Connection, Row } from '../sql/statement.js';
import { nextLink, openSkiptoken } from './links.js';
import type { ODataResponse } from './message.js';
import { negotiateJson, requirePlainText } from './negotiate.js';
import { requireParents } from './parents.js';
import { parsePrefer } from './prefer.js';
import { jsonResponse, textResponse } from './responses.js';
import type { Exchange } from './exchange.js';

type CollectionTarget = Extract<Target, { kind: 'collection' }>;

/** GET of a collection: a page, its count, and the link to the next one. */
export async function readCollection(target: CollectionTarget, exchange: Exchange): Promise<ODataResponse> {
  if (target.suffix === '$count') return readCount(target, exchange);
  const { request, service, options } = exchange;
  const format = negotiateJson(request, options.format);
  const preferred = parsePrefer(request.header('prefer')).maxpagesize;
  const plan = planCollection(target, options, exchange.context, openSkiptoken(exchange), preferred);
  const page = await service.store.read((connection) => readPage(plan, target, connection));
  const records = page.rows.slice(0, plan.size);
  const frame: CollectionFrame = {
    format: { ...format, root: service.root },
    selected: options.select !== undefined,
    count: page.count,
    nextLink: nextLink(plan, page.rows, exchange),
  };
  const body = target.suffix === '$ref' ? renderReferences(plan, records, frame) : renderCollection(plan, records, frame);
  // With $top the page has the size that the request says, and the preference is not applied.
  const applied = preferred === undefined || plan.top !== undefined ? {} : { 'Preference-Applied': `odata.maxpagesize=${plan.size}` };
  return jsonResponse(200, body, format, applied);
}

interface Page {
  readonly rows: readonly Row[];
  readonly count: string | undefined;
}

// The count and the page share a connection; `$top=0` asks for the count alone.
async function readPage(plan: CollectionPlan, target: CollectionTarget, connection: Connection): Promise<Page> {
  const count = plan.read.count ? await readCountOf(plan, connection) : undefined;
  const rows = plan.size === 0 ? [] : await connection.run(compileRead(plan.read));
  if (rows.length === 0) await requireParents(target, connection);
  return { rows, count };
}

async function readCountOf(plan: CollectionPlan, connection: Connection): Promise<string> {
  const [row] = await connection.run(compileCountOf(plan.read));
  return row?.[0] ?? '0';
}

async function readCount(target: CollectionTarget, { request, service, options, context, version }: Exchange): Promise<ODataResponse> {
  requirePlainText(request, options.format);
  const statement = compileCountOf(planCount(target, options, context));
  const count = await service.store.read(async (connection) => {
    const [row] = await connection.run(statement);
    if (row?.[0] === '0') await requireParents(target, connection);
    return row?.[0] ?? '0';
  });
  return textResponse(count, version);
}
