import { sampleNames } from '../errors/sample-names.js';
import type { Caller } from '../plan/caller.js';
import type { Target } from '../plan/path/path-target.js';
import { planPath } from '../plan/read/plan-path.js';
import { createAliases, type PlanContext } from '../plan/scope.js';
import { resolveEntityId } from '../protocol/entity-id.js';
import type { ODataRequest, ODataResponse } from '../protocol/message.js';
import { negotiateVersion, refuseIsolation } from '../protocol/negotiate.js';
import { parsePrefer, strictly, type Preferences } from '../protocol/prefer.js';
import { parseResourcePath } from '../uri/parse-resource-path.js';
import { doubtfulOptions, requireNoCustomOption } from '../uri/option-names.js';
import { positioned } from '../uri/position.js';
import { execute, executeById, executeRoute } from './execute.js';
import { httpHooks } from './hooks.js';
import { keepingBody, type ParsedParts, parseRequest } from './parse-request.js';
import { servePage } from './read/read-collection.js';
import { serveEntity } from './read/read-entity.js';
import { type PreparedWrite, planKey, type Prepared } from './read/plan-cache.js';
import { readMetadata, readVocabulary } from './read/read-metadata.js';
import { type Exchange, filteredService, type Keeping, type Service } from './service.js';
import { ODataError } from '../errors/odata-error.js';
import { nullPattern } from '../plan/keyset-value.js';
import type { SkipToken } from '../paging/skiptoken.js';
import type { RawOption } from '../uri/query-options.js';
import { shapeOf, ParameterRecording, type RequestShape } from '../uri/shape.js';
import { openSkiptoken } from './read/links.js';

/**
 * Runs a request through all stages: authenticate, parse, plan, compile, execute, render. A cached plan skips parsing,
 * planning and compiling.
 */
export async function answer(sent: ODataRequest, whole: Service): Promise<ODataResponse> {
  // Grows with each stage, so that an error finds its position in the text.
  const parts: ParsedParts = { path: sent.path, query: sent.query };
  try {
    const version = negotiateVersion(sent);
    refuseIsolation(sent);
    const caller = whole.publicMetadata && isDocument(sent, whole) ? nobody : await whole.authenticate(sent.header('authorization'));
    const service = filteredService(whole, caller);
    const preferences = parsePrefer(sent.header('prefer'));
    const received = { version, caller, service, preferences };
    const found = findPlan(sent, caller, service, preferences);
    if (!found?.known) return await answerNew(sent, received, parts, found?.keeping);
    if (found.known.kind === 'metadata') return readMetadata(sent, service, found.known.format);
    if (found.known.kind === 'write') return await answerWrite(sent, received, parts, found.known);
    const linking = { request: sent, service, caller, preferences, raw: found.raw, carried: found.carried };
    return await (found.known.kind === 'page' ? servePage(found.known, linking) : serveEntity(found.known, linking));
  } catch (error) {
    throw positioned(error, parts);
  }
}

/** The facts about a request before it is parsed. */
type Received = Pick<Exchange, 'version' | 'caller' | 'service' | 'preferences'>;

async function answerNew(sent: ODataRequest, received: Received, parts: ParsedParts, keeping?: Keeping): Promise<ODataResponse> {
  const { service, preferences } = received;
  const { path, ...parsed } = await parseRequest(sent, service, parts, keeping?.recording);
  const { request, options, raw, parameters } = parsed;
  const vocabulary = path.parts.length === 1 && service.metadata.vocabularies.get(path.parts[0]?.name ?? '');
  if (vocabulary) return readVocabulary(request, vocabulary);
  const context = contextOf(received);
  const isById = path.parts[0]?.name === '$entity';
  const address = { root: service.root, host: request.header('host'), method: request.method };
  const named = isById || options.id !== undefined ? resolveEntityId(path, options, address) : path;
  const target = planPath(named, { ...context, ...(parameters && { parameters }) });
  const known = {
    parameters: parametersOf(target),
    properties: () => (target.kind === 'collection' ? Object.keys(target.type.fields) : []),
    names: () => sampleNames(service.container, sent.path),
  };
  if (preferences.strict) requireNoCustomOption(raw, known);
  context.advice?.push(...doubtfulOptions(raw, known));
  const exchange: Exchange = { ...received, ...parsed, context, ...(keeping && { keeping }) };
  const response = await (isById ? executeById : execute)(target, exchange);
  return preferences.strict ? strictly(response) : response;
}

