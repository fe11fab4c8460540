import { createHash } from 'node:crypto';
import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import type { RequestKind } from '../../http/respond.js';
import type { Answer, Service } from '../../http/service.js';
import type { Caller } from '../../plan/caller.js';
import { httpLimits, isWhole, type ODataRequest, type ODataResponse, type WholeResponse } from '../../protocol/message.js';
import { StatementBuilder } from '../../sql/builder.js';
import type { Connection, Row, Statement } from '../../sql/statement.js';
import { storeOn } from '../../store/store.js';

/** The time for which answers are kept, and thus the maximum age of a repeated request. */
const keptHours = 24;
const clockSkew = 5 * 60_000;

/** A request with Repeatability-Request-ID: it is executed once, however often it is sent (OASIS Repeatable Requests 1.0). */
export const repeatableRequest: RequestKind = {
  header: 'repeatability-request-id',
  methods: new Set(['POST', 'PUT', 'PATCH', 'DELETE']),
  answer: answerOnce,
};

async function answerOnce(request: ODataRequest, service: Service, next: Answer): Promise<ODataResponse> {
  // A service that only reads has no place for ids, and rejects the change.
  if (service.readOnly) return next(request, service);
  const id = request.header('repeatability-request-id') ?? '';
  requireFirstSent(request.header('repeatability-first-sent'));
  if (!/^[!-~]{1,256}$/.test(id)) throw badHeader('Repeatability-Request-ID must have 1 to 256 visible characters.');
  const caller = await service.authenticate(request.header('authorization'));
  const body = await request.body().catch(tooLarge);
  const key = { subject: caller.subject, client: (request.header('repeatability-client-id') ?? '').slice(0, 256), id };
  const known = { ...service, authenticate: () => Promise.resolve(caller) };
  const whole = (limit: number = httpLimits.body): Promise<Uint8Array> =>
    body.length > limit ? Promise.reject(errors.bodyTooLarge(limit)) : Promise.resolve(body);
  const again = { ...request, body: whole, chunks: (limit: number) => once(whole(limit)) };
  return service.store
    .transaction(
      (connection) => takeAndAnswer({ key, fingerprint: fingerprintOf(request, body, caller), next }, again, known, connection),
      request.recipient,
    )
    .catch(notCarriedOut);
}

// The body is part of the fingerprint, so it is buffered, unlike other media streams.
function tooLarge(failure: unknown): never {
  if (!(failure instanceof ODataError) || failure.status !== 413) throw failure;
  throw errors
    .bodyTooLarge(
      httpLimits.body,
      ', the limit of a request with Repeatability-Request-ID; send a media stream without it, since a PUT can be repeated',
    )
    .withHeaders(rejected);
}

// Client errors are rolled back with the id, so that a corrected request may be sent. After other failures the state of
// the transaction is unknown.
function notCarriedOut(failure: unknown): never {
  throw failure instanceof ODataError && failure.status < 500 ? failure.withHeaders(rejected) : failure;
}

async function* once(chunk: Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await chunk;
}

// The id, the changes and the answer are committed together.
async function takeAndAnswer(
  { key, fingerprint, next }: { readonly key: RequestKey; readonly fingerprint: string; readonly next: Answer },
  request: ODataRequest,
  service: Service,
  connection: Connection,
): Promise<ODataResponse> {
  const [taken] = await connection.run(compileTake(key, fingerprint));
  if (taken === undefined) return replay(key, fingerprint, connection);
  await connection.run(compileForget(2 * keptHours));
  const response = await next(request, { ...service, store: storeOn(connection) });
  if (!isWhole(response))
    throw errors.notImplemented('Repeatability-Request-ID for a request with a streamed response').withHeaders(rejected);
  const accepted = { ...response, headers: { ...response.headers, 'Repeatability-Result': 'accepted' } };
  await connection.run(
    compileAnswered(key, { status: String(accepted.status), headers: JSON.stringify(accepted.headers), body: hexOf(accepted) }),
  );
  return accepted;
}

async function replay(key: RequestKey, fingerprint: string, connection: Connection): Promise<WholeResponse> {
  const [row] = await connection.run(compileTaken(key));
  if (row === undefined || row[0] !== fingerprint)
    throw errors
      .preconditionFailed('Another request had this Repeatability-Request-ID; every request needs its own id.')
      .withHeaders(rejected);
  return answerOf(row);
}

