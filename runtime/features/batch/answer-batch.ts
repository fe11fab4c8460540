import { randomUUID } from 'node:crypto';
import { errors } from '../../errors/catalogue.js';
import { negotiateVersion, parseAccept, parseMediaType, takes401 } from '../../protocol/negotiate.js';
import type { ODataRequest, ODataResponse, WholeResponse } from '../../protocol/message.js';
import { parsePrefer, preferencesApplied } from '../../protocol/prefer.js';
import type { RequestKind } from '../../http/respond.js';
import { notAllowed, optionsResponse } from '../../protocol/routes.js';
import type { Answer, Service } from '../../http/service.js';
import { type Batch, batchLimits, isJsonType, isSuccess, noOutcomes, type Outcome, wholeRoom } from './batch.js';
import { readJsonBatch } from './read-json.js';
import { readMultipartBatch } from './read-multipart.js';
import { remembered } from '../../uri/remembered.js';
import { runBatch, type UnitOutcome } from './run-batch.js';
import { STATUS_CODES } from 'node:http';

/** A request to `/$batch`. */
export const batchRequest: RequestKind = { resource: '$batch', path: /^\/+(\$|%24)batch\/*$/i, answer: answerBatch };

// POST to `/$batch`: 200 with an answer for each request, whatever its status (protocol 11.7).
async function answerBatch(request: ODataRequest, service: Service, next: Answer): Promise<ODataResponse> {
  const version = negotiateVersion(request);
  const caller = await service.authenticate(request.header('authorization'));
  if (request.method === 'OPTIONS') return optionsResponse(['POST'], version);
  if (request.method !== 'POST') throw notAllowed(request.method, ['POST']);
  refuseRepeatability(request);
  const form = requestedForm(request);
  const answerForm = negotiateForm(request, form);
  const batch = await readBatch(request, form);
  const { continueOnError } = parsePrefer(request.header('prefer'));
  const address = { root: service.root, host: request.header('host') };
  const authenticated = { ...service, authenticate: () => Promise.resolve(caller) };
  const run = { request, service: authenticated, address, outcomes: noOutcomes(), answer: next, room: wholeRoom() };
  const units = await runBatch(batch, run, continueOnError ?? batch.continues);
  const applied = continueOnError === undefined || !hasFailure(units) ? undefined : `continue-on-error=${continueOnError}`;
  return render(units, answerForm, { 'OData-Version': version, ...preferencesApplied([applied]) });
}

type Form = 'json' | 'multipart';

const forms: { readonly [type: string]: Form | undefined } = { 'application/json': 'json', 'multipart/mixed': 'multipart' };

function requestedForm(request: ODataRequest): Form {
  const sent = request.header('content-type') ?? 'nothing';
  const form = forms[parseMediaType(sent).type];
  if (form === undefined) throw errors.unsupportedMediaType(sent.slice(0, 64), 'application/json or multipart/mixed');
  return form;
}

// Without an Accept header the answer has the format of the request (protocol 11.7.1). Clients of 4.0, which has no
// JSON batches, mean the format of the parts when they accept JSON.
function negotiateForm(request: ODataRequest, sent: Form): Form {
  const ranges = parseAccept(request.header('accept') ?? '*/*').filter(({ quality }) => quality > 0);
  for (const { type } of ranges) {
    if (
      type === '*/*' ||
      (sent === 'multipart' && !takes401(request)) ||
      (sent === 'json' ? type === 'application/*' : type === 'multipart/*')
    )
      return sent;
    const form = forms[type];
    if (form !== undefined) return form;
  }
  throw errors.notAcceptable('application/json, multipart/mixed');
}

async function readBatch(request: ODataRequest, form: Form): Promise<Batch> {
  const bytes = await request.body(batchLimits.bytes);
  return form === 'json' ? readJsonBatch(bytes) : readMultipartBatch(Buffer.from(bytes), request.header('content-type') ?? '');
}

// A batch is not repeatable as a whole, so the headers would have no effect.
function refuseRepeatability(request: ODataRequest): void {
  if (request.header('repeatability-request-id') === undefined) return;
  throw errors
    .notImplemented('Repeatability-Request-ID for a whole batch; its requests may have their own ids')
    .withHeaders({ 'Repeatability-Result': 'rejected' });
}

function hasFailure(units: readonly UnitOutcome[]): boolean {
  return units.some(({ outcomes }) => outcomes.some(({ response }) => !isSuccess(response)));
}

function render(units: readonly UnitOutcome[], form: Form, headers: Readonly<Record<string, string>>): ODataResponse {
  if (form === 'json') return { status: 200, headers: { 'Content-Type': 'application/json', ...headers }, body: renderJsonBatch(units) };
  const boundary = `batchresponse_${randomUUID()}`;
  return {
    status: 200,
    headers: { 'Content-Type': `multipart/mixed; boundary=${boundary}`, ...headers },
    body: renderMultipartBatch(units, boundary),
  };
}

