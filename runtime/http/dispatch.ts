import { type EntityContainer, mediaStream, streamOf } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { requireNavigationAccess, type Caller } from '../plan/caller.js';
import { planPath } from '../plan/plan-path.js';
import type { Target, StreamTarget } from '../plan/path-target.js';
import { createAliases } from '../plan/scope.js';
import { misplacedIndex, refuseAllOptions, refuseReadingOptions, refuseUnplannedOptions } from '../plan/check/unplanned.js';
import { bindAliases } from '../uri/bind-aliases.js';
import { parseQueryOptions } from '../uri/parse-query-options.js';
import { parseResourcePath } from '../uri/parse-resource-path.js';
import { type PlacedRequest, positioned } from '../uri/position.js';
import type { ParsedQuery, QueryOptions } from '../uri/query-options.js';
import type { ResourcePath } from '../uri/resource-path.js';
import type { ParameterRecording } from '../uri/shape.js';
import { httpHooks, type MemberOperations } from './hooks.js';
import { isEntityRequest, requireRecord, resolveEntityId } from '../protocol/entity-id.js';
import type { ServedDocument } from './document.js';
import { type Exchange, filteredService, type Service, withViews } from './service.js';
import { findRead } from './read/find-read.js';
import type { ODataRequest, ODataResponse } from '../protocol/message.js';
import { negotiateVersion } from '../protocol/negotiate.js';
import { refuseIsolation } from '../protocol/precondition.js';
import { parsePrefer, requireMeaningfulOptions, strictly } from '../protocol/prefer.js';
import { withoutQuerySegment } from '../protocol/query-segment.js';
import { readCollection, servePage } from './read/read-collection.js';
import { readEntity, serveEntity } from './read/read-entity.js';
import { readMetadata, readService, readVocabulary } from './read/read-metadata.js';
import {
  methodsOf,
  notAllowed,
  optionsResponse,
  propertyMethods,
  type RecordRoute,
  type RecordsTarget,
  routesOf,
  streamMethods,
} from '../protocol/routes.js';
import { createEntity, deleteEntity, replaceEntity, updateEntity } from './write/write-entity.js';
import { addReference, removeReference, setReferences } from './write/write-reference.js';

/**
 * Runs a request through all stages: authenticate, parse, plan, execute, render. A cached plan skips parsing and
 * planning.
 */
export async function answer(sent: ODataRequest, whole: Service): Promise<ODataResponse> {
  const parsed: Parsed = { path: sent.path, query: sent.query };
  try {
    return await receive(sent, whole, parsed);
  } catch (error) {
    throw positioned(error, parsed);
  }
}

/** Grows with each stage, so that a failing one finds what those before it made. */
type Parsed = { -readonly [Name in keyof PlacedRequest]: PlacedRequest[Name] };

async function receive(sent: ODataRequest, whole: Service, parsed: Parsed): Promise<ODataResponse> {
  const version = negotiateVersion(sent);
  refuseIsolation(sent);
  const caller = isOpen(sent, whole) ? nobody : await whole.authenticate(sent.header('authorization'));
  const service = filteredService(whole, caller);
  const preferences = parsePrefer(sent.header('prefer'));
  const read = findRead(sent, caller, service, preferences);
  if (!read?.known) return answerNew({ sent, version, caller, service, preferences }, parsed, read?.keeping);
  const linking = { request: sent, service, caller, preferences, raw: read.raw, carried: read.carried };
  return read.known.kind === 'page' ? servePage(read.known, linking) : serveEntity(read.known, linking);
}

/** The facts about a request before it is parsed. */
interface Received extends Pick<Exchange, 'version' | 'caller' | 'service' | 'preferences'> {
  readonly sent: ODataRequest;
}

