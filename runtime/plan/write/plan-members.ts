import { type EntityType, type Navigation, own } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import { withArticle } from '../../errors/suggest.js';
import { isObject, type JsonObject } from '../../json/json.js';
import { bodyKey, type BodyKey } from './entity-body.js';
import { isOwnColumn, linkingProperties } from '../navigation-join.js';
import {
  fixedFault,
  isChanged,
  joinFaults,
  recordNamed,
  unusableId,
  type GraphContext,
  type Related,
  type RelatedMember,
} from './plan-link.js';
import type { RecordTarget } from '../path-target.js';
import { requireWritable } from './plan-write.js';
import type { MemberPlan, Refusal, RelatedPlan, WritePlan } from './write-plan.js';

/** The planners for a nested entity, applied when it is known whether it exists. */
export interface Planners {
  readonly update: (type: EntityType, body: JsonObject, context: GraphContext) => WritePlan;
  readonly create: (type: EntityType, body: JsonObject, context: GraphContext) => WritePlan;
  /** Whether omitted values are removed, as with PUT. */
  readonly replaces?: true;
}

/** A nested entity with its position in the body. */
export interface Item {
  readonly body: JsonObject;
  readonly at: string;
}

/** The changes of an update at a navigation property: its new targets, or changes among them. */
export function planMembers(
  of: RelatedMember,
  items: readonly Item[],
  extent: RelatedPlan['extent'],
  planners: Planners,
  { nested, faults }: Related,
): void {
  const { name, navigation, target } = of;
  const members = items.flatMap((item): readonly MemberPlan[] => {
    const wrong = formFaults(of, item, extent);
    faults.push(...wrong);
    return wrong.length > 0 ? [] : [planMember(of, item, planners)];
  });
  nested.push({ name, navigation, target, extent, members, refuse: (what, at) => refusals[what](of, at) });
}

/** Whether an object is only an id, and so an entity reference (JSON format 14). */
export function isReference({ members }: JsonObject): boolean {
  return idOf({ members }) !== undefined && [...members.keys()].every((name) => name.startsWith('@'));
}

/** The id of an object. */
export function idOf({ members }: Pick<JsonObject, 'members'>): string | undefined {
  const id = members.get('@odata.id') ?? members.get('@id');
  return typeof id === 'string' ? id : undefined;
}

/** Whether an object is a removed entity (JSON format 15.3), and the reason. */
export function removalOf({ members }: JsonObject): MemberPlan['removed'] {
  const removed = members.get('@removed') ?? members.get('@odata.removed');
  if (removed === undefined || !isObject(removed)) return undefined;
  return removed.members.get('reason') === 'deleted' ? 'deleted' : 'changed';
}

/** The faults of a removed entity in another form. */
export function removalFaults({ members }: JsonObject, at: string): readonly ErrorDetail[] {
  const removed = members.get('@removed') ?? members.get('@odata.removed');
  if (removed === undefined) return [];
  const reason = isObject(removed) ? (removed.members.get('reason') ?? 'changed') : undefined;
  if (reason === 'deleted' || reason === 'changed') return [];
  return [
    errors
      .invalidValue(
        typeof reason === 'string' ? reason.slice(0, 64) : 'another type',
        '@removed',
        `: it must be {"reason":"changed"} or {"reason":"deleted"}`,
      )
      .asDetail(`${at}.@removed`),
  ];
}

function formFaults(
  { name, target, navigation, context }: RelatedMember,
  { body, at }: Item,
  extent: RelatedPlan['extent'],
): readonly ErrorDetail[] {
  const id = idOf(body);
  if (id !== undefined && recordNamed(id, at, target, context) === undefined)
    return [unusableId(id, at, target, context.refer(id)).asDetail(at)];
  const removed = removalOf(body);
  if (removed !== undefined && extent === 'whole' && navigation.collection)
    return [errors.readOnly(at, `removals belong in ${name}@delta; ${name} lists the complete collection`).asDetail(at)];
  return removalFaults(body, at);
}