/** Renders the answers of a batch in JSON (JSON format 19.5), each with the id of its request. */
function renderJsonBatch(units: readonly UnitOutcome[]): Buffer {
  const chunks: Buffer[] = [];
  for (const { unit, outcomes } of units) {
    for (const outcome of outcomes) chunks.push(...renderResponse(outcome, unit.group, chunks.length === 0 ? '{"responses":[' : ','));
  }
  return Buffer.concat([...chunks, Buffer.from(chunks.length === 0 ? '{"responses":[]}' : ']}')]);
}

const memberName = remembered((header) => `${JSON.stringify(header.toLowerCase())}:`);

function renderResponse({ part, response }: Outcome, group: string | undefined, before: string): readonly Buffer[] {
  const headers = Object.entries(response.headers).map(([name, value]) => memberName(name) + JSON.stringify(value));
  const members = [
    ...(part.named ? [`"id":${JSON.stringify(part.id)}`] : []),
    ...(group === undefined ? [] : [`"atomicityGroup":${JSON.stringify(group)}`]),
    `"status":${response.status}`,
    `"headers":{${headers.join(',')}}`,
  ];
  const open = Buffer.from(`${before}{${members.join(',')}`);
  return [open, ...(response.body === undefined ? [] : [Buffer.from(',"body":'), bodyOf(response)]), Buffer.from('}')];
}

// JSON stays JSON, text becomes a string, and anything else a string in base64url.
function bodyOf({ headers, body }: WholeResponse): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body ?? '');
  const { type, parameters } = parseMediaType(headers['Content-Type'] ?? '');
  // Only bytes of streams and binary values have a disposition; they need not be what their media type says.
  if (isJsonType(type) && (headers['Content-Disposition'] === undefined || isJson(bytes))) return bytes;
  const text = type.startsWith('text/') ? decoded(bytes, parameters.get('charset')) : undefined;
  return Buffer.from(JSON.stringify(text ?? bytes.toString('base64url')));
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(decoded(bytes) ?? '');
    return true;
  } catch {
    return false;
  }
}

// Undefined for bytes that are not text of the character set, and for an unknown one.
function decoded(bytes: Uint8Array, charset = 'utf-8'): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Renders the answers of a batch in multipart/mixed (protocol 11.7.7.6): one part per request, and one for a failed change set. */
function renderMultipartBatch(units: readonly UnitOutcome[], boundary: string): Buffer {
  return multipart(
    units.map(({ unit, outcomes }, index) =>
      unit.group === undefined ? single(outcomes) : changeSet(outcomes, changeSetBoundary(boundary, index)),
    ),
    boundary,
  );
}

// Some clients recognize a change set only by this name.
function changeSetBoundary(boundary: string, index: number): string {
  return `${boundary.replace('batchresponse_', 'changesetresponse_')}_${index}`;
}

function single([outcome]: readonly Outcome[]): Buffer {
  return outcome ? httpPart(outcome) : Buffer.alloc(0);
}

function changeSet(outcomes: readonly Outcome[], boundary: string): Buffer {
  // The failed request answers for its change set; the others only depended on it.
  const failed =
    outcomes.find(({ response }) => !isSuccess(response) && response.status !== 424) ??
    outcomes.find(({ response }) => !isSuccess(response));
  if (failed) return httpPart(failed);
  return Buffer.concat([
    Buffer.from(`Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n`),
    multipart(outcomes.map(httpPart), boundary),
  ]);
}

function multipart(parts: readonly Buffer[], boundary: string): Buffer {
  const begin = Buffer.from(`--${boundary}\r\n`);
  const end = Buffer.from('\r\n');
  return Buffer.concat([...parts.flatMap((part) => [begin, part, end]), Buffer.from(`--${boundary}--\r\n`)]);
}

function httpPart({ part, response }: Outcome): Buffer {
  const id = part.named ? `Content-ID: ${part.id}\r\n` : '';
  const body = typeof response.body === 'string' ? Buffer.from(response.body) : Buffer.from(response.body ?? '');
  // A client that writes its id into the request looks for it in the response.
  const inner = part.headers.has('content-id') ? id : '';
  const line = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? 'Unknown'}\r\n`;
  const head = `${line}${inner}${headerLines(response, body).join('')}`;
  return Buffer.concat([Buffer.from(`Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n${id}\r\n${head}\r\n`), body]);
}

function headerLines({ headers }: WholeResponse, body: Buffer): readonly string[] {
  return [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`),
    ...(body.length === 0 ? [] : [`Content-Length: ${body.length}\r\n`]),
  ];
}
