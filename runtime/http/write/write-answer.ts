import { type EntityType, own } from '../../edm/index.js';
import type { JsonObject } from '../../json/json.js';
import { expandOfBody } from '../../plan/write/body-expand.js';
import { accessTo, hiddenKey } from '../../plan/caller.js';
import { planEntity } from '../../plan/read/plan-read.js';
import type { ReadPlan, Selection } from '../../plan/read-plan.js';
import { createAliases } from '../../plan/scope.js';
import { contextUrl } from '../../response/context-url.js';
import { entityRenderer, urlOfRow, type RenderedEntity } from '../../response/render-collection.js';
import type { RecordFormat } from '../../response/record-format.js';
import { returnedOf, type Returned } from '../../sql/compile-single-write.js';
import type { Connection, RowBytes } from '../../sql/statement.js';
import { byNumber } from '../../store/locate-record.js';
import type { WriteScope } from '../../store/write-scope.js';
import type { Exchange } from '../service.js';
import { emptyResponse, jsonResponse, type ODataResponse } from '../../protocol/message.js';
import { negotiateJson, negotiateVersion } from '../../protocol/negotiate.js';
import { omissionApplied, preferencesApplied } from '../../protocol/prefer.js';
import { renderFirst, rowStatements } from '../read/read-entity.js';
import { recordFormat } from '../read/record-format.js';
import { keptReadBack, type Addressed, type ReadBack } from './kept-read-back.js';
import { memoized } from '../../edm/memoized.js';

/** An entity read back in the transaction that wrote it. */
export interface Written extends RenderedEntity {
  /** Its canonical URL; undefined where the caller may not know it. */
  readonly url: string | undefined;
  readonly readable: boolean;
  readonly status: 200 | 201;
}

/** Reads a stored entity back, with the request's $select and $expand. */
export async function readBack(
  target: Addressed,
  id: string,
  exchange: Exchange,
  connection: Connection,
  status: 200 | 201,
): Promise<Written> {
  const context = status === 201 ? createdContext(target.type, exchange) : undefined;
  const { url, ...stored } = await readStored(target, id, exchange, connection, context);
  return { ...stored, url: status === 201 || isAddressed(target, exchange) ? url : undefined, status };
}

// A caller who may not read the key of a record learns its address when it is created, or from the path of the request.
function isAddressed({ type, key = [] }: Addressed, { caller }: Exchange): boolean {
  return key.length > 0 || hiddenKey(type, caller) === undefined;
}

// The extension's context URL applies only without $select and $expand; otherwise the standard's form does.
function createdContext({ name }: EntityType, { service, options: { select, expand } }: Exchange): string | undefined {
  return select || expand ? undefined : own(service.extensions, name)?.createdContext;
}

/** Reads a stored entity back as part of another answer, without its own context. */
export function readMember(target: Addressed, id: string, exchange: Exchange, connection: Connection): Promise<Omit<Written, 'status'>> {
  return readStored(target, id, exchange, connection, '');
}

async function readStored(
  target: Addressed,
  id: string,
  exchange: Exchange,
  connection: Connection,
  context: string | undefined,
): Promise<Omit<Written, 'status'>> {
  const { plan, statements, readable, render } = prepareRendering(target, id, exchange, context);
  const [rendered] = await renderFirst(statements, endingWith(connection, plan), render);
  if (rendered === undefined) throw new Error(`The ${target.type.name} ${id} has disappeared within its own transaction.`);
  return { ...rendered, readable };
}

/** The answer to a write whose statement returns the entity. */
export interface Returning {
  readonly returned: Returned;
  readonly selection: Selection;
  readonly written: (row: RowBytes) => Written;
}

/** The answer from the written row; undefined where that does not have everything requested. */
export function returningOf(target: Addressed, exchange: Exchange, status: 200 | 201): Returning | undefined {
  const context = status === 201 ? createdContext(target.type, exchange) : undefined;
  const { plan, readable, render } = prepareRendering(target, '0', exchange, context);
  const { selection } = plan;
  const returned = returnedOf(selection);
  const written = (row: RowBytes): Written => {
    const { body, etag, url } = render(row);
    return { body, etag, url, readable, status };
  };
  return returned && { returned, selection, written };
}

interface Rendering extends Pick<ReadBack, 'plan' | 'statements'> {
  readonly readable: boolean;
  readonly render: (row: RowBytes) => RenderedEntity & { readonly url: string };
}

