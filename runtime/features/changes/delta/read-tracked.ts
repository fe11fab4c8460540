import { requireReadable } from '../../../plan/caller.js';
import { planCollection, type CollectionPlan } from '../../../plan/read/plan-read.js';
import { readCollection } from '../../../http/read/read-collection.js';
import { type Exchange, unfilteredStore } from '../../../http/service.js';
import { isTooLong, jsonResponse, type ODataResponse, textResponse } from '../../../protocol/message.js';
import { negotiateJson, requireMediaAccepted } from '../../../protocol/negotiate.js';
import { omissionApplied, preferencesApplied } from '../../../protocol/prefer.js';
import type { Connection, Row } from '../../../sql/statement.js';
import type { CommonExpr } from '../../../expression/ast.js';
import { isOnePart, type LogState, readLogState, readPart } from '../log-state.js';
import { readChanges } from '../read-changes.js';
import { type ChangedRecords, compileChangedCount, compileChangedKeys } from './changed-keys.js';
import { type DeltaPage, renderDelta } from './delta-page.js';
import {
  carry,
  deltaLink,
  deltaMember,
  type DeltaToken,
  openToken,
  type Reading,
  requireSameLog,
  viewOf,
  withSeen,
} from './delta-token.js';
import { modelPart } from './model-part.js';
import type { CollectionTarget } from '../../../plan/path/path-target.js';
import { isTrackable, planTracked } from './trackable.js';
import { waitForChanges } from './wait.js';

/** The most changes of a page. */
const mostChanges = 1_000;

/** Reads a collection with `track-changes`, `$deltatoken` or `wait`. */
export async function readTracked(target: CollectionTarget, exchange: Exchange): Promise<ODataResponse> {
  const { options, preferences } = exchange;
  if (options.deltatoken !== undefined) return readDelta(target, exchange);
  if (target.type.events !== undefined && target.suffix === '') return readEvents(target, exchange);
  // On next links the preference has no meaning.
  if (preferences.trackChanges === undefined || options.skiptoken !== undefined) return readCollection(target, exchange);
  const plan = target.suffix === '' ? planCollection(target, options, exchange.context) : undefined;
  if (plan === undefined || !isTrackable(target, plan, exchange)) return readCollection(target, exchange);
  // Before the first page is read: what changes meanwhile comes with the first link.
  const state = await readState(exchange);
  const position = positionAt(state.horizon, state, plan, exchange);
  // A query that came in a body may be longer than an address.
  if (isTooLong('GET', deltaLink(position, exchange))) return readCollection(target, exchange);
  const seen = await unfilteredStore(exchange.service).read((connection) => withSeen(position, connection), exchange.request.recipient);
  return readCollection(target, { ...exchange, carried: carry(seen) });
}

/** The last member of such a read. */
export const lastMember = deltaMember;

function readState({ service, request }: Exchange): Promise<LogState> {
  return unfilteredStore(service).read(readLogState, request.recipient);
}

function positionAt(from: string, { timeline }: LogState, { read }: CollectionPlan, exchange: Exchange): DeltaToken {
  return { from, timeline, ...readingOf(read, exchange) };
}

function readingOf({ selection }: CollectionPlan['read'], exchange: Exchange): Reading {
  return { view: viewOf(selection, exchange), model: modelPart(selection, exchange.service) };
}

/** The changes since a link was issued. */
async function readDelta(target: CollectionTarget, exchange: Exchange): Promise<ODataResponse> {
  const { options, service } = exchange;
  const { deltatoken = '', ...query } = options;
  const plan = planTracked(target, { ...exchange, options: query }, deltatoken);
  const state = await readState(exchange);
  if (deltatoken === 'latest') return answerNone(plan, positionAt(state.horizon, state, plan, exchange), exchange);
  const token = openToken(deltatoken, exchange, state, readingOf(plan.read, exchange));
  await unfilteredStore(service).read((connection) => requireSameLog(token, exchange, state, connection), exchange.request.recipient);
  if (target.suffix === '$count') return answerCount(recordsOf(token, state.horizon, plan, exchange), exchange);
  if (token.to !== undefined) return answerPage(plan, token, state.horizon, exchange);
  const isChanged = async (horizon: string): Promise<boolean> => {
    const records = recordsOf(token, horizon, plan, exchange);
    const part = await endOfPart(records, exchange);
    return part !== horizon || hasChanged(records, exchange);
  };
  const waited = await waitForChanges(exchange, isChanged);
  const { horizon } = waited ? await readState(exchange) : state;
  return withWait(await answerPage(plan, token, horizon, exchange), waited, exchange);
}

// Waits until the number that the filter asks for was given.
async function readEvents(target: CollectionTarget, exchange: Exchange): Promise<ODataResponse> {
  const { options, service, caller, request } = exchange;
  requireReadable(target.type, caller);
  const from = options.filter && numberBefore(options.filter, target.type.events?.sequence ?? '');
  const waited =
    from !== undefined &&
    (await waitForChanges(exchange, async (to) => {
      const query = { from, to, limit: 1, caller };
      const { changes } = await unfilteredStore(service).read(
        (connection) => readChanges(query, service.container, connection),
        request.recipient,
      );
      return changes.length > 0;
    }));
  return withWait(await readCollection(target, exchange), waited, exchange);
}

