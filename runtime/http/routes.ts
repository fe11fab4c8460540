import type { EntityType, OperationName, Route } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { Target } from '../plan/plan-path.js';
import type { ODataResponse } from './message.js';
import { emptyResponse } from './responses.js';

/** What a path that leads to records offers. */
export interface RecordRoute {
  readonly method: string;
  readonly operation: OperationName | 'updateMembers' | 'deleteMembers';
  readonly upsert?: true;
}

export type RecordsTarget = Extract<Target, { kind: 'collection' | 'entity' }>;

const readCollection: RecordRoute = { method: 'GET', operation: 'readCollection' };
const readEntity: RecordRoute = { method: 'GET', operation: 'readEntity' };

/** What a target offers: its set's rows of the route table, as far as they make sense where the path has come to. */
export function routesOf(target: RecordsTarget): readonly RecordRoute[] {
  const { type, kind, suffix, parents, filter } = target;
  if (suffix === '$each') return memberRoutes(type);
  const reading = kind === 'collection' ? readCollection : readEntity;
  // Beneath `$count` and `$ref` and behind a condition there is only reading.
  if (suffix !== '' || (kind === 'collection' && filter)) return [reading];
  if (parents.length === 0 && !filter) return tableRoutes(type, kind);
  // What is not there beneath a record is not created by its address, which would have to say whose it is.
  return [reading, ...tableRoutes(type, kind).filter(({ method }) => method !== 'GET').map(({ method, operation }) => ({ method, operation }))];
}

function tableRoutes(type: EntityType, kind: 'collection' | 'entity'): readonly Route[] {
  return type.routes.filter(({ path }) => path.includes('{key}') === (kind === 'entity'));
}

function memberRoutes(type: EntityType): readonly RecordRoute[] {
  const offered = new Set(type.routes.map(({ operation }) => operation));
  return [
    ...(offered.has('updateEntity') ? [{ method: 'PATCH', operation: 'updateMembers' as const }] : []),
    ...(offered.has('deleteEntity') ? [{ method: 'DELETE', operation: 'deleteMembers' as const }] : []),
  ];
}

/** The methods that a target offers. */
export function methodsOf(target: Target): readonly string[] {
  return target.kind === 'collection' || target.kind === 'entity' ? routesOf(target).map(({ method }) => method) : ['GET'];
}

/** The answer to OPTIONS: what may be asked here. */
export function optionsResponse(methods: readonly string[], version: string): ODataResponse {
  return emptyResponse(204, version, { Allow: allowOf(methods) });
}

/** The refusal of a method, with those that are offered. */
export function notAllowed(method: string, offered: readonly string[]): Error {
  const allow = allowOf(offered);
  return errors.methodNotAllowed(method.slice(0, 16), allow).withHeaders({ Allow: allow });
}

function allowOf(offered: readonly string[]): string {
  return [...new Set(offered.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])))].join(', ');
}
