import { mediaStream, streamOf } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { requireNavigationAccess } from '../plan/caller.js';
import { misplacedIndex, refuseAllOptions, refuseReadingOptions } from '../plan/check/unplanned.js';
import type { Target } from '../plan/path/path-target.js';
import { requireRecord } from '../protocol/entity-id.js';
import type { ODataResponse } from '../protocol/message.js';
import type { RecordRoute, RecordsTarget } from '../protocol/routes.js';
import { isReading, methodsOf, notAllowed, optionsResponse, requireMethod, routeOf } from '../protocol/routes.js';
import { type FeatureOperations, httpHooks } from './hooks.js';
import { readCollection } from './read/read-collection.js';
import { readEntity } from './read/read-entity.js';
import { readMetadata, readService } from './read/read-metadata.js';
import { type PreparedWrite, withKeyOf } from './read/plan-cache.js';
import { type Exchange, withViews } from './service.js';
import { createEntity, deleteEntity, replaceEntity, updateEntity } from './write/write-entity.js';

/** Executes the method of a request on its target; rejects methods and options that the target does not have. */
export async function execute(target: Target, exchange: Exchange): Promise<ODataResponse> {
  const { request, service, options } = exchange;
  const { method } = request;
  if (options.apply && target.kind !== 'operation' && !mayApply(target))
    throw errors.badOption('$apply needs a collection of records.').at('$apply');
  const methods = methodsOf(target);
  const offered = service.readOnly ? methods.filter((one) => one === 'GET') : methods;
  if (method === 'OPTIONS') return optionsResponse(offered, exchange.version);
  if (service.readOnly && !isReading(method)) throw notAllowed(method, offered, ' This service only reads.');
  requireWay(target, exchange);
  refuseMisplacedOptions(target, exchange);
  requireMethod(method, methods, tunnelHint(request));
  if (target.kind !== 'collection' && target.kind !== 'entity') return executeOther(target, viewing(exchange));
  const route = routeOf(target, method);
  return executeRoute(isReading(method) ? { target, route } : keepWrite(target, route, exchange), exchange);
}

// Clients of Microsoft can send every method as POST (UsePostTunneling), which OData 4 does not have.
function tunnelHint({ method, header }: Exchange['request']): string {
  return method === 'POST' && header('x-http-method') !== undefined ? ' X-HTTP-Method is not supported; send the method itself.' : '';
}

/** Executes the operation of a route; its path is planned and permitted. */
export function executeRoute({ target, route }: Pick<PreparedWrite, 'target' | 'route'>, exchange: Exchange): Promise<ODataResponse> {
  return operations[route.operation](target, exchange, route.upsert ?? false);
}

// Keeps the planned path of a write for other keys; returns it with the key of this request.
function keepWrite(target: RecordsTarget, route: RecordRoute, { keeping }: Exchange): Omit<PreparedWrite, 'kind'> {
  if (keeping === undefined || target.suffix !== '' || target.parents.length > 0) return { target, route };
  const own = withKeyOf(target, ({ parameter, form }) => parameter.bound(form));
  keeping.keep({ kind: 'write', target, route });
  return { target: own, route };
}

/** Reads the record that `/$entity?$id=...` identifies. */
export async function executeById(target: Target, exchange: Exchange): Promise<ODataResponse> {
  const { request, version } = exchange;
  if (request.method === 'OPTIONS') return optionsResponse(['GET'], version);
  requireMethod(request.method, ['GET']);
  requireRecord(target);
  return execute(target, exchange);
}

// References to the results of `$apply` do not exist.
function mayApply(target: Target): boolean {
  return target.kind === 'collection' && target.suffix !== '$ref' && target.suffix !== '$each';
}

// A write of a relation changes one of its two entities, and requires no access to what precedes them.
function requireWay(target: Target, { request: { method }, caller }: Exchange): void {
  const bound = target.kind === 'operation' ? target.binding?.target : target;
  if (!bound || !('parents' in bound)) return;
  const isRelation = target.kind === 'collection' ? target.suffix !== '$each' : target.kind === 'entity' && target.suffix === '$ref';
  requireNavigationAccess(bound, caller, isRelation && !isReading(method));
}

function refuseMisplacedOptions(target: Target, { request: { method }, options }: Exchange): void {
  if (options.index !== undefined && !takesIndex(target, method)) throw misplacedIndex();
  if (!isReading(method) && target.kind !== 'operation') refuseReadingOptions(options, method);
  if (target.kind === 'service') refuseAllOptions(options, 'the service document');
  if (target.kind === 'metadata') refuseAllOptions(options, '$metadata');
}

// Entities have no insertion order.
function takesIndex(target: Target, method: string): boolean {
  return method === 'POST' && target.kind === 'property' && target.field.collection === true && target.suffix === '';
}

function executeOther(target: Exclude<Target, RecordsTarget>, exchange: Exchange): ODataResponse | Promise<ODataResponse> {
  const { request, service, options } = exchange;
  switch (target.kind) {
    case 'service':
      return readService(request, service, options.format);
    case 'metadata':
      exchange.keeping?.keep({ kind: 'metadata', format: options.format });
      return readMetadata(request, service, options.format);
    case 'property':
      return httpHooks.get('propertyOperations').operate(target, exchange);
    case 'stream':
      return httpHooks.get('streamOperations').operate(target, exchange);
    case 'operation':
      return httpHooks.get('callOperation')(target, exchange);
  }
}

type Operate = (target: RecordsTarget, exchange: Exchange, upsert: boolean) => Promise<ODataResponse>;

/** The operations of routes to entities; a new one is a row here. */
const operations: { readonly [Operation in RecordRoute['operation']]: Operate } = {
  readCollection: read,
  readEntity: read,
  createEntity: create,
  updateEntity,
  replaceEntity,
  deleteEntity,
  updateCollection: ofFeature('updateCollection'),
  updateMembers: ofFeature('updateMembers'),
  deleteMembers: ofFeature('deleteMembers'),
  addReference: ofFeature('addReference'),
  setReference: ofFeature('setReference'),
  setReferences: ofFeature('setReferences'),
  removeReference: ofFeature('removeReference'),
};

function read(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  if (target.kind !== 'collection') return readEntity(target, exchange);
  const { preferences, options } = exchange;
  const isTracked = preferences.trackChanges !== undefined || preferences.wait !== undefined || options.deltatoken !== undefined;
  const readTracked = isTracked ? httpHooks.find('readTracked') : undefined;
  return readTracked ? readTracked(target, viewing(exchange)) : readCollection(target, exchange);
}

function ofFeature(operation: keyof FeatureOperations): Operate {
  return (target, exchange) => httpHooks.get(operation)(target, viewing(exchange));
}

function create(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  const media = streamOf(target.type, mediaStream);
  return media ? httpHooks.get('streamOperations').createMedia(target, media, viewing(exchange)) : createEntity(target, exchange);
}

// Other operations find out by their statements whether they need views.
function viewing(exchange: Exchange): Exchange {
  return { ...exchange, service: withViews(exchange.service, exchange.caller) };
}
