import type { EntityType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { withArticle } from '../../errors/suggest.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import { isArray, isObject, type Json, type JsonArray, type JsonObject } from '../../json/json.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import { bodyKey, idOf, keyValues, removalFaults, removalOf } from '../../plan/write/entity-body.js';
import { planCreateGraph } from '../../plan/write/plan-graph.js';
import { type GraphContext, isChanged, recordAt, unusableId } from '../../plan/write/plan-link.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import type { WritePlan } from '../../plan/write/write-plan.js';

/** The operations of a delta. */
export type DeltaOperation = 'insert' | 'update' | 'delete';

/** One change of a delta (JSON format 15): an added, changed or removed entity. */
export interface DeltaChange {
  /** Its position in the body: `value[1]`. */
  readonly at: string;
  readonly body: JsonObject;
  /** The entity by its id or key; undefined where the body has neither. */
  readonly place: RecordTarget | undefined;
  readonly isRemoved: boolean;
  readonly faults: readonly ErrorDetail[];
}

/** The changes of a delta, from its member `value`. */
export function planDelta(type: EntityType, body: JsonObject, context: GraphContext): readonly DeltaChange[] {
  return deltaValue(body).items.map((item, index) => planChange(type, item, `value[${index}]`, context));
}

/** The changes in the body of a delta. */
export function deltaValue({ members }: JsonObject): JsonArray {
  const value = members.get('value');
  if (value === undefined || !isArray(value))
    throw errors
      .missingRequired(
        'value',
        'PATCH of a collection needs a delta payload, an object with the changes as value; one record is changed at its own address.',
      )
      .at('value');
  return value;
}

function planChange(type: EntityType, item: Json, at: string, context: GraphContext): DeltaChange {
  if (!isObject(item)) throw errors.wrongJsonType(at, 'a record', 'another type').at(at);
  refuseLink(item, at);
  const id = idOf(item);
  const place = id === undefined ? placeByKey(type, item, context) : recordAt(id, type, context);
  const unknown = id !== undefined && place === undefined ? [unusableId(id, '@id', type, context.refer(id)).asDetail('@id')] : [];
  return {
    at,
    body: item,
    place,
    isRemoved: removalOf(item) !== undefined,
    faults: [...unknown, ...removalFaults(item, '').map((fault) => ({ ...fault, target: '@removed' }))],
  };
}

// A link of a delta (JSON format 15.5 and 15.6) has its own context.
function refuseLink({ members }: JsonObject, at: string): void {
  const contextUrl = members.get('@odata.context') ?? members.get('@context');
  if (typeof contextUrl === 'string' && /\$(?:link|deletedLink)$/i.test(contextUrl))
    throw errors.notImplemented('A link in a delta payload', 'Change the navigation property of its source.').at(at);
}

function placeByKey(type: EntityType, body: JsonObject, context: GraphContext): RecordTarget | undefined {
  const key = bodyKey(type, body, context);
  return key.size === type.key.length ? { type, alias: 't0', parents: [], key: [...key.values()], via: undefined } : undefined;
}

const routes: { readonly [Operation in DeltaOperation]: (type: EntityType) => boolean } = {
  insert: ({ routes: offered }) => offered.some(({ operation }) => operation === 'createEntity'),
  update: isChanged,
  delete: ({ routes: offered }) => offered.some(({ operation }) => operation === 'deleteEntity'),
};
const verbs = { insert: 'created', update: 'changed', delete: 'deleted' } as const;

/** Rejects operations that the set does not offer, or the caller may not use. */
export function requireOffered(type: EntityType, operation: DeltaOperation, { caller }: GraphContext): void {
  if (!routes[operation](type)) throw errors.readOnly(type.name, `${withArticle(type.name)} cannot be ${verbs[operation]}`);
  requireWritable(type, operation, caller);
}

/** The entity that a change adds, with the key in its id. */
export function planAdded(type: EntityType, { body, place }: DeltaChange, context: GraphContext): WritePlan {
  // The service generates these keys, so a body with one refers to an existing entity (protocol 11.4.4).
  if (place && type.key.some((name) => type.rules.computed.includes(name))) throw errors.notFound(`${type.name} with that key`);
  if (place && place.parents.length > 0) throw errors.notFound(`${type.name} at that address`);
  return planCreateGraph(type, body, { ...context, ...(place && { key: keyValues(type, place) }) });
}