function withWait(response: ODataResponse, waited: boolean, { preferences }: Exchange): ODataResponse {
  if (!waited) return response;
  const { 'Preference-Applied': others } = response.headers;
  return { ...response, headers: { ...response.headers, ...preferencesApplied([others, `wait=${preferences.wait}`]) } };
}

// The number in `Sequence gt N`, alone or with other conditions.
function numberBefore(filter: CommonExpr, sequence: string): string | undefined {
  if (filter.kind !== 'binary') return undefined;
  const { operator, left, right } = filter;
  if (operator === 'and') return numberBefore(left, sequence) ?? numberBefore(right, sequence);
  const isSequence = left.kind === 'member' && left.path.length === 1 && left.path[0]?.name === sequence;
  if (!isSequence || right.kind !== 'literal' || !/^\d{1,18}$/.test(right.value)) return undefined;
  return operator === 'gt' ? right.value : operator === 'ge' ? String(BigInt(right.value) - 1n) : undefined;
}

function recordsOf(
  { from, to, after }: DeltaToken,
  horizon: string,
  { read }: CollectionPlan,
  { caller, service }: Exchange,
): ChangedRecords {
  const { type, expands } = read.selection;
  return { type, container: service.container, caller, from, to: to ?? horizon, after, expands };
}

async function endOfPart({ from, to }: ChangedRecords, { service, request }: Exchange): Promise<string> {
  if (isOnePart(from, to)) return to;
  return unfilteredStore(service).read((connection) => readPart(from, to, connection), request.recipient);
}

async function answerCount(records: ChangedRecords, { request, service, options, version }: Exchange): Promise<ODataResponse> {
  requireMediaAccepted(request, options.format, 'text/plain');
  const [row] = await service.store.read(({ run }) => run(compileChangedCount(records)), request.recipient);
  return textResponse(row?.[0] ?? '0', version);
}

async function hasChanged(records: ChangedRecords, { request, service }: Exchange): Promise<boolean> {
  const rows = await service.store.read(({ run }) => run(compileChangedKeys(records, 1)), request.recipient);
  return rows.length > 0;
}

// No changes, and the link to those that come.
function answerNone(plan: CollectionPlan, token: DeltaToken, exchange: Exchange): Promise<ODataResponse> {
  return answer({ plan, changed: [], last: (connection) => deltaMember(carry(token), exchange, connection) }, true, exchange);
}

async function answerPage(plan: CollectionPlan, token: DeltaToken, horizon: string, exchange: Exchange): Promise<ODataResponse> {
  const { service, request, preferences } = exchange;
  const records = recordsOf(token, horizon, plan, exchange);
  const part = await endOfPart(records, exchange);
  const size = pageSizeOf(plan, exchange);
  const rows = await service.store.read(({ run }) => run(compileChangedKeys({ ...records, part }, size + 1)), request.recipient);
  const tracks = token.tracks ?? preferences.trackChanges !== undefined;
  const page = rows.slice(0, size);
  const { timeline, view, model } = token;
  const position = rows.length > size ? positionOf(page) : part === records.to ? undefined : { from: part };
  const last = async (connection: Connection): Promise<string | undefined> => {
    if (position === undefined)
      return tracks ? deltaMember(carry({ from: records.to, timeline, view, model }), exchange, connection) : undefined;
    const next = await withSeen({ ...position, to: records.to, tracks, timeline, view, model }, connection);
    return `"@odata.nextLink":${JSON.stringify(deltaLink(next, exchange))}`;
  };
  // On further pages the preference has no meaning.
  return answer(
    { plan, changed: page.map(([key, , operation]) => ({ key: key ?? '', isDeleted: operation === 'd' })), last },
    token.tracks === undefined && tracks,
    exchange,
  );
}

// Parents of one related record have the same number, which is read again.
function positionOf(page: readonly Row[]): Pick<DeltaToken, 'from' | 'after'> {
  const [after = '', number] = page.at(-1) ?? [];
  return { from: String(BigInt(number ?? 1) - 1n), after: after ?? '' };
}

function pageSizeOf({ read }: CollectionPlan, { options, preferences }: Exchange): number {
  const { maxPageSize, maxPageSizeWithExpand } = read.selection.type.limits;
  const most = Math.min(mostChanges, maxPageSize, options.expand ? maxPageSizeWithExpand : maxPageSize);
  return Math.min(preferences.maxPageSize?.size ?? most, most);
}

async function answer(page: DeltaPage, isTracking: boolean, exchange: Exchange): Promise<ODataResponse> {
  const { request, options, preferences } = exchange;
  const size = preferences.maxPageSize && `${preferences.maxPageSize.name}=${pageSizeOf(page.plan, exchange)}`;
  const applied = preferencesApplied([size, omissionApplied(preferences), isTracking ? preferences.trackChanges : undefined]);
  return jsonResponse(200, await renderDelta(page, exchange), negotiateJson(request, options.format), applied);
}
