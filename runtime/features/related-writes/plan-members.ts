import { own } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import { withArticle } from '../../errors/suggest.js';
import { withoutMembers } from '../../json/json.js';
import { bodyKey, type BodyKey, idOf, isReference, removalFaults, removalOf } from '../../plan/write/entity-body.js';
import { isOwnColumn, linkingProperties } from '../../plan/path/navigation-join.js';
import type { Item, Planners, Related, RelatedMember } from '../../plan/write/plan-link.js';
import { createFaults, fixedFault, isChanged, joinFaults, recordNamed, unusableId } from '../../plan/write/plan-link.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import type { MemberPlan, Refusal, RelatedPlan } from '../../plan/write/write-plan.js';

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

function formFaults(member: RelatedMember, { body, at }: Item, extent: RelatedPlan['extent']): readonly ErrorDetail[] {
  const { name, target, navigation, context } = member;
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
  const within = place === undefined && isKnownWithin(of, key, given) ? [...key.values()] : undefined;
  return {
    at,
    place,
    ...(within && { within }),
    id: (idOf(body) ?? [...key.values()].map(({ value }) => value).join(',')).slice(0, 64),
    ...(removed && { removed }),
    ...(isReference(body) && { isReference: true }),
    planUpdate: (actual) => {
      const others = withoutMembers(body, (name) => given.has(name));
      return planners.update(actual, others, { ...inner, given });
    },
    planCreate: () => planners.create(target, body, { ...inner, given }),
    requireCurrent: (version) => context.requireCurrent(body, { type: target, version, at }),
  };
}

// Key properties that the owner determines may be omitted, and so may the key of a single contained entity.
function isKnownWithin({ navigation, target }: RelatedMember, key: BodyKey, given: ReadonlySet<string>): boolean {
  return (
    (navigation.contains && !navigation.collection) ||
    target.key.every((name) => key.has(name) || given.has(own(target.keyFields ?? {}, name)?.path ?? name))
  );
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
