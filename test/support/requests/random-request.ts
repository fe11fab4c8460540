import { targetOf } from '../../../runtime/edm/index.js';
import { type EntityType } from '../../../runtime/edm/entity-type.js';
import type { Random } from '../../permission/random.js';
import { addressOf, deltaBody, recordBody } from './bodies.js';
import { condition } from './expressions.js';
import { boundCall, importedCall } from './operations.js';
import { collectionOptions, expansion, searched, selection } from './options.js';
import { fieldName, keyOf, type Subject } from './subject.js';

/** A request that a caller may try to learn something by. */
export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Where a path leads: to records or to one, of a type. */
interface Place {
  readonly path: string;
  readonly type: EntityType;
  readonly collection: boolean;
}

type Maker = (random: Random, subject: Subject) => RandomRequest | undefined;

/** A request of any form. */
export function randomRequest(random: Random, subject: Subject): RandomRequest {
  const maker = random.pick(random.chance(0.75) ? reading : changing);
  return maker(random, subject) ?? collection(random, subject);
}

/** A request that may change records. */
export function randomChange(random: Random, subject: Subject): RandomRequest {
  return random.pick([...changing, bound])(random, subject) ?? update(random, subject) ?? collection(random, subject);
}

const json = { 'Content-Type': 'application/json' };
const get = (path: string, headers: RandomRequest['headers'] = {}): RandomRequest => ({ method: 'GET', path, headers });

function startOf(random: Random, { types }: Subject): Place {
  const type = random.pick(types);
  return type.entitySet === undefined
    ? { path: `/${type.singleton}`, type, collection: false }
    : { path: `/${type.entitySet}`, type, collection: true };
}

function manyOf(random: Random, subject: Subject): Place {
  const start = startOf(random, subject);
  return random.chance(0.25) ? (beneath(oneOf(random, subject), true, random, subject) ?? start) : start;
}

function oneOf(random: Random, subject: Subject): Place {
  const start = startOf(random, subject);
  const one = start.collection ? within(start, random, subject) : start;
  const next = random.chance(0.2) ? beneath(one, random.chance(0.5), random, subject) : undefined;
  if (next === undefined) return one;
  return next.collection ? within(next, random, subject) : next;
}

function within({ path, type }: Place, random: Random, subject: Subject): Place {
  return { path: `${path}(${keyOf(type, random, subject)})`, type, collection: false };
}

function beneath({ path, type }: Place, many: boolean, random: Random, subject: Subject): Place | undefined {
  const entries = Object.entries(type.navigation).filter(([, { collection }]) => (collection ?? false) === many);
  if (entries.length === 0) return undefined;
  const [name, navigation] = random.pick(entries);
  return { path: `${path}/${name}`, type: targetOf(subject.container, navigation), collection: many };
}

const collection = (random: Random, subject: Subject): RandomRequest => {
  const { path, type, collection: many } = manyOf(random, subject);
  if (!many) return get(path, random.chance(0.2) ? { 'If-None-Match': 'W/"1"' } : {});
  const headers = {
    ...(random.chance(0.1) && { Accept: 'application/json;odata.metadata=full' }),
    ...(random.chance(0.1) && { Prefer: 'maxpagesize=2' }),
  };
  return get(`${path}?${collectionOptions(type, random, subject)}`, headers);
};

const record: Maker = (random, subject) => {
  const { path, type } = oneOf(random, subject);
  return get(
    `${path}?$select=${selection(type, random, subject)}&$expand=${expansion(type, random, subject, 2)}`,
    random.chance(0.3) ? { 'If-None-Match': random.pick(['*', 'W/"1"', 'W/"2"']) } : {},
  );
};

const property: Maker = (random, subject) => {
  const { path, type } = oneOf(random, subject);
  const streams = Object.keys(type.streams ?? {});
  const name = streams.length > 0 && random.chance(0.4) ? random.pick(streams) : fieldName(type, random, subject);
  return get(`${path}/${name}${random.pick(['', '/$value', '/$count'])}`);
};

const segment: Maker = (random, subject) => {
  const { path, type } = manyOf(random, subject);
  const filter = (depth: number): string => encodeURIComponent(condition(type, random, subject, depth));
  return get(
    `${path}${random.pick([`/$count?$filter=${filter(3)}`, '/$count', `/$filter(${filter(2)})`, `/$filter(${filter(2)})/$count`, '/$ref', `?$search=${encodeURIComponent(searched(random, subject))}&$filter=${filter(1)}`, `(${keyOf(type, random, subject)})/$ref`])}`,
  );
};

const queried: Maker = (random, subject) => {
  const { path, type, collection: many } = manyOf(random, subject);
  return many
    ? { method: 'POST', path: `${path}/$query`, headers: { 'Content-Type': 'text/plain' }, body: collectionOptions(type, random, subject) }
    : undefined;
};

const atRoot: Maker = (random, subject) => {
  const sets = subject.types.filter(({ entitySet }) => entitySet !== undefined);
  const [one, other] = [random.pick(sets), random.pick(sets)];
  const crossed = `/$crossjoin(${one.entitySet},${other.entitySet})`;
  return get(
    random.pick([
      '/$metadata',
      '/',
      '/$all',
      `/$entity?$id=${addressOf(random.pick(subject.types), random, subject)}`,
      `${crossed}/$count`,
      crossed,
      `${crossed}?$expand=${one.entitySet}($select=${selection(one, random, subject)})&$top=3`,
      `${crossed}?$filter=${encodeURIComponent(`${one.entitySet}/${fieldName(one, random, subject)} eq ${other.entitySet}/${fieldName(other, random, subject)}`)}`,
    ]),
  );
};

