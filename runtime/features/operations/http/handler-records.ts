import type { EntityContainer, EntityType, Reading, ReadingAt, ReadOptions, SetTypes, Writing, WritingAt } from '../../../edm/index.js';
import { entityTypeOfSet, entityTypeOfSingleton, keyFieldOf } from '../../../edm/index.js';
import { type Caller, scopesOf } from '../../../plan/caller.js';
import { ODataError } from '../../../errors/odata-error.js';
import { parseResourcePath } from '../../../uri/parse-resource-path.js';
import type { KeyLiteral, KeyPredicate, PathPart } from '../../../uri/resource-path.js';
import { type Exchange, unfilteredStore } from '../../../http/service.js';
import { askWithin, type Ask } from './inner-request.js';

/** The most entities that one call of `read` returns. */
const mostRead = 10_000;

/** The interface of handlers to entities, for any model. */
type AnyRecords = Writing<AnySets>;

type AnySets = { readonly [set: string]: SetTypes<object, unknown, object, object> };

/** Access with the caller's permissions, and elevated: `own` sends requests as the caller, `within` as one with all scopes. */
export function createRecords(
  exchange: Exchange,
  bound: readonly PathPart[] | undefined,
): { readonly records: AnyRecords; readonly elevated: AnyRecords; readonly own: Ask; readonly within: Ask } {
  const { caller, service } = exchange;
  const { container } = service;
  const everyone = elevatedCaller(caller, container);
  const own = askWithin(exchange, caller);
  const within = askWithin(exchange, everyone);
  const whole = { ...exchange, service: { ...service, store: unfilteredStore(service) } };
  const elevated = recordsBy(askWithin(whole, everyone), container, bound);
  return { records: recordsBy(own, container, bound), elevated, own, within };
}

/** The access of functions, which is read-only. */
export function readingOnly({ read, find, at }: AnyRecords): Reading<AnySets> {
  const readingAt = (path?: string): ReadingAt<never> => {
    const { read: readThere, find: findThere } = at<never>(path);
    return { read: readThere, find: findThere };
  };
  return { read, find, at: readingAt as Reading<AnySets>['at'] };
}

/** The caller with all scopes of the model. */
export function elevatedCaller(caller: Caller, container: EntityContainer): Caller {
  return { ...caller, scopes: new Set([...caller.scopes, ...scopesOf(container)]) };
}

function recordsBy(ask: Ask, container: EntityContainer, bound: readonly PathPart[] | undefined): AnyRecords {
  const one = (set: string, key: unknown): readonly PathPart[] => [keyedPart(container, set, key)];
  return {
    read: (set, options = {}) => readAll(ask, [{ name: set }], options) as Promise<readonly object[]>,
    find: (set, key) => findOne(ask, one(set, key)) as Promise<object | undefined>,
    create: (set, values) => ask({ method: 'POST', parts: [{ name: set }], body: values }) as Promise<object>,
    update: (set, key, values) => ask({ method: 'PATCH', parts: one(set, key), body: values }) as Promise<object>,
    remove: (set, key) => ask({ method: 'DELETE', parts: one(set, key) }) as Promise<undefined>,
    at: (path) => recordsAt(ask, path === undefined ? requireBound(bound) : parseResourcePath(path).parts) as WritingAt<never>,
  };
}

function recordsAt(ask: Ask, parts: readonly PathPart[]): WritingAt<unknown> {
  return {
    read: (options = {}) => readAll(ask, parts, options),
    find: () => findOne(ask, parts),
    create: (values) => ask({ method: 'POST', parts, body: values }),
    update: (values) => ask({ method: 'PATCH', parts, body: values }),
    remove: () => ask({ method: 'DELETE', parts }) as Promise<undefined>,
  };
}

function requireBound(bound: readonly PathPart[] | undefined): readonly PathPart[] {
  if (bound === undefined) throw new Error('The operation is not bound; give at() a path.');
  return bound;
}

async function findOne(ask: Ask, parts: readonly PathPart[]): Promise<unknown> {
  try {
    return await ask({ method: 'GET', parts });
  } catch (failure) {
    if (failure instanceof ODataError && failure.status === 404) return undefined;
    throw failure;
  }
}

/** All entities of a collection, page by page: the limits of `$top` are for clients. */
export async function readAll(
  ask: Ask,
  parts: readonly PathPart[],
  { top = Number.POSITIVE_INFINITY, ...options }: ReadOptions,
): Promise<readonly unknown[]> {
  const query = Object.entries<string | undefined>(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`$${name}=${encodeURIComponent(value)}`],
  );
  const found: unknown[] = [];
  for (let token = ''; found.length < top;) {
    const page = (await ask({
      method: 'GET',
      parts,
      query: [...query, ...(token === '' ? [] : [token])].join('&'),
      pageSize: top - found.length,
    })) as { readonly value: readonly unknown[]; readonly '@odata.nextLink'?: string };
    found.push(...page.value);
    token = /\$skiptoken=[^&]+/.exec(page['@odata.nextLink'] ?? '')?.[0] ?? '';
    if (token === '') break;
    if (found.length >= mostRead && found.length < top)
      throw new Error(`A handler read more than ${mostRead} records in one request; narrow its filter.`);
  }
  return found.slice(0, top);
}

/** The path segment of an entity, by a key as handlers write it: a value, or an object for composite keys; singletons have none. */
export function keyedPart(container: EntityContainer, set: string, key: unknown): PathPart {
  if (entityTypeOfSingleton(container, set)) return { name: set };
  const type = entityTypeOfSet(container, set);
  if (type === undefined) throw new Error(`The model has no entity set ${set}.`);
  return { name: set, key: keyPredicate(type, key) };
}

function keyPredicate(type: EntityType, key: unknown): KeyPredicate {
  const [only = '', ...others] = type.key;
  const values = others.length === 0 ? { [only]: key } : (key as { readonly [name: string]: unknown });
  return { kind: 'named', literals: type.key.map((name) => ({ name, literal: keyLiteral(type, name, values[name]) })) };
}

/** A key value as in a URL. */
export function keyLiteral(type: EntityType, name: string, value: unknown): KeyLiteral {
  const field = keyFieldOf(type, name);
  const quoted = field?.type === 'Edm.String' || field?.enumeration !== undefined || field?.type === 'Edm.Duration';
  return { text: String(value), quoted, ...(field?.type === 'Edm.Duration' && { prefix: 'duration' }) };
}
