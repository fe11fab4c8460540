import { planCollection, planCount, type CollectionPlan } from '../plan/plan-read.js';
import type { Target } from '../plan/plan-path.js';
import { bodyOf } from '../response/chunked-body.js';
import { openPage, openReferencePage, type PageFrame } from '../response/render-collection.js';
import { compileCountOf, compileRead } from '../sql/compile-read.js';
import { isLarge } from '../sql/record-cells.js';
import { cellText, type Connection, type RowBytes, type Statement } from '../sql/statement.js';
import { nextLink, openSkiptoken } from './links.js';
import { requireFewExpanded } from './expanded-records.js';
import type { ODataResponse } from './message.js';
import { negotiateJson, requirePlainText } from './negotiate.js';
import { requireParents } from './parents.js';
import { omissionApplied, preferencesApplied } from './prefer.js';
import { recordFormat } from './record-format.js';
import { headResponse, jsonResponse, textResponse } from './responses.js';
import type { Exchange } from './exchange.js';

type CollectionTarget = Extract<Target, { kind: 'collection' }>;

/** GET of a collection: a page, its count, and the link to the next one. */
export async function readCollection(target: CollectionTarget, exchange: Exchange): Promise<ODataResponse> {
  if (target.suffix === '$count') return readCount(target, exchange);
  const { request, service, options, preferences } = exchange;
  const format = negotiateJson(request, options.format);
  const preferred = preferences.maxPageSize;
  const plan = planCollection(target, options, exchange.context, openSkiptoken(exchange), preferred?.size);
  const frame = { format: recordFormat(format, exchange), selected: options.select !== undefined };
  // With $top the page has the size that the request says, and the preference is not applied.
  const size = preferred && plan.top === undefined ? `${preferred.name}=${plan.size}` : undefined;
  const applied = preferencesApplied([size, omissionApplied(preferences)]);
  if (request.method === 'HEAD') return readHead({ plan, target, exchange }, headResponse(format, applied));
  const body = await bodyOf((takeChunk) => service.store.read((connection) => readPage({ plan, target, frame: { ...frame, takeChunk }, exchange }, connection), request.recipient));
  return jsonResponse(200, body, format, applied);
}

// The header of a page does not depend on its records; one of them shows that they can be read (RFC 9110, 9.3.2).
async function readHead({ plan, target, exchange }: Omit<PageRequest, 'frame'>, head: ODataResponse): Promise<ODataResponse> {
  await exchange.service.store.read(async (connection) => {
    await requireParents(target, connection);
    if (plan.size > 0) await connection.each(compileRead({ ...plan.read, limit: 1 }), () => undefined);
  }, exchange.request.recipient);
  return head;
}

interface PageRequest {
  readonly plan: CollectionPlan;
  readonly target: CollectionTarget;
  readonly frame: Omit<PageFrame, 'count'>;
  readonly exchange: Exchange;
}

// The count and the page share a connection; `$top=0` asks for the count alone.
async function readPage({ plan, target, frame, exchange }: PageRequest, connection: Connection): Promise<Buffer> {
  const count = plan.read.count ? await readCountOf(plan, connection) : undefined;
  const open = target.suffix === '$ref' ? openReferencePage : openPage;
  const page = open(plan, { ...frame, count });
  let rows = 0;
  let last: readonly (string | null)[] = [];
  const take = (row: RowBytes): Promise<void> | undefined => {
    rows += 1;
    if (rows > plan.size) return undefined;
    if (rows === plan.size) last = orderValues(plan, row);
    return page.add(row);
  };
  // Aggregation gives a row even where there is nothing to aggregate.
  if (plan.read.apply) await requireParents(target, connection);
  if (plan.size > 0) await requireFewExpanded(plan.read, connection);
  if (plan.size > 0) await connection.each(compilePage(plan), take);
  if (rows === 0 && !plan.read.apply) await requireParents(target, connection);
  // One row more than the page was asked for: it tells that another page follows.
  return page.finish(rows > plan.size ? nextLink(plan, last, exchange) : undefined);
}

function compilePage({ read, size }: CollectionPlan): Statement {
  const statement = compileRead(read);
  return isLarge(read.selection, size) ? { ...statement, unhurried: true } : statement;
}

// The order's values stand behind everything else in a row.
function orderValues({ read }: CollectionPlan, row: RowBytes): readonly (string | null)[] {
  const first = row.starts.length - read.order.length;
  return read.order.map((_, index) => cellText(row, first + index));
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
    if (row?.[0] === '0' || options.apply) await requireParents(target, connection);
    return row?.[0] ?? '0';
  }, request.recipient);
  return textResponse(count, version);
}