const bound: Maker = (random, subject) => {
  const { path, type, collection: many } = random.chance(0.5) ? oneOf(random, subject) : manyOf(random, subject);
  return boundCall(path, type, many, random, subject) ?? importedCall(random, subject);
};

const update: Maker = (random, subject) => {
  const { path, type } = oneOf(random, subject);
  const headers = {
    ...json,
    ...(random.chance(0.3) && { 'If-Match': random.pick(['*', 'W/"1"', 'W/"2"', '"x"']) }),
    ...(random.chance(0.2) && { Prefer: random.pick(['return=representation', 'return=minimal']) }),
    ...(random.chance(0.1) && { 'If-None-Match': '*' }),
  };
  return {
    method: random.pick(['PATCH', 'PATCH', 'PUT', 'DELETE']),
    path: `${path}${random.pick(['', '', '?$select=*', `?$expand=${expansion(type, random, subject, 1)}`])}`,
    headers,
    body: recordBody(type, random, subject),
  };
};

const create: Maker = (random, subject) => {
  const { path, type } = manyOf(random, subject);
  return { method: 'POST', path, headers: json, body: recordBody(type, random, subject, 2) };
};

const delta: Maker = (random, subject) => {
  const { path, type } = manyOf(random, subject);
  return {
    method: 'PATCH',
    path,
    headers: { ...json, ...(random.chance(0.3) && { Prefer: 'continue-on-error' }) },
    body: deltaBody(type, random, subject),
  };
};

const members: Maker = (random, subject) => {
  const { path, type } = manyOf(random, subject);
  const some = random.chance(0.7) ? `/$filter(${encodeURIComponent(condition(type, random, subject, 1))})` : '';
  return {
    method: random.pick(['PATCH', 'PATCH', 'DELETE']),
    path: `${path}${some}/$each`,
    headers: json,
    body: recordBody(type, random, subject, 0),
  };
};

const value: Maker = (random, subject) => {
  const { path, type } = oneOf(random, subject);
  const name = fieldName(type, random, subject);
  return random.pick<RandomRequest>([
    { method: 'PUT', path: `${path}/${name}`, headers: json, body: `{"value":${random.pick(['null', '1', '"a"', 'true'])}}` },
    { method: 'DELETE', path: `${path}/${name}`, headers: {} },
    { method: 'PUT', path: `${path}/${name}/$value`, headers: { 'Content-Type': 'text/plain' }, body: 'a' },
  ]);
};

const stream: Maker = (random, subject) => {
  const { path, type } = oneOf(random, subject);
  const streams = Object.keys(type.streams ?? {});
  if (streams.length === 0) return undefined;
  return {
    method: random.pick(['PUT', 'DELETE', 'GET', 'HEAD']),
    path: `${path}/${random.pick(streams)}`,
    headers: { 'Content-Type': 'text/plain', ...(random.chance(0.2) && { 'If-Match': '*' }) },
    body: 'Paint.',
  };
};

const reference: Maker = (random, subject) => {
  const { path, type } = oneOf(random, subject);
  const entries = Object.entries(type.navigation);
  if (entries.length === 0) return undefined;
  const [name, navigation] = random.pick(entries);
  const target = targetOf(subject.container, navigation);
  const method = random.pick(['POST', 'PUT', 'DELETE']);
  const id = addressOf(target, random, subject);
  return {
    method,
    path: `${path}/${name}/$ref${method === 'DELETE' && navigation.collection ? `?$id=${id}` : ''}`,
    headers: json,
    ...(method !== 'DELETE' && { body: navigation.collection && method === 'PUT' ? `{"value":[{"@id":"${id}"}]}` : `{"@id":"${id}"}` }),
  };
};

const batch: Maker = (random, subject) => {
  const inner = Array.from({ length: 1 + random.below(3) }, (_, index) => batchPart(randomPart(random, subject), index, random));
  return {
    method: 'POST',
    path: '/$batch',
    headers: { ...json, ...(random.chance(0.3) && { Prefer: 'continue-on-error' }) },
    body: JSON.stringify({ requests: inner }),
  };
};

function randomPart(random: Random, subject: Subject): RandomRequest {
  return random.pick([collection, record, create, update, value, members, segment])(random, subject) ?? get('/');
}

// A later part may stand on the record of the first one.
function batchPart({ method, path, headers, body }: RandomRequest, index: number, random: Random): object {
  const refers = index > 0 && random.chance(0.4);
  const url = refers ? `$0${random.pick(['', '/$ref', '?$select=*'])}` : path.slice(1);
  const parsed =
    body !== undefined && body.startsWith('{') && method !== 'GET' && method !== 'DELETE' ? { headers, body: parsedOr(body) } : {};
  return {
    id: String(index),
    method: method.toLowerCase(),
    url,
    ...parsed,
    ...(refers && { dependsOn: ['0'] }),
    ...(random.chance(0.2) && { atomicityGroup: 'g' }),
  };
}

function parsedOr(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return {};
  }
}

const reading: readonly Maker[] = [
  collection,
  collection,
  collection,
  collection,
  record,
  record,
  property,
  segment,
  segment,
  queried,
  atRoot,
  bound,
];
const changing: readonly Maker[] = [update, update, create, delta, members, value, stream, reference, batch];
