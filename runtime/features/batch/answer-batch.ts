import { randomUUID } from 'node:crypto';
import { errors } from '../../errors/catalogue.js';
import { negotiateVersion, parseAccept, parseMediaType, takes401 } from '../../protocol/negotiate.js';
import type { ODataRequest, ODataResponse } from '../../protocol/message.js';
import { parsePrefer, preferencesApplied } from '../../protocol/prefer.js';
import type { RequestKind } from '../../http/respond.js';
import { notAllowed, optionsResponse } from '../../protocol/routes.js';
import type { Answer, Service } from '../../http/service.js';
import { type Batch, batchLimits, isSuccess, noOutcomes } from './batch.js';
import { readJsonBatch } from './read-json.js';
import { readMultipartBatch } from './read-multipart.js';
import { renderJsonBatch, renderMultipartBatch } from './render-batch.js';
import { runBatch, type UnitOutcome } from './run-batch.js';

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
  const run = { request, service: authenticated, address, outcomes: noOutcomes(), answer: next };
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
