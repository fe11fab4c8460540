import { errors } from '../../../errors/catalogue.js';
import { ODataError } from '../../../errors/odata-error.js';
import { bindingOf } from '../../../http/read/links.js';
import type { Exchange } from '../../../http/service.js';
import { shortHash } from '../../../paging/skiptoken.js';
import type { Selection } from '../../../plan/read-plan.js';
import { withoutSlashes } from '../../../protocol/message.js';
import type { Connection } from '../../../sql/statement.js';
import type { RawOption } from '../../../uri/query-options.js';
import { readFilter } from '../visible-changes.js';
import { isGivenAgain, type LogState, readLastNumber, readSeen, type Seen } from '../log-state.js';

/** The position of a reader in the log. */
export interface DeltaToken {
  /** Changes after this number are to be read. */
  readonly from: string;
  /** On further pages: the horizon when the first was read. */
  readonly to?: string;
  /** On further pages: the last key of the page before, which had the number after `from`. */
  readonly after?: string;
  /** On further pages: whether the last one ends with a link to later changes. */
  readonly tracks?: boolean;
  /** The timeline of the database. */
  readonly timeline: string;
  /** The position in the log when the link was issued. */
  readonly seen?: Seen['seen'] | undefined;
  readonly at?: Seen['at'] | undefined;
  /** The caller's view, which must still be the same. */
  readonly view: string;
  /** The part of the model that the query reads, which must still be the same. */
  readonly model: string;
}

/** The parts of a token that depend on the query, its caller and the model. */
export type Reading = Pick<DeltaToken, 'view' | 'model'>;

/** The parts of a request that a link is made of. */
export type DeltaLinking = Pick<Exchange, 'request' | 'service' | 'raw'>;

const option = '$deltatoken';

/** The link to the changes at a position: the defining query, without windows, orders and counts (protocol 11.3). */
export function deltaLink(token: DeltaToken, linking: DeltaLinking): string {
  return linkOf(`${option}=${sealToken(token, linking)}`, linking);
}

/** The member that ends the last page of a read, with the link to later changes; `carried` is as from `carry`. */
export async function deltaMember(carried: string, linking: DeltaLinking, connection: Pick<Connection, 'run'>): Promise<string> {
  const token = JSON.parse(carried) as DeltaToken; // As from `carry`.
  // Files of an earlier time may have come between the pages: of no timeline, the link is 410.
  const seen = (await isSameLog(token, connection)) ? await withSeen(token, connection) : { ...token, ...unseen, timeline: '' };
  return `"@odata.deltaLink":${JSON.stringify(deltaLink(seen, linking))}`;
}

/** The token with the present position in the log, after a page was read: its records show no later change. */
export async function withSeen(token: DeltaToken, connection: Pick<Connection, 'run'>): Promise<DeltaToken> {
  return { ...token, ...unseen, ...(await readSeen(token.timeline, connection)) };
}

const unseen = { seen: undefined, at: undefined };

/** A token as text that next links carry, sealed as they are. */
export function carry(token: DeltaToken): string {
  return JSON.stringify(token);
}

const replaced = 'the database has been replaced or restored since it was issued';

// The last number that the reader has seen or passes over: numbers up to a horizon may have been drawn for nothing.
function reached({ from, to = from, seen = to }: DeltaToken): string {
  return BigInt(seen) > BigInt(to) ? seen : to;
}

async function isSameLog(token: DeltaToken, connection: Pick<Connection, 'run'>): Promise<boolean> {
  if (token.at === undefined) return true;
  const last = await readLastNumber(connection);
  return BigInt(reached(token)) <= BigInt(last) && !(await isGivenAgain({ seen: reached(token), at: token.at }, connection));
}

/** Throws 410 where the files of an earlier time have taken the place of the database, and the numbers were given again. */
export async function requireSameLog(
  token: DeltaToken,
  linking: DeltaLinking,
  state: LogState,
  connection: Pick<Connection, 'run'>,
): Promise<void> {
  const { at, timeline } = token;
  if (at === undefined || timeline !== state.timeline) return;
  if (await isGivenAgain({ seen: reached(token), at }, connection)) throw outdated(replaced, linking);
}

