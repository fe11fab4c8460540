import { type EntityType, mediaStream, type OperationName, type Route } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { Target, StreamTarget } from '../plan/path/path-target.js';
import { isChanged } from '../plan/write/plan-link.js';
import { emptyResponse, type ODataResponse } from './message.js';
import { memoized } from '../edm/memoized.js';

/** The methods of a path to entities. */
export interface RecordRoute {
  readonly method: string;
  readonly operation:
    | OperationName
    | 'updateCollection'
    | 'updateMembers'
    | 'deleteMembers'
    | 'addReference'
    | 'setReference'
    | 'setReferences'
    | 'removeReference';
  readonly upsert?: true;
}

/** A path to entities, or to one. */
export type RecordsTarget = Extract<Target, { kind: 'collection' | 'entity' }>;

const readCollection: RecordRoute = { method: 'GET', operation: 'readCollection' };
const readEntity: RecordRoute = { method: 'GET', operation: 'readEntity' };
const createEntity = { method: 'POST', operation: 'createEntity' } as const satisfies RecordRoute;

/** The routes of a target: those of its entity set that apply at the end of the path. */
export function routesOf(target: RecordsTarget): readonly RecordRoute[] {
  const { type, kind, suffix, parents, filter, types, via } = target;
  if (suffix === '$each') return memberRoutes(type);
  if (suffix === '$ref') return referenceRoutes(target);
  const reading = kind === 'collection' ? readCollection : readEntity;
  // Below `$count` and after `$filter(...)` there is only reading.
  if (suffix !== '' || (kind === 'collection' && filter)) return [reading];
  // Contained entities are created at their address, like those of an entity set.
  const isAtHome = parents.length === 0 || parents[0]?.contains === true;
  if (isAtHome && !filter && types === undefined) return homeRoutes[kind](type);
  // An uncontained entity below another one is not created at an address, which would imply the parent; nor after a
  // cast, where an entity of another type may exist.
  const isCreatable = type.contained === undefined;
  const writing = tableRoutes(type, kind)
    .filter(({ method, operation }) => method !== 'GET' && operation !== 'createEntity')
    .map(({ method, operation }) => ({ method, operation }));
  return [
    reading,
    ...(kind === 'collection' && isCreatable && isInsertable(target) ? [createEntity] : []),
    ...writing,
    ...(kind === 'collection' && via !== undefined && types === undefined && isCreatable ? deltaRoutes(type) : []),
  ];
}

// The last navigation property decides where it has restrictions, and otherwise the set.
function isInsertable({ type: { routes }, parents: [parent] }: RecordsTarget): boolean {
  return parent?.insertable ?? routes.some(({ operation }) => operation === createEntity.operation);
}

const homeRoutes = {
  collection: memoized((type: EntityType): readonly RecordRoute[] => [...tableRoutes(type, 'collection'), ...deltaRoutes(type)]),
  entity: memoized((type: EntityType): readonly RecordRoute[] => tableRoutes(type, 'entity')),
};

const collectionOperations: ReadonlySet<OperationName> = new Set<OperationName>(['readCollection', 'createEntity']);

function tableRoutes(type: EntityType, kind: 'collection' | 'entity'): readonly Route[] {
  return type.routes.filter(({ operation }) => collectionOperations.has(operation) === (kind === 'collection'));
}

// An entity set with changeable entities accepts a delta payload.
function deltaRoutes({ routes }: EntityType): readonly RecordRoute[] {
  return routes.some(({ method }) => method !== 'GET') ? [{ method: 'PATCH', operation: 'updateCollection' }] : [];
}

function memberRoutes(type: EntityType): readonly RecordRoute[] {
  const offered = new Set(type.routes.map(({ operation }) => operation));
  return [
    ...(offered.has('updateEntity') ? [{ method: 'PATCH', operation: 'updateMembers' as const }] : []),
    ...(offered.has('deleteEntity') ? [{ method: 'DELETE', operation: 'deleteMembers' as const }] : []),
  ];
}

