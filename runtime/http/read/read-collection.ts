import { errors } from '../../errors/catalogue.js';
import { orderHash } from './order-hash.js';
import { requireShownKey } from '../../plan/caller.js';
import { keysetValues } from '../../plan/keyset-value.js';
import type { SkipToken } from '../../paging/skiptoken.js';
import { planCollection, planCount, type CollectionPlan, type PageStart } from '../../plan/read/plan-read.js';
import type { CollectionTarget } from '../../plan/path/path-target.js';
import { bodyOf } from '../../response/chunked-body.js';
import type { RecordFormat } from '../../response/record-format.js';
import { recordFormat } from './record-format.js';
import { pageOpener, referencePageOpener, type OpenPage, type PageWriter } from '../../response/render-collection.js';
import { compileCountOf, compilePage, compileRead, rowOrder } from '../../sql/compile-read.js';
import { isLarge } from '../../sql/record-cells.js';
import { cellText, type Connection, type RowBytes, type Statement } from '../../sql/statement.js';
import { httpHooks } from '../hooks.js';
import { type Exchange, readsView, withViews } from '../service.js';
import { compileExpanded, compileParent, refuseAdvised, requireFewExpanded, requireParent } from './read-entity.js';
import { nextLink, openSkiptoken, type Linking } from './links.js';
import { headResponse, jsonResponse, type ODataResponse, textResponse } from '../../protocol/message.js';
import { negotiateJson, requireMediaAccepted } from '../../protocol/negotiate.js';
import { noPreferences, omissionApplied, preferencesApplied } from '../../protocol/prefer.js';
import type { PreparedPage } from './plan-cache.js';
import { memoized } from '../../edm/memoized.js';

/** GET of a collection: a page, its count, and the next link. */
export async function readCollection(target: CollectionTarget, exchange: Exchange): Promise<ODataResponse> {
  if (target.suffix === '$count') return readCount(target, exchange);
  const { skiptoken } = exchange.options;
  const start = skiptoken === undefined ? undefined : openSkiptoken(skiptoken, exchange);
  const page = preparePage(target, exchange, start);
  refuseAdvised(exchange);
  if (exchange.request.method === 'HEAD') return readHead(page, exchange);
  // The addresses of contained entities contain the keys of their parents.
  if (page.plan.read.selection.address === undefined && !exchange.context.advice?.length) exchange.keeping?.keep(page);
  return servePage(page, start?.carried === undefined ? exchange : { ...exchange, carried: start.carried });
}

function preparePage(target: CollectionTarget, exchange: Exchange, start: SkipToken | undefined): PreparedPage {
  const { options, preferences } = exchange;
  const plan = planCollection(target, options, exchange.context, start && pageStart(start, exchange), preferences.maxPageSize?.size);
  const order = orderHash(plan.read, exchange.service);
  if (start && start.order !== order) throw errors.staleSkiptoken('the model has changed since it was issued').at('$skiptoken');
  if (target.suffix === '$ref') requireShownKey(target.type, exchange.caller);
  const selected = options.select !== undefined;
  const { container } = exchange.service;
  const opener = (format: RecordFormat): OpenPage =>
    target.suffix === '$ref'
      ? referencePageOpener(plan, format, exchange.context.advice)
      : pageOpener(plan, format, selected, exchange.context.advice);
  const statements = pageStatements(plan, target);
  return {
    kind: 'page',
    plan,
    statements,
    isView: readsView(Object.values(statements), container),
    format: options.format,
    openerOf: memoized(opener),
    order,
    orderCells: rowOrder(plan.read).cells,
  };
}

function pageStart({ after, remaining }: SkipToken, { keeping }: Exchange): PageStart {
  return { after: keysetValues(after, keeping?.firstFreeParameter), ...(remaining !== undefined && { remaining }) };
}

function pageStatements(plan: CollectionPlan, target: CollectionTarget): PreparedPage['statements'] {
  const { read, size } = plan;
  const { rows, further }: Partial<ReturnType<typeof compilePage>> = size > 0 ? compilePage(read) : {};
  const unhurried = size > 0 && isLarge(read.selection, size);
  return {
    rows: rows && { ...rows, ...(unhurried && { unhurried }) },
    further: further && { ...further, ...(unhurried && { unhurried }) },
    expanded: size > 0 ? compileExpanded(read) : undefined,
    count: read.count ? compileCountOf(read) : undefined,
    parent: compileParent(target),
  };
}