function prepareRendering(target: Addressed, id: string, exchange: Exchange, context: string | undefined): Rendering {
  const readable = accessTo(target.type, 'read', exchange.caller).allowed;
  const { plan, statements, rendererOf } = keptReadBack(target, id, exchange, context, () =>
    prepareReadBack(target, id, exchange, readable, context),
  );
  const format = recordFormat(negotiateJson(exchange.request, exchange.options.format), exchange.service, exchange.preferences);
  const render = rendererOf(format);
  return {
    plan,
    statements,
    readable,
    render: (row) => {
      const { body, etag } = render(row);
      return { body, etag, url: urlOfRow(plan, row, format.root) };
    },
  };
}

function prepareReadBack(target: Addressed, id: string, exchange: Exchange, readable: boolean, context: string | undefined): ReadBack {
  const plan = planReadBack(target, id, exchange, readable);
  const selected = exchange.options.select !== undefined;
  return {
    plan,
    statements: rowStatements(plan),
    rendererOf: memoized((format: RecordFormat) =>
      entityRenderer(plan, { ...format, addresses: true }, selected, context, exchange.context.advice),
    ),
  };
}

// The entity is the last read of the transaction. Its expansion may still be rejected, and with it the write.
function endingWith(connection: Connection, { selection }: ReadPlan): Connection {
  return connection.finish && selection.expands.length === 0 ? { ...connection, each: connection.finish } : connection;
}

function planReadBack({ type, address, named }: Addressed, id: string, exchange: Exchange, readable: boolean): ReadPlan {
  const {
    context,
    options: { select, expand, compute },
  } = exchange;
  const aliases = createAliases();
  const place = { type, alias: aliases.next(), parents: [], key: byNumber(id), via: undefined, ...(address && { address }) };
  // A writer without permission to read still gets the entity's address, which is computed from a read.
  const caller = readable
    ? context.caller
    : { ...context.caller, scopes: new Set((type.permissions.read ?? []).map(({ scope }) => scope)) };
  const options = { ...(select && { select }), ...(expand && { expand }), ...(compute && { compute }) };
  const plan = planEntity(place, options, { ...context, aliases, caller });
  return named && named.size > 0 ? { ...plan, selection: naming(plan.selection, named) } : plan;
}

// The entities keep the names of the request, at any depth (protocol 11.4.2.2).
function naming(selection: Selection, named: WriteScope['named']): Selection {
  const names = named.get(selection.table);
  return {
    ...selection,
    ...(names && { named: names }),
    expands: selection.expands.map((expand) => ({ ...expand, selection: naming(expand.selection, named) })),
  };
}

/** The context URL of written entities, with the request's $select and $expand. */
export function contextOfWritten(target: Addressed, exchange: Exchange): string {
  const { selection } = planReadBack(target, '0', exchange, accessTo(target.type, 'read', exchange.caller).allowed);
  const format = { root: exchange.service.root, version: negotiateVersion(exchange.request) };
  return contextUrl(format, selection, exchange.options.select !== undefined);
}

/** The exchange extended by an expansion of what the body wrote, unless it has its own $select or $expand (protocol 11.4.2.2). */
export function showingBody(exchange: Exchange, type: EntityType, ...bodies: readonly JsonObject[]): Exchange {
  const { options, context } = exchange;
  if (options.select || options.expand) return exchange;
  const expand = expandOfBody(type, bodies, context);
  return expand.length === 0 ? exchange : { ...exchange, options: { ...options, expand } };
}

/** Whether the answer to a change has content; $select and $expand imply it (protocol 11.4.1.5). */
export function wantsAnswer({ preferences, options }: Exchange): boolean {
  return (preferences.return ?? (options.select || options.expand ? 'representation' : undefined)) === 'representation';
}

/** The answer to a write: the entity, or only its address. */
export function renderWritten({ body, etag, url, readable, status }: Written, exchange: Exchange): ODataResponse {
  const format = negotiateJson(exchange.request, exchange.options.format);
  const { preferences } = exchange;
  const isMinimal = preferences.return === 'minimal' || !readable;
  const answered = isMinimal ? 'minimal' : 'representation';
  const headers = {
    ...(url !== undefined && { Location: url }),
    ...(etag !== undefined && { ETag: etag }),
    ...preferencesApplied([
      preferences.return === answered ? `return=${answered}` : undefined,
      isMinimal ? undefined : omissionApplied(preferences),
    ]),
  };
  if (isMinimal)
    return emptyResponse(204, format.version, { ...headers, ...(url !== undefined && { 'OData-EntityId': url, EntityId: url }) });
  return jsonResponse(status, body, format, headers);
}
