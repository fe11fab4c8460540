import type { EntityType, Route } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { Target } from '../plan/plan-path.js';
import type { ODataResponse } from './message.js';
import { emptyResponse } from './responses.js';

/** What a path that leads to records offers. */
export type RecordRoute = Pick<Route, 'method' | 'operation'>;

export type RecordsTarget = Extract<Target, { kind: 'collection' | 'entity' }>;

/** By navigation, behind a condition and beneath `$count` and `$ref` there is only reading; the route table speaks of the set itself. */
export function routesOf(target: RecordsTarget): readonly RecordRoute[] {
  const reading = [{ method: 'GET', operation: target.kind === 'collection' ? 'readCollection' : 'readEntity' }] as const;
  if (target.suffix !== '' || target.parents.length > 0 || target.filter) return reading;
  return tableRoutes(target.type, target.kind);
}

function tableRoutes(type: EntityType, kind: 'collection' | 'entity'): readonly Route[] {
  return type.routes.filter(({ path }) => path.includes('{key}') === (kind === 'entity'));
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