// The path is parsed only for the position of an error.
async function answerWrite(sent: ODataRequest, received: Received, parts: ParsedParts, plan: PreparedWrite): Promise<ODataResponse> {
  try {
    const exchange = { request: keepingBody(sent, parts), context: contextOf(received), options: {}, raw: [], ...received };
    return await executeRoute(plan, exchange);
  } catch (error) {
    parts.parts = parseResourcePath(sent.path).parts;
    throw error;
  }
}

function contextOf({ caller, service: { container, settings } }: Received): PlanContext {
  return { container, caller, aliases: createAliases(), settings, advice: [] };
}

function parametersOf(target: Target): ReadonlySet<string> {
  return target.kind === 'operation' ? httpHooks.get('parameterNames')(target) : new Set();
}

const nobody: Caller = { subject: '', scopes: new Set<string>() };

// A path that begins with letters only is one to entities.
const toRecords = /^\/[A-Za-z]+(?:[/(]|$)/;

// With public metadata, the documents about the model require no token.
function isDocument({ path }: ODataRequest, { metadata }: Service): boolean {
  if (toRecords.test(path)) return false;
  const [first] = parseResourcePath(path).parts;
  return first === undefined || first.name === '$metadata' || metadata.vocabularies.has(first.name);
}

/** A cached plan, or the recording under which a new one is cached. */
type ShapedRequest =
  | { readonly known: Prepared; readonly raw: readonly RawOption[]; readonly carried: string | undefined }
  | { readonly known?: undefined; readonly keeping: Keeping };

/** The cached plan for a request of the same shape; undefined for requests without a shape. */
function findPlan(request: ODataRequest, caller: Caller, service: Service, preferences: Preferences): ShapedRequest | undefined {
  const { plans } = service;
  // Strict handling checks the options of each request.
  if (plans === undefined || preferences.strict || !isKept(request)) return undefined;
  if (preferences.trackChanges !== undefined || preferences.wait !== undefined) return undefined;
  const shape = shapeOrNone(request);
  if (shape === undefined) return undefined;
  const start = shape.skiptoken === undefined ? undefined : openSkiptoken(shape.skiptoken, { request, service, raw: shape.raw });
  const key = planKey(shape.text, caller, request.method, preferences.maxPageSize?.size, start && startShape(start));
  const known = plans.find(key, shape.literals, start?.after.map((value) => value ?? '') ?? []);
  if (known !== undefined) return { known, raw: shape.raw, carried: start?.carried };
  const recording = new ParameterRecording(shape);
  return { keeping: { recording, firstFreeParameter: shape.literals.length, keep: (plan) => plans.add(key, recording, plan) } };
}

// The address of an entity set or of one of its entities.
const plainPath = /^\/\w+(?:\([^/]*\))?$/;
const writing: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

function isKept({ method, path, query }: ODataRequest): boolean {
  return method === 'GET' || (query === '' && writing.has(method) && plainPath.test(path));
}

// A malformed request has no shape; the parsers, which begin with the path, report what is wrong with it.
function shapeOrNone({ path, query }: ODataRequest): RequestShape | undefined {
  try {
    return shapeOf(path, query);
  } catch (failure) {
    if (failure instanceof ODataError) return undefined;
    throw failure;
  }
}

// A page after a null has another condition, and a token with another order is refused.
function startShape({ after, remaining, order = '' }: SkipToken): string {
  return `${nullPattern(after)} ${remaining ?? ''} ${order}`;
}