async function answerNew(
  { sent, version, caller, service, preferences }: Received,
  parsed: Parsed,
  keeping: Exchange['keeping'],
): Promise<ODataResponse> {
  const planParameters = keeping?.recording;
  const received = sent.method !== 'GET' && /json/i.test(sent.header('content-type') ?? '') ? keepingBody(sent, parsed) : sent;
  const { request, path } = await withoutQuerySegment({ request: received, path: parseResourcePath(sent.path, planParameters) });
  Object.assign(parsed, { query: request.query, parts: path.parts });
  const { options, raw, parameters } = readOptions(request.query, planParameters);
  parsed.options = options;
  requirePlannedOptions(options, service.container);
  requireCurrentSchema(options, service.container);
  const vocabulary = vocabularyAt(path, service);
  if (vocabulary !== undefined) return withMethod(request, ['GET'], () => readVocabulary(request, vocabulary));
  const context = { container: service.container, caller, aliases: createAliases(), settings: service.settings, advice: [] };
  const named = resolveEntityId(path, options, { root: service.root, host: request.header('host'), method: request.method });
  const pathContext = { ...context, ...(parameters && { parameters }) };
  const target = planPath(named, pathContext);
  requireMeaningfulOptions(raw, preferences, target.kind === 'operation' ? httpHooks.get('parameterNames')(target) : undefined);
  const exchange = {
    request,
    service: isRead(target, request.method) ? service : withViews(service, caller),
    caller,
    options,
    context,
    preferences,
    version,
    raw,
    ...(parameters && { parameters }),
    ...(keeping && { keeping }),
  };
  if (isEntityRequest(path)) return answerById(target, exchange);
  return strictly(await carryOut(target, exchange), preferences);
}

// Reads of records find out by their statements whether they need views.
function isRead({ kind }: Target, method: string): boolean {
  return (kind === 'collection' || kind === 'entity') && (method === 'GET' || method === 'HEAD');
}

// Errors of a body have their position in it.
function keepingBody(request: ODataRequest, parsed: Parsed): ODataRequest {
  return { ...request, body: async (limit) => (parsed.body = await request.body(limit)) };
}

const nobody: Caller = { subject: '', scopes: new Set<string>() };