/** The position of a token. Throws 400 for one that was not issued for the request, and 410 for an outdated one. */
export function openToken(text: string, linking: DeltaLinking, state: LogState, reading: Reading): DeltaToken {
  const token = opened(text, linking);
  const stale = staleness(token, state, reading);
  if (stale !== undefined) throw outdated(stale, linking);
  return token;
}

function staleness(token: DeltaToken, state: LogState, { view, model }: Reading): string | undefined {
  if (token.model !== model) return 'the model has changed since it was issued';
  if (token.view !== view) return 'it was issued to a caller with other permissions';
  if (!hasSeen(token, state)) return replaced;
  return BigInt(token.from) < BigInt(state.floor) ? 'changes since it was issued are no longer kept' : undefined;
}

/** Whether a token was issued for the request, by any model. */
export function isIssued(text: string, linking: DeltaLinking): boolean {
  try {
    return opened(text, linking) !== undefined;
  } catch (failure) {
    return failure instanceof ODataError && failure.status === 410;
  }
}

/** The 410 for a token of the request. */
export function outdated(reason: string, linking: DeltaLinking): ODataError {
  return withLocation(errors.staleSkiptoken(reason, option).at(option), linking);
}

// After a failover or a restore: whether the database has all that the reader saw, which may be newer than the position.
// The files of an earlier time are still of the same timeline, but lack the numbers that were drawn since.
function hasSeen(token: DeltaToken, state: LogState): boolean {
  const { timeline, seen } = token;
  if (timeline === state.timeline) return state.last === undefined || BigInt(reached(token)) <= BigInt(state.last);
  const end = state.ends.get(timeline);
  return seen !== undefined && end !== undefined && BigInt(reached(token)) <= BigInt(end);
}

function opened(text: string, linking: DeltaLinking): DeltaToken {
  try {
    const { carried = '' } = linking.service.seal.open(text, bindingFor(linking), option);
    return JSON.parse(carried) as DeltaToken; // As sealed below.
  } catch (failure) {
    throw failure instanceof ODataError && failure.status === 410 ? withLocation(failure, linking) : failure;
  }
}

// The client starts again by reading everything (protocol 11.3.3).
function withLocation(error: ODataError, linking: DeltaLinking): ODataError {
  return error.withHeaders({ Location: linkOf(undefined, linking) });
}

function sealToken(token: DeltaToken, linking: DeltaLinking): string {
  return linking.service.seal.seal({ after: [], carried: carry(token) }, bindingFor(linking));
}

function linkOf(last: string | undefined, linking: DeltaLinking): string {
  const query = [...defining(linking).map(({ text }) => text), ...(last === undefined ? [] : [last])].join('&');
  return `${linking.service.root}${pathOf(linking)}${query === '' ? '' : `?${query}`}`;
}

// A number of changes has the token of its changes.
function pathOf({ request }: DeltaLinking): string {
  return withoutSlashes(request.path).replace(/\/\$count$/, '');
}

// The token of a next link has another meaning: neither is valid as the other.
function bindingFor(linking: DeltaLinking): string {
  const { request } = linking;
  return `${bindingOf({ request: { ...request, path: pathOf(linking) } }, defining(linking))}\n${option}`;
}

const dropped: ReadonlySet<string> = new Set(['$top', '$skip', '$count', '$orderby', '$skiptoken', option]);

function defining({ raw }: DeltaLinking): readonly RawOption[] {
  return raw.filter(({ name }) => !dropped.has(name));
}

/** The facts that decide which records a caller sees: the scopes, and where row filters apply also the values of the token. */
export function viewOf({ type, expands }: Selection, { caller, service }: Pick<Exchange, 'caller' | 'service'>): string {
  const { scopes, subject, member = '' } = caller;
  const types = [type, ...expands.map(({ selection }) => selection.type)];
  const values = types.every((one) => readFilter(one, caller, service.container) === undefined) ? [] : [subject, member];
  return shortHash(JSON.stringify([[...scopes].sort(), ...values]));
}