function answerOf([, status, headers, body]: Row): WholeResponse {
  return {
    status: Number(status),
    headers: JSON.parse(headers ?? '{}') as Record<string, string>, // As written by `takeAndAnswer`.
    ...(body != null && { body: Buffer.from(body.slice(2), 'hex') }),
  };
}

function hexOf({ body }: WholeResponse): string | null {
  return body === undefined ? null : `\\x${Buffer.from(body).toString('hex')}`;
}

// The fingerprint of a request: everything that its outcome depends on.
function fingerprintOf(request: ODataRequest, body: Uint8Array, { scopes, member = '' }: Caller): string {
  const headers = [
    'content-type',
    'if-match',
    'if-none-match',
    'prefer',
    'accept',
    'odata-version',
    'odata-maxversion',
    'repeatability-first-sent',
  ];
  const scopeList = [...scopes].toSorted().join(' ');
  const hash = createHash('sha256').update(
    [request.method, request.path, request.query, ...headers.map((name) => request.header(name) ?? ''), member, scopeList].join('\n'),
  );
  return hash.update('\n').update(body).digest('hex');
}

const rejected = { 'Repeatability-Result': 'rejected' };

function requireFirstSent(sent: string | undefined): void {
  if (sent === undefined) throw badHeader('Repeatability-Request-ID requires Repeatability-First-Sent.');
  const time = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(sent) ? Date.parse(sent) : Number.NaN;
  if (Number.isNaN(time))
    throw badHeader('Repeatability-First-Sent must be an HTTP date, such as Sun, 06 Nov 1994 08:49:37 GMT.', 'Repeatability-First-Sent');
  const age = Date.now() - time;
  if (age < -clockSkew) throw errors.preconditionFailed('Repeatability-First-Sent is in the future.').withHeaders(rejected);
  if (age > keptHours * 3_600_000)
    throw errors
      .preconditionFailed(`Repeatability-First-Sent is more than ${keptHours} hours ago; responses are not kept longer.`)
      .withHeaders(rejected);
}

function badHeader(why: string, header = 'Repeatability-Request-ID'): ODataError {
  return errors.badOption(why).at(header).withHeaders(rejected);
}

/** The identity of a repeatable request: two callers may choose the same id. */
interface RequestKey {
  readonly subject: string;
  readonly client: string;
  readonly id: string;
}

/** The stored answer to a request, with headers as JSON. */
interface StoredAnswer {
  readonly status: string;
  readonly headers: string;
  /** In hexadecimal, PostgreSQL's text form of bytes. */
  readonly body: string | null;
}

/** Reserves the id of a request; returns no row if it is reserved already. Waits for a concurrent reservation. */
function compileTake({ subject, client, id }: RequestKey, fingerprint: string): Statement {
  const builder = new StatementBuilder();
  const values = [subject, client, id, fingerprint].map((value) => builder.bind(value, 'text'));
  return builder.reusableStatement(
    `insert into gable_request (subject, client, id, fingerprint) values (${values.join(', ')}) on conflict do nothing returning 1`,
  );
}

/** The fingerprint and the answer of the request that reserved an id. */
function compileTaken(key: RequestKey): Statement {
  const builder = new StatementBuilder();
  return builder.reusableStatement(`select fingerprint, status, headers, body from gable_request where ${where(key, builder)}`);
}

/** Stores the answer of the request that reserved an id. */
function compileAnswered(key: RequestKey, { status, headers, body }: StoredAnswer): Statement {
  const builder = new StatementBuilder();
  const sets = [
    `status = ${builder.bind(status, 'integer')}`,
    `headers = ${builder.bind(headers, 'text')}`,
    `body = ${builder.bind(body, 'bytea')}`,
  ];
  return builder.reusableStatement(`update gable_request set ${sets.join(', ')} where ${where(key, builder)}`);
}

/** Deletes a few expired answers; skips those that another request is deleting. */
function compileForget(hours: number): Statement {
  const builder = new StatementBuilder();
  const old = `select ctid from gable_request where taken_at < now() - make_interval(hours => ${builder.bind(String(hours), 'integer')}) limit 100 for update skip locked`;
  return builder.reusableStatement(`delete from gable_request where ctid = any(array(${old}))`);
}

function where({ subject, client, id }: RequestKey, builder: StatementBuilder): string {
  return `subject = ${builder.bind(subject, 'text')} and client = ${builder.bind(client, 'text')} and id = ${builder.bind(id, 'text')}`;
}