function planMember(of: RelatedMember, { body, at }: Item, planners: Planners): MemberPlan {
  const { type, navigation, target, context } = of;
  const { key: _, given: __, ...inner } = context;
  const given = new Set(isOwnColumn(navigation, target) ? [] : linkingProperties(type, navigation, target));
  const removed = removalOf(body);
  const key = bodyKey(target, body, context);
  const place = placeOf({ body, at }, key, of);
  const within = place === undefined && isToldWithin(of, key, given) ? [...key.values()] : undefined;
  return {
    at,
    place,
    ...(within && { within }),
    id: (idOf(body) ?? [...key.values()].map(({ value }) => value).join(',')).slice(0, 64),
    ...(removed && { removed }),
    ...(isReference(body) && { isReference: true }),
    planUpdate: (actual) => planners.update(actual, without(body, given), { ...inner, given }),
    planCreate: () => planners.create(target, body, { ...inner, given }),
    requireCurrent: (version) => context.requireCurrent(body, { type: target, version, at }),
  };
}

// Key properties that the owner determines may be omitted, and so may the key of a single contained entity.
function isToldWithin({ navigation, target }: RelatedMember, key: BodyKey, given: ReadonlySet<string>): boolean {
  return (
    (navigation.contains && !navigation.collection) ||
    target.key.every((name) => key.has(name) || given.has(own(target.keyFields ?? {}, name)?.path ?? name))
  );
}

// A body that was read may contain the back-reference.
function without({ members }: JsonObject, names: ReadonlySet<string>): JsonObject {
  return { kind: 'object', members: new Map([...members].filter(([name]) => !names.has(name))) };
}

// With both an id and a key, the id identifies the entity, and the key is compared.
function placeOf({ body, at }: Item, key: BodyKey, { navigation, target, context }: RelatedMember): RecordTarget | undefined {
  const id = idOf(body);
  if (id !== undefined) return recordNamed(id, at, target, context);
  // The key of a contained entity is unique below its owner.
  return !navigation.contains && key.size === target.key.length
    ? { type: target, alias: 't0', parents: [], key: [...key.values()], via: undefined }
    : undefined;
}

const refusals: { readonly [What in Refusal]: (of: RelatedMember, at: string) => readonly ErrorDetail[] } = {
  join: relationFaults,
  leave: relationFaults,
  create: createFaults,
  update: changeFaults,
  delete: deleteFaults,
};

// Where the entity itself or a join table stores the relation, the other one does not change.
function relationFaults(of: RelatedMember, at: string): readonly ErrorDetail[] {
  const fixed = fixedFault(of.navigation, at);
  if (fixed !== undefined) return [fixed];
  return of.navigation.through || isOwnColumn(of.navigation, of.target) ? [] : joinFaults(of, at);
}

/** The faults of creating a related entity: whether the service permits it. */
export function createFaults({ navigation, target, context }: RelatedMember, at: string): readonly ErrorDetail[] {
  if (!isCreatable(navigation, target)) return [errors.readOnly(at, `${withArticle(target.name)} cannot be created`).asDetail(at)];
  requireWritable(target, 'insert', context.caller);
  return [];
}

// A contained entity is created below its parent, and cannot create another one through its back-reference.
function isCreatable({ contains, container }: Navigation, { contained, routes }: EntityType): boolean {
  if (container || (contained && !contains)) return false;
  const makes = contained === 'one' ? 'replaceEntity' : 'createEntity';
  return routes.some(({ operation }) => operation === makes || (contained === 'one' && operation === 'updateEntity'));
}

function changeFaults({ target, context }: RelatedMember, at: string): readonly ErrorDetail[] {
  if (!isChanged(target)) return [errors.readOnly(at, `${withArticle(target.name)} cannot be changed`).asDetail(at)];
  requireWritable(target, 'update', context.caller);
  return [];
}

function deleteFaults({ target, context }: RelatedMember, at: string): readonly ErrorDetail[] {
  if (!target.routes.some(({ operation }) => operation === 'deleteEntity'))
    return [errors.readOnly(at, `${withArticle(target.name)} cannot be deleted`).asDetail(at)];
  requireWritable(target, 'delete', context.caller);
  return [];
}