/** Answers with a planned page. */
export async function servePage(page: PreparedPage, linking: Linking): Promise<ODataResponse> {
  const { request, service, preferences } = linking;
  const { store } = page.isView ? withViews(service, linking.caller) : service;
  const format = negotiateJson(request, page.format);
  const open = page.openerOf(recordFormat(format, service, preferences));
  const body = await bodyOf((takeChunk) => {
    const read = (): Promise<Buffer> =>
      store.read((connection) => readPage(page, (count) => open(count, takeChunk), linking, connection), request.recipient);
    return page.statements.rows?.unhurried && service.largePages ? service.largePages.pass(read) : read();
  });
  return jsonResponse(200, body, format, pageHeaders(page, linking));
}

const noHeaders = {};

function pageHeaders({ plan }: PreparedPage, { preferences, carried, raw }: Linking): Readonly<Record<string, string>> {
  if (preferences === noPreferences) return noHeaders;
  const preferred = preferences.maxPageSize;
  // Where $top is the page size the request determines it, and the preference is not applied.
  const size = preferred && (plan.top === undefined || plan.remaining !== undefined) ? `${preferred.name}=${plan.size}` : undefined;
  // Of a first page only: on the others the preference has no meaning.
  const tracking = carried === undefined || raw.some(({ name }) => name === '$skiptoken') ? undefined : preferences.trackChanges;
  return preferencesApplied([size, omissionApplied(preferences), tracking]);
}

// The headers of a page do not depend on its rows; reading one shows that the read succeeds (RFC 9110, 9.3.2).
async function readHead(page: PreparedPage, linking: Linking): Promise<ODataResponse> {
  const { request, service, caller } = linking;
  const { store } = page.isView ? withViews(service, caller) : service;
  const head = headResponse(negotiateJson(request, page.format), pageHeaders(page, linking));
  const { plan, statements } = page;
  await store.read(async (connection) => {
    if (statements.parent) await requireParent(statements.parent, connection);
    if (plan.size > 0) await connection.each(compileRead({ ...plan.read, limit: 1 }), () => undefined);
  }, request.recipient);
  return head;
}

// The count and the page share a connection; `$top=0` requests only the count.
async function readPage(
  prepared: PreparedPage,
  open: (count: string | undefined) => PageWriter,
  linking: Linking,
  connection: Connection,
): Promise<Buffer> {
  const { plan, statements, orderCells } = prepared;
  const page = open(statements.count && (await countOf(statements.count, connection)));
  let rows = 0;
  let last: readonly (string | null)[] = [];
  const take = (row: RowBytes): Promise<void> | undefined => {
    rows += 1;
    if (rows > plan.size) return undefined;
    if (rows === plan.size) last = orderCells.map((cell) => cellText(row, cell));
    return page.add(row);
  };
  // Aggregation returns a row even for an empty input.
  if (statements.parent && plan.read.apply) await requireParent(statements.parent, connection);
  if (statements.expanded) await requireFewExpanded(statements.expanded, connection);
  if (statements.rows) await connection.each(statements.rows, take);
  if (statements.further && rows <= plan.size) await connection.each(statements.further, take);
  if (statements.parent && rows === 0 && !plan.read.apply) await requireParent(statements.parent, connection);
  // The extra row beyond the page size implies a next page.
  const next = rows > plan.size ? nextLink(prepared, last, linking) : undefined;
  if (next !== undefined) return page.finish(`"@odata.nextLink":${JSON.stringify(next)}`);
  const { carried } = linking;
  return page.finish(carried === undefined ? undefined : await httpHooks.get('lastMember')(carried, linking, connection));
}

async function countOf(statement: Statement, connection: Connection): Promise<string> {
  const [row] = await connection.run(statement);
  return row?.[0] ?? '0';
}

async function readCount(target: CollectionTarget, exchange: Exchange): Promise<ODataResponse> {
  const { request, service, caller, options, context, version } = exchange;
  requireMediaAccepted(request, options.format, 'text/plain');
  const statement = compileCountOf(planCount(target, options, context));
  refuseAdvised(exchange);
  const parent = compileParent(target);
  const { store } = readsView([statement, parent], service.container) ? withViews(service, caller) : service;
  const count = await store.read(async (connection) => {
    const found = await countOf(statement, connection);
    if (parent && (found === '0' || options.apply)) await requireParent(parent, connection);
    return found;
  }, request.recipient);
  return textResponse(count, version);
}
