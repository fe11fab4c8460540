import { type EntityType, type StoredRecord, columnOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import { withArticle } from '../../errors/display-name.js';
import { isArray, isObject, type Json, type JsonArray, type JsonObject } from '../../json/json.js';
import { bodyKey } from './body-key.js';
import { linkOf, type DeltaLink } from './delta-link.js';
import { isChanged, recordAt, type GraphContext } from './plan-link.js';
import { planCreateGraph, planUpdateGraph } from './plan-graph.js';
import { idOf, removalFaults, removalOf } from './plan-members.js';
import type { RecordTarget } from '../path-target.js';
import { requireWritable } from './plan-write.js';
import type { WritePlan } from './write-plan.js';

/** What a delta does with a record of a set. */
export type DeltaOperation = 'insert' | 'update' | 'delete' | DeltaLink['operation'];

/** One change of a delta (JSON format 15): a record that is added, changed or removed, or a relation of one. */
export interface DeltaChange {
  /** Its place in the body: `value[1]`. */
  readonly at: string;
  readonly body: JsonObject;
  /** Where the record is, by its id or its key; undefined where the body has neither. */
  readonly place: RecordTarget | undefined;
  readonly isRemoved: boolean;
  /** Where it is a relation: the record is then its source. */
  readonly link?: DeltaLink;
  /** What is wrong with its form. */
  readonly faults: readonly ErrorDetail[];
}

/** The changes of a delta; its members are in `value`. */
export function planDelta(type: EntityType, body: JsonObject, context: GraphContext): readonly DeltaChange[] {
  return deltaValue(body).items.map((item, index) => planChange(type, item, `value[${index}]`, context));
}

/** The changes as they stand in the body of a delta. */
export function deltaValue({ members }: JsonObject): JsonArray {
  const value = members.get('value');
  if (value === undefined || !isArray(value))
    throw errors.missingRequired('value', 'A delta is an object with the changes as value.').at('value');
  return value;
}

function planChange(type: EntityType, item: Json, at: string, context: GraphContext): DeltaChange {
  if (!isObject(item)) throw errors.wrongJsonType(at, 'a record', 'something else').at(at);
  const link = linkOf(item, at);
  const id = link?.source ?? idOf(item);
  const place = id === undefined ? placeByKey(type, item, context) : recordAt(id, type, context);
  const unknown =
    id !== undefined && place === undefined
      ? [
          errors
            .invalidReference(id.slice(0, 64), link ? 'source' : '@id', type.name)
            .at(link ? 'source' : '@id')
            .asDetail(),
        ]
      : [];
  return {
    at,
    body: item,
    place,
    isRemoved: removalOf(item) !== undefined,
    ...(link && { link }),
    faults: [...unknown, ...removalFaults(item, '').map((fault) => ({ ...fault, target: '@removed' }))],
  };
}

function placeByKey(type: EntityType, body: JsonObject, context: GraphContext): RecordTarget | undefined {
  const key = bodyKey(type, body, context);
  return key.size === type.key.length ? { type, alias: 't0', parents: [], key: [...key.values()], via: undefined } : undefined;
}

type RecordOperation = Exclude<DeltaOperation, DeltaLink['operation']>;

const routes: { readonly [Operation in RecordOperation]: (type: EntityType) => boolean } = {
  insert: ({ routes: offered }) => offered.some(({ operation }) => operation === 'createEntity'),
  update: isChanged,
  delete: ({ routes: offered }) => offered.some(({ operation }) => operation === 'deleteEntity'),
};
const verbs = { insert: 'created', update: 'changed', delete: 'deleted' } as const;

/** Refuses what the set does not offer, or the caller may not do. */
export function requireOffered(type: EntityType, operation: RecordOperation, { caller }: GraphContext): void {
  if (!routes[operation](type)) throw errors.readOnly(type.name, `${withArticle(type.name)} cannot be ${verbs[operation]}`);
  requireWritable(type, operation, caller);
}

/** The change of a record that is there. */
export function planChanged(actual: EntityType, { body }: DeltaChange, context: GraphContext): WritePlan {
  return planUpdateGraph(actual, body, context);
}

/** The record that a change adds, under the key that its id says. */
export function planAdded(type: EntityType, { body, place }: DeltaChange, context: GraphContext): WritePlan {
  // The service makes the keys of these, and a body that has one means a record that is there (protocol 11.4.4).
  if (place && type.keyGeneration !== undefined) throw errors.notFound(`${type.name} with that key`);
  if (place && place.parents.length > 0) throw errors.notFound(`${type.name} at that address`);
  return planCreateGraph(type, body, { ...context, ...(place && { key: keyValues(type, place) }) });
}

/** The key that an address has, as values of a new record; that of a singleton, or of the only record beneath another, has none. */
export function keyValues(type: EntityType, { key }: Pick<RecordTarget, 'key'>): StoredRecord {
  if (type.singleton !== undefined || type.contained === 'one') return new Map();
  return new Map(type.key.map((name) => [name, key.find(({ column }) => column === columnOf(type, name))?.value ?? null]));
}