// A path that begins with letters only is one to entities.
const toRecords = /^\/[A-Za-z]+(?:[/(]|$)/;

// With public metadata, the documents about the model require no token.
function isOpen({ path }: ODataRequest, { publicMetadata, metadata }: Service): boolean {
  if (!publicMetadata || toRecords.test(path)) return false;
  const [first] = parseResourcePath(path).parts;
  return first === undefined || first.name === '$metadata' || metadata.vocabularies.has(first.name);
}

// The path gets the aliases' values unexpanded, since its keys are no expressions.
function readOptions(
  query: string,
  planParameters: ParameterRecording | undefined,
): ParsedQuery & { readonly parameters?: NonNullable<QueryOptions['aliases']> } {
  const parsed = parseQueryOptions(query, planParameters);
  if (!/@|%40/.test(query)) return parsed;
  const { aliases } = parsed.options;
  return { ...parsed, options: bindAliases(parsed.options), ...(aliases && { parameters: aliases }) };
}

// Whether $id and $index apply is decided with the target.
function requirePlannedOptions(options: QueryOptions, container: EntityContainer): void {
  const { id: _, index: __, deltatoken, ...others } = options;
  const unplanned = deltatoken === undefined || httpHooks.find('readTracked') !== undefined ? others : { ...others, deltatoken };
  refuseUnplannedOptions(unplanned, container);
}

// The option selects a published version of the schema (protocol, "System Query Option $schemaversion"), of which only
// the current one exists.
function requireCurrentSchema({ schemaversion }: QueryOptions, { schemaVersion }: EntityContainer): void {
  if (schemaversion === undefined || schemaversion === '*' || schemaversion === schemaVersion) return;
  const hint = ` Write $schemaversion=${schemaVersion ?? '*'}, which is the current version, or omit the option.`;
  throw errors.notFound(`version ${schemaversion} of the schema`, hint).at('$schemaversion');
}

function vocabularyAt({ parts }: ResourcePath, { metadata }: Service): ServedDocument | undefined {
  const [first] = parts;
  return first && parts.length === 1 ? metadata.vocabularies.get(first.name) : undefined;
}

function answerById(target: Target, exchange: Exchange): ODataResponse | Promise<ODataResponse> {
  const { request, version } = exchange;
  if (request.method === 'OPTIONS') return optionsResponse(['GET'], version);
  return withMethod(request, ['GET'], () => {
    requireRecord(target);
    return carryOut(target, exchange);
  });
}

async function carryOut(target: Target, exchange: Exchange): Promise<ODataResponse> {
  const { request, service, options } = exchange;
  if (options.apply && target.kind !== 'operation' && !mayApply(target))
    throw errors.badOption('$apply needs a collection of records.').at('$apply');
  const methods = methodsOf(target).filter((method) => !service.readOnly || method === 'GET');
  if (request.method === 'OPTIONS') return optionsResponse(methods, exchange.version);
  if (service.readOnly && request.method !== 'GET' && request.method !== 'HEAD')
    throw notAllowed(request.method, methods, ' This service only reads.');
  requireWay(target, exchange);
  if (options.index !== undefined && !takesIndex(target, request.method)) throw misplacedIndex();
  if (request.method !== 'GET' && request.method !== 'HEAD' && target.kind !== 'operation') refuseReadingOptions(options, request.method);
  switch (target.kind) {
    case 'service':
      refuseAllOptions(options, 'the service document');
      return withMethod(request, ['GET'], () => readService(request, service, options.format));
    case 'metadata':
      refuseAllOptions(options, '$metadata');
      return withMethod(request, ['GET'], () => readMetadata(request, service, options.format));
    case 'property':
      return withMethod(request, propertyMethods(target), () => httpHooks.get('propertyOperations').operate(target, exchange));
    case 'stream':
      return withMethod(request, streamMethods(target), () => operateStream(target, exchange));
    case 'operation':
      return withMethod(request, methodsOf(target), () => httpHooks.get('callOperation')(target, exchange, carryOut));
    default:
      return operate(target, exchange);
  }
}

// A write of a relation changes one of its two entities, and requires no access to what precedes them.
function requireWay(target: Target, { request: { method }, caller }: Exchange): void {
  const bound = target.kind === 'operation' ? target.binding?.target : target;
  if (!bound || !('parents' in bound)) return;
  const isRelation = target.kind === 'collection' ? target.suffix !== '$each' : target.kind === 'entity' && target.suffix === '$ref';
  requireNavigationAccess(bound, caller, isRelation && method !== 'GET' && method !== 'HEAD');
}

function operateStream(target: StreamTarget, exchange: Exchange): Promise<ODataResponse> {
  const { method } = exchange.request;
  const { putStream, deleteStream, readStream } = httpHooks.get('streamOperations');
  if (method === 'PUT') return putStream(target, exchange);
  return method === 'DELETE' ? deleteStream(target, exchange) : readStream(target, exchange);
}

// Entities have no insertion order.
function takesIndex(target: Target, method: string): boolean {
  return method === 'POST' && target.kind === 'property' && target.field.collection === true && target.suffix === '';
}

// References to the results of `$apply` do not exist.
function mayApply(target: Target): boolean {
  return target.kind === 'collection' && target.suffix !== '$ref' && target.suffix !== '$each';
}

function operate(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  const { method } = exchange.request;
  const routes = routesOf(target);
  const route = routes.find((candidate) => candidate.method === (method === 'HEAD' ? 'GET' : method));
  if (route === undefined) throw notAllowed(method, methodsOf(target));
  return operations[route.operation](target, exchange, route.upsert ?? false);
}

type Operate = (target: RecordsTarget, exchange: Exchange, upsert: boolean) => Promise<ODataResponse>;

const read: Operate = (target, exchange) => {
  if (target.kind !== 'collection') return readEntity(target, exchange);
  const { preferences, options } = exchange;
  const isTracked = preferences.trackChanges !== undefined || preferences.wait !== undefined || options.deltatoken !== undefined;
  const readTracked = isTracked ? httpHooks.find('readTracked') : undefined;
  if (readTracked === undefined) return readCollection(target, exchange);
  return readTracked(target, { ...exchange, service: withViews(exchange.service, exchange.caller) });
};

/** The operations of routes to entities; a new one is a row here. */
const operations: { readonly [Operation in RecordRoute['operation']]: Operate } = {
  readCollection: read,
  readEntity: read,
  createEntity: create,
  updateEntity,
  replaceEntity,
  deleteEntity,
  updateCollection: ofMembers('updateCollection'),
  updateMembers: ofMembers('updateMembers'),
  deleteMembers: ofMembers('deleteMembers'),
  addReference,
  setReference: addReference,
  setReferences,
  removeReference,
};

function ofMembers(operation: keyof MemberOperations): Operate {
  return (target, exchange) => httpHooks.get('memberOperations')[operation](target, exchange);
}

function create(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  const media = streamOf(target.type, mediaStream);
  return media ? httpHooks.get('streamOperations').createMedia(target, media, exchange) : createEntity(target, exchange);
}

function withMethod(
  request: ODataRequest,
  allowed: readonly string[],
  respond: () => ODataResponse | Promise<ODataResponse>,
): ODataResponse | Promise<ODataResponse> {
  if (allowed.includes(request.method === 'HEAD' ? 'GET' : request.method)) return respond();
  throw notAllowed(request.method, allowed);
}
