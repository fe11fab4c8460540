import { type EntityContainer, type EntityType, type Navigation, navigationOf, own, targetOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { located } from '../../errors/odata-error.js';
import type { CommonExpr } from '../../expression/ast.js';
import { bindAliases } from '../../uri/bind-aliases.js';
import type { PathPart } from '../../uri/resource-path.js';
import { isHidden, rootOf } from '../caller.js';
import { castValueAt } from '../check/property-expr.js';
import { castSegment } from '../path/type-cast.js';
import { refuseContained } from '../check/unplanned.js';
import { both } from '../expr-facts.js';
import { planHooks } from '../hooks.js';
import { knownKey, parentStep } from '../path/navigation-join.js';
import { missingRecord, requireNoName, unknownSegment, unplannedSuffix } from '../path/mistaken-segments.js';
import type { PathContext, RecordTarget, Target } from '../path/path-target.js';
import { readByKey } from '../path/derivation.js';
import { type Nested, nestedNavigationOf } from '../path/nested-path.js';
import { planFilter, rootScope } from '../options/plan-filter.js';
import { type NoSuchKey, planKey, planKeySegments } from '../path/plan-key.js';
import type { KeyCondition } from '../typed-expr.js';

/** Continues a path after a collection of entities. */
export function fromCollection(target: RecordTarget, part: PathPart, rest: readonly PathPart[], context: PathContext): Target {
  const { key } = part;
  if (key === undefined) return located(rest[0], () => throughCollection(target, rest, context));
  const keyed = located(part, () => withKey(target, planKey(target.type, key, context.container, context.parameters, target.known)));
  return fromEntity(keyed, rest, context);
}

function throughCollection(target: RecordTarget, rest: readonly PathPart[], context: PathContext): Target {
  const [next, ...further] = rest;
  if (next === undefined) return { kind: 'collection', suffix: '', ...target };
  if (next.filter) return fromCollection(withCondition(target, next.filter, context), next, further, context);
  if (next.name === '$count' || next.name === '$ref' || next.name === '$each')
    return ended({ kind: 'collection', suffix: next.name, ...target }, further, next.name === '$each' ? eachHint : '');
  if (next.name.startsWith('$')) throw unplannedSuffix(next.name);
  const cast = castSegment(next.name, target.type, context.container);
  if (cast) return fromCollection({ ...target, ...cast, ...castAddress(target, next.name, cast.type) }, next, further, context);
  requireNoName(next.name, target.type, context.container);
  const names = rest.map(({ name }) => name);
  const { key, length } = planKeySegments(target.type, names, context.container, target.known);
  return fromEntity(withKey(target, key, `/${names[0]}`), further.slice(length - 1), context);
}

const eachHint = ' A path ends with /$each, for PATCH or DELETE of each record; a reference is removed by DELETE of /$ref?$id=...';

// URL conventions 4.12: the segment keeps the members for which the condition is true.
function withCondition(target: RecordTarget, condition: CommonExpr, context: PathContext): RecordTarget {
  const bound = boundTo(condition, context);
  const filter = both(target.filter, planFilter(bound, rootScope(target, context), '/$filter'));
  return { ...target, ...(filter && { filter }), conditions: [...(target.conditions ?? []), bound] };
}

function withKey(target: RecordTarget, key: readonly KeyCondition[] | NoSuchKey, written?: string): RecordTarget {
  if (key === 'none') throw missingRecord(target.type, written);
  const { alias, parents, types, filter, via, address, sets, union } = target;
  const type = readByKey(target.type);
  const last = address?.at(-1);
  const keyed = address && last ? [...address.slice(0, -1), { name: last.name, type: last.type, key }] : address;
  // Member by member: V8 has no quick way to give a copy other members than it was copied with.
  return { type, alias, parents, key, types, filter, via, address: keyed, sets, union };
}

/** Continues a path after an entity: each segment is looked up among the model's members, in this order. */
export function fromEntity(target: RecordTarget, rest: readonly PathPart[], context: PathContext): Target {
  return located(rest[0], () => throughEntity(target, rest, context));
}

function throughEntity(target: RecordTarget, rest: readonly PathPart[], context: PathContext): Target {
  const [next, ...further] = rest;
  if (next === undefined) return entityTarget(target);
  if (next.name === '$ref') return ended({ kind: 'entity', suffix: '$ref', ...target }, further);
  if (next.filter) throw errors.typeMismatch('/$filter(...) needs a collection of records before it.').at('/$filter');
  const names = rest.map(({ name }) => name);
  const navigation = navigationOf(target.type, next.name);
  if (navigation) return alongNavigation(target, next, navigation, further, context);
  if (next.key) requireMember(next.name, target.type, context.container);
  requireNoKey(next);
  const stream = target.type.streams && planHooks.get('streamAt')(target, rest, context.container);
  if (stream) return stream;
  const nested = nestedNavigationOf(target.type, names, context.container);
  if (nested) return alongNested(target, rest, nested, context);
  const cast = castSegment(next.name, target.type, context.container);
  if (cast) return fromEntity({ ...target, ...cast, ...castAddress(target, next.name, cast.type) }, further, context);
  const property = planHooks.get('propertyAt')(target, rest, context);
  if (property) return property;
  throw unknownSegment(next.name, target.type, context.container);
}

// A call of an unknown operation looks like a key.
function requireMember(name: string, type: EntityType, container: EntityContainer): void {
  const isMember = own(type.fields, name) || own(type.streams ?? {}, name) || castSegment(name, type, container);
  if (!isMember) throw unknownSegment(name, type, container);
}

// Continues a path at a navigation property of a complex value.
function alongNested(
  target: RecordTarget,
  rest: readonly PathPart[],
  { path, length, member: navigation }: Nested<Navigation>,
  context: PathContext,
): Target {
  return alongNavigation(
    throughValues(target, rest.slice(0, length - 1), context),
    { ...rest[length - 1], name: path },
    navigation,
    rest.slice(length),
    context,
  );
}

// After a cast only if the value has the type.
function throughValues(target: RecordTarget, parts: readonly PathPart[], { container }: PathContext): RecordTarget {
  parts.forEach(requireNoKey);
  const names = parts.map(({ name }) => name);
  const filter = both(target.filter, castValueAt(target, names, container));
  return { ...target, ...(filter && { filter }) };
}

function entityTarget({ type, alias, parents, key, types, filter, via, address, sets, union }: RecordTarget): Target {
  return { kind: 'entity', suffix: '', type, alias, parents, key, types, filter, via, address, sets, union };
}

// A hidden complex value hides its navigation properties.
function requireSeen(type: EntityType, name: string, { caller }: PathContext): void {
  if (isHidden(type, name, caller)) throw errors.notPermitted(rootOf(name)).at(rootOf(name));
}

function alongNavigation(
  target: RecordTarget,
  part: PathPart,
  navigation: Navigation,
  rest: readonly PathPart[],
  context: PathContext,
): Target {
  refuseContained(target.type, part.name, navigation);
  requireSeen(target.type, part.name, context);
  const type = targetOf(context.container, navigation);
  const parent = parentStep(target, navigation, type);
  const next: RecordTarget = {
    type,
    alias: context.aliases.next(),
    parents: [parent, ...target.parents],
    key: [],
    via: part.name,
    ...addressAlong(target, part.name, navigation, type),
  };
  if (navigation.collection) return fromCollection({ ...next, known: knownKey(navigation, target, type) }, part, rest, context);
  requireNoKey(part);
  return fromEntity(next, rest, context);
}

type Addressed = Pick<RecordTarget, 'address'>;

function addressAlong(target: RecordTarget, name: string, navigation: Navigation, type: EntityType): Addressed {
  const { address } = target;
  const container = navigation.container && containerAddress(target);
  if (container) return container;
  return { address: [...(address ?? []), { name, type, ...(!navigation.collection && { alone: true }) }] };
}

/** A containment of a derived type is addressed after the cast. */
function castAddress({ address = [] }: RecordTarget, name: string, type: EntityType): Addressed {
  return { address: [...address, { name, type }] };
}

// A parent is addressed by the path before its child, so a back-reference does not extend the address.
function containerAddress({ address = [] }: RecordTarget): Addressed | undefined {
  const own = address.findLastIndex(({ name }) => !name.includes('.') || name.includes('/'));
  return own > 0 ? { address: address.slice(0, own) } : undefined;
}

// A condition of a path, with the values of its aliases.
function boundTo(condition: CommonExpr, { parameters }: PathContext): CommonExpr {
  return bindAliases({ filter: condition, ...(parameters && { aliases: parameters }) }).filter ?? condition;
}

/** The target, where the path ends with it. */
export function ended(target: Target, rest: readonly PathPart[], hint = ''): Target {
  const [next] = rest;
  if (next) throw errors.notFound(`resource ${next.name} at the end of that path`, hint).in(next);
  return target;
}

/** Rejects parentheses that would be ignored. */
export function requireNoKey({ name, key }: PathPart): void {
  if (key) throw errors.typeMismatch(`${name} is not a collection of records and accepts no key.`).at(name);
}