// References are changed after a navigation property of an entity, optionally with a key.
function referenceRoutes({ kind, via, parents, filter }: RecordsTarget): readonly RecordRoute[] {
  const [parent] = parents;
  const reading = kind === 'collection' ? readCollection : readEntity;
  if (via === undefined || parent === undefined || parent.fixed || filter || !isChanged(parent.holder)) return [reading];
  const remove: RecordRoute = { method: 'DELETE', operation: 'removeReference' };
  if (kind === 'collection')
    return [reading, { method: 'POST', operation: 'addReference' }, { method: 'PUT', operation: 'setReferences' }, remove];
  return parent.toMany ? [reading, remove] : [reading, { method: 'PUT', operation: 'setReference' }, remove];
}

/** The methods of a property: writable with its entity, unless the service or the key determines it; items of collections, and values nested in a dynamic one, are only read. */
function propertyMethods({ type, name, field, suffix, dynamic, cast, items }: Extract<Target, { kind: 'property' }>): readonly string[] {
  const { key, rules } = type;
  const [own = ''] = name.split('/');
  if (
    suffix === '$count' ||
    cast ||
    items ||
    (dynamic?.names.length ?? 0) > 1 ||
    !isChanged(type) ||
    key.includes(own) ||
    rules.computed.includes(own) ||
    rules.immutable.includes(own)
  )
    return ['GET'];
  if (field.collection) return ['GET', 'POST', 'PUT', 'DELETE'];
  // A dynamic property is set as a whole; a PATCH of its record merges an object.
  return ['GET', 'PUT', ...(suffix === '' && !dynamic ? ['PATCH'] : []), ...(field.nullable || dynamic ? ['DELETE'] : [])];
}

/** The methods of a media stream: writable with its entity; the stream of a media entity is deleted with the entity. */
export function streamMethods({ type, name, stream }: Pick<StreamTarget, 'type' | 'name' | 'stream'>): readonly string[] {
  const isDeletable =
    name === mediaStream
      ? type.routes.some(({ operation }) => operation === 'deleteEntity')
      : stream.nullable && !stream.readOnly && isChanged(type);
  return ['GET', ...(isChanged(type) && !stream.readOnly ? ['PUT'] : []), ...(isDeletable ? ['DELETE'] : [])];
}

/** The methods that a target offers. */
export function methodsOf(target: Target): readonly string[] {
  if (target.kind === 'property') return propertyMethods(target);
  if (target.kind === 'stream') return streamMethods(target);
  if (target.kind === 'operation') return [...new Set(target.overloads.map(({ kind }) => (kind === 'Action' ? 'POST' : 'GET')))];
  return target.kind === 'collection' || target.kind === 'entity' ? routesOf(target).map(({ method }) => method) : ['GET'];
}

/** The route that a method takes to records. */
export function routeOf(target: RecordsTarget, method: string): RecordRoute {
  const route = routesOf(target).find((one) => one.method === asGet(method));
  if (route === undefined) throw notAllowed(method, methodsOf(target));
  return route;
}

/** Whether a method changes nothing. */
export function isReading(method: string): boolean {
  return asGet(method) === 'GET';
}

// HEAD is a GET without its body.
function asGet(method: string): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** Rejects a method that is not among the allowed ones; HEAD is allowed with GET. */
export function requireMethod(method: string, allowed: readonly string[], hint = ''): void {
  if (!allowed.includes(asGet(method))) throw notAllowed(method, allowed, hint);
}

/** The answer to OPTIONS, with the allowed methods. */
export function optionsResponse(methods: readonly string[], version: string): ODataResponse {
  return emptyResponse(204, version, { Allow: allowOf(methods) });
}

/** The error for a method that is not allowed, with those that are. */
export function notAllowed(method: string, offered: readonly string[], hint = ''): Error {
  const allow = allowOf(offered);
  return errors
    .methodNotAllowed(
      method.slice(0, 16),
      allow,
      hint || (method === 'MERGE' && offered.includes('PATCH') ? ' Write PATCH, the MERGE of OData 4.' : ''),
    )
    .withHeaders({ Allow: allow });
}

function allowOf(offered: readonly string[]): string {
  return [...new Set(offered.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])))].join(', ');
}
