import {
  anyEntity,
  entityTypeNamed,
  entityTypeOfSet,
  entityTypeOfSingleton,
  fieldOf,
  isDynamicName,
  navigationOf,
  nestedNavigationOf,
  ownNames,
  qualify,
  readByKey,
  recordTypeNamed,
  targetOf,
  type EntityType,
  type Navigation,
} from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { CommonExpr } from '../expression/ast.js';
import type { PathPart, ResourcePath } from '../uri/resource-path.js';
import { addressAlong, castAddress } from './address-along.js';
import { isHidden, rootOf } from './caller.js';
import { storedExpr } from './check/check-path.js';
import { both, planFilter } from './plan-filter.js';
import { findCall, type Binding, type OperationTarget } from './find-call.js';
import { requireNoName, unknownSegment, unknownSet } from './mistaken-segments.js';
import { anyItemPathOf, itemPathOf, recordsOfAny, recordsOfItem } from './item-path.js';
import { madePlace } from './made-place.js';
import { madeValue, valueTarget } from './made-value.js';
import { knownKey } from './known-key.js';
import type { PathContext, PropertyTarget, RecordTarget, Target } from './path-target.js';
import { planKey, planKeySegments, type NoSuchKey } from './plan-key.js';
import { itemStreamTarget } from './item-stream.js';
import { nestedStreamTarget } from './nested-stream.js';
import { crossjoinTarget } from './plan-crossjoin.js';
import { parentStep } from './parent-step.js';
import { singletonKey } from './plan-singleton.js';
import { boundTo, dynamicProperty, ended, fromProperty, openValue, requireNoKey, untyped } from './property-path.js';
import type { KeyCondition } from './read-plan.js';
import { rootScope } from './scope.js';
import { streamTarget } from './plan-stream.js';
import { castSegment, typesInTable } from './check/type-cast.js';
import { unionTarget } from './union-target.js';
import { castValueAt } from './value-at.js';
import { alongAny, anyCollectionAt, type AnyCollection } from './along-any.js';
import { refuseContained, refuseUnplannedPart, unplannedSuffix } from './check/unplanned.js';

/** Resolves a path against the model: sets, keys in every form, conditions, navigation, properties and the `$` suffixes. */
export function planPath(path: ResourcePath, context: PathContext): Target {
  const { container, aliases } = context;
  const [first, ...rest] = path.parts;
  const called = container.operations && findCall(path.parts, (parts) => beforeCall(planPath({ parts }, context), context), container);
  if (called) return called;
  path.parts.forEach(refuseUnplannedPart);
  if (first === undefined) return { kind: 'service' };
  if (first.name === '$metadata') return metadataTarget(rest);
  if (first.name === '$all') return everyOf(rest, context);
  if (first.sets) return crossjoin(crossjoinTarget(first.sets, context), rest);
  if (first.name.startsWith('$')) throw unplannedSuffix(first.name);
  const type = entityTypeOfSet(container, first.name);
  if (type === undefined) return fromSingleton(first, rest, context);
  const start: RecordTarget = {
    type,
    alias: aliases.next(),
    parents: [],
    key: [],
    via: undefined,
    address: [{ name: first.name, type }],
    ...typesInTable(type, container),
  };
  return fromCollection(start, first, rest, context);
}

function beforeCall(target: Target, context: PathContext): Omit<Binding, 'parts'> {
  return target.kind === 'operation' ? { target: resultTarget(target, context), composed: true } : { target };
}

// Of what a function will answer with its type is known, and that of what lies behind it.
function resultTarget({ overloads, part, rest, name }: OperationTarget, context: PathContext): Target {
  const given = part.key?.kind === 'named' ? part.key.literals.length : 0;
  const operation = overloads.find(({ parameters }) => parameters.length === given) ?? overloads[0];
  const result = operation?.composable && operation.result;
  if (!operation || !result) throw errors.notFound(`operation behind ${operation?.name ?? name}, which is not composable`);
  if (result.field) return valueTarget(madeValue(context.container, operation.name, result.field), rest, context);
  if (result.type === anyEntity)
    throw errors.notImplemented(`What is bound to the answer of ${operation.name}, whose records may be of any type,`).at(operation.name);
  const declared = recordTypeNamed(context.container, result.type);
  const type = entityTypeNamed(context.container, result.type) ?? (declared && madePlace(context.container, declared).type);
  if (type === undefined) throw new Error(`The container has no entity type ${result.type}.`);
  const whole: Target = {
    kind: result.collection ? 'collection' : 'entity',
    suffix: '',
    type,
    alias: context.aliases.next(),
    parents: [],
    key: [],
    via: undefined,
  };
  return continuePath(whole, { name: type.name, ...(part.resultKey && { key: part.resultKey }) }, rest, context);
}

// URL conventions 4.2: a singleton is addressed by its name alone.
function fromSingleton(part: PathPart, rest: readonly PathPart[], context: PathContext): Target {
  const { container, aliases } = context;
  const type = entityTypeOfSingleton(container, part.name);
  if (type === undefined) throw unknownSet(part.name, container);
  requireNoKey(part);
  return fromEntity(
    { type, alias: aliases.next(), parents: [], key: singletonKey, via: undefined, address: [{ name: part.name, type }] },
    rest,
    context,
  );
}

// URL conventions 4.16: the records of one type, whatever set they are in; a type in several sets would need all of their tables. They are only read here.
function everyOf([cast, ...rest]: readonly PathPart[], context: PathContext): Target {
  const { container, aliases } = context;
  if (cast === undefined) return { kind: 'collection', suffix: '', ...unionTarget(context) };
  if (cast.name === '$count') return ended({ kind: 'collection', suffix: '$count', ...unionTarget(context) }, rest);
  if (!cast.name.includes('.'))
    throw errors.notFound(`${cast.name} beneath $all`, ' Behind it there can be $count, or the qualified name of a type.').at(cast.name);
  const name = qualify(container, cast.name);
  const inSets = Object.values(container.entityTypes).filter(({ entitySet }) => entitySet !== undefined);
  const [type, ...others] = inSets.filter(({ qualifiedName }) => qualifiedName === name);
  // Of a type whose set is none those that derive from it have records.
  const several = type ? [type, ...others] : inSets.filter(({ baseTypes }) => baseTypes?.includes(name));
  const sets = [...new Set(several.map(({ entitySet }) => `/${entitySet}`))];
  if (type === undefined ? sets.length > 0 : others.length > 0)
    throw errors
      .notImplemented(
        `/$all/${cast.name}, whose records are in ${sets.length > 1 ? 'several sets' : 'a set of a derived type'},`,
        `Read each of them: ${sets.join(', ')}.`,
      )
      .at('$all');
  if (type === undefined)
    throw errors
      .notFound(
        `entity type ${cast.name} in a set`,
        suggestion(
          name,
          inSets.map(({ qualifiedName }) => qualifiedName),
        ),
      )
      .at(cast.name);
  const readable = { ...type, routes: type.routes.filter(({ method }) => method === 'GET') };
  return fromCollection(
    { type: readable, alias: aliases.next(), parents: [], key: [], via: undefined, ...typesInTable(type, container) },
    cast,
    rest,
    context,
  );
}

/** Goes on behind what an operation answers: with the key of one of its records, and with further segments. */
export function continuePath(target: Target, part: PathPart, rest: readonly PathPart[], context: PathContext): Target {
  rest.forEach(refuseUnplannedPart);
  if (target.kind !== 'collection' && target.kind !== 'entity') return ended(target, rest);
  const { kind, suffix: _, ...record } = target;
  return kind === 'collection' ? fromCollection(record, part, rest, context) : fromEntity(record, rest, context);
}

function crossjoin(target: RecordTarget, rest: readonly PathPart[]): Target {
  const [next, ...further] = rest;
  if (next && next.name !== '$count') throw errors.notFound(`${next.name} beneath $crossjoin(...)`);
  return ended({ kind: 'collection', suffix: next ? '$count' : '', ...target }, further);
}

function metadataTarget(rest: readonly PathPart[]): Target {
  if (rest.length > 0) throw errors.notFound('resource beneath $metadata');
  return { kind: 'metadata' };
}

function fromCollection(target: RecordTarget, part: PathPart, rest: readonly PathPart[], context: PathContext): Target {
  if (part.key)
    return fromEntity(withKey(target, planKey(target.type, part.key, context.container, context.parameters, target.known)), rest, context);
  const [next, ...further] = rest;
  if (next === undefined) return { kind: 'collection', suffix: '', ...target };
  if (next.filter) return fromCollection(withCondition(target, next.filter, context), next, further, context);
  if (next.name === '$count' || next.name === '$ref' || next.name === '$each')
    return ended({ kind: 'collection', suffix: next.name, ...target }, further);
  if (next.name.startsWith('$')) throw unplannedSuffix(next.name);
  const cast = castSegment(next.name, target.type, context.container);
  if (cast) return fromCollection({ ...target, ...cast, ...castAddress(target, next.name, cast.type) }, next, further, context);
  requireNoName(next.name, target.type, context.container);
  const { key, length } = planKeySegments(
    target.type,
    rest.map(({ name }) => name),
    context.container,
    target.known,
  );
  return fromEntity(withKey(target, key), further.slice(length - 1), context);
}

// URL conventions 4.12: the segment stands for those members of the collection for which the condition is true.
function withCondition(target: RecordTarget, condition: CommonExpr, context: PathContext): RecordTarget {
  const bound = boundTo(condition, context);
  const filter = both(target.filter, planFilter(bound, rootScope(target, context), '/$filter'));
  return { ...target, ...(filter && { filter }), conditions: [...(target.conditions ?? []), bound] };
}

function withKey(target: RecordTarget, key: readonly KeyCondition[] | NoSuchKey): RecordTarget {
  if (key === 'none') throw errors.notFound(`${target.type.name} with that key`);
  const { alias, parents, types, filter, via, address, sets, union } = target;
  const type = readByKey(target.type);
  const last = address?.at(-1);
  const keyed = address && last ? [...address.slice(0, -1), { name: last.name, type: last.type, key }] : address;
  // Member by member: V8 has no quick way to give a copy other members than it was copied with.
  return { type, alias, parents, key, types, filter, via, address: keyed, sets, union };
}

function fromEntity(target: RecordTarget, rest: readonly PathPart[], context: PathContext): Target {
  const [next, ...further] = rest;
  if (next === undefined) return entityTarget(target);
  if (next.name === '$ref') return ended({ kind: 'entity', suffix: '$ref', ...target }, further);
  if (next.filter) throw errors.typeMismatch('/$filter(...) needs a collection of records before it.').at('/$filter');
  const navigation = navigationOf(target.type, next.name);
  if (navigation) return alongNavigation(target, next, navigation, further, context);
  const any = anyCollectionAt(
    target.type,
    rest.map(({ name }) => name),
    context.container,
  );
  if (any?.length !== 1) requireNoKey(next);
  const inner = nestedStreamTarget(
    target,
    rest.map(({ name }) => name),
    context.container,
  );
  if (inner) return ended(inner.target, rest.slice(inner.length), bytesElsewhere);
  const ofItem = itemStreamTarget(
    target,
    rest.map(({ name }) => name),
    context.container,
  );
  if (ofItem) return ended(ofItem.target, rest.slice(ofItem.length), bytesElsewhere);
  const nested = nestedNavigationOf(
    target.type,
    rest.map(({ name }) => name),
    context.container,
  );
  if (nested) return alongNested(target, rest, nested, context);
  if (any) return alongNestedAny(target, rest, any, context);
  const led = target.type.itemNavigation && itemPathOf(target.type, rest, context.container);
  if (led) return alongItem(target, led, context);
  const anyLed = target.type.anyItemNavigation && anyItemPathOf(target.type, rest, context.container);
  if (anyLed?.any.collection) return alongAnyItem(target, anyLed, context);
  const cast = castSegment(next.name, target.type, context.container);
  if (cast) return fromEntity({ ...target, ...cast, ...castAddress(target, next.name, cast.type) }, further, context);
  const stream = streamTarget(target, next.name);
  if (stream) return ended(stream, further, bytesElsewhere);
  const field = fieldOf(target.type, next.name);
  if (field === undefined && isDynamicName(target.type, next.name))
    return dynamicProperty({ ...target, kind: 'property', name: '', field: untyped, value: openValue(target.alias), suffix: '' }, [
      next,
      ...further,
    ]);
  if (field === undefined) throw unknownSegment(next.name, target.type, context.container);
  return fromProperty(
    { kind: 'property', name: next.name, field, value: storedExpr(target, next.name, field), suffix: '', ...target },
    further,
    context,
  );
}

// What a complex value leads to.
function alongNested(
  target: RecordTarget,
  rest: readonly PathPart[],
  { path, length, navigation }: NonNullable<ReturnType<typeof nestedNavigationOf>>,
  context: PathContext,
): Target {
  return alongNavigation(
    throughValues(target, rest.slice(0, length - ownNames(path)), context),
    { ...rest[length - 1], name: path },
    navigation,
    rest.slice(length),
    context,
  );
}

function alongNestedAny(
  target: RecordTarget,
  rest: readonly PathPart[],
  { path, length, any }: AnyCollection,
  context: PathContext,
): Target {
  return fromCollection(
    alongAny(throughValues(target, rest.slice(0, length - 1), context), { ...rest[length - 1], name: path }, any, rest[length], context),
    { name: path },
    rest.slice(length),
    context,
  );
}

// Behind a cast only where the value is of the type.
function throughValues(target: RecordTarget, parts: readonly PathPart[], { container }: PathContext): RecordTarget {
  parts.forEach(requireNoKey);
  const filter = both(
    target.filter,
    castValueAt(
      target,
      parts.map(({ name }) => name),
      container,
    ),
  );
  return { ...target, ...(filter && { filter }) };
}

function entityTarget({ type, alias, parents, key, types, filter, via, address, sets, union }: RecordTarget): Target {
  return { kind: 'entity', suffix: '', type, alias, parents, key, types, filter, via, address, sets, union };
}

// A complex value that the caller does not see hides where it leads.
function requireSeen(type: EntityType, name: string, { caller }: PathContext): void {
  if (isHidden(type, name, caller)) throw errors.notPermitted(rootOf(name)).at(rootOf(name));
}

const bytesElsewhere = ' A media stream has its bytes at its own address.';

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

// What an item leads to, or a value within one.
function alongItem(target: RecordTarget, led: NonNullable<ReturnType<typeof itemPathOf>>, context: PathContext): Target {
  const { part, rest, navigation } = led;
  const value = valueBefore(target, led, context);
  const next = recordsOfItem(target, value, led, context);
  if (navigation.collection) return fromCollection(next, part, rest, context);
  requireNoKey(part);
  return fromEntity(next, rest, context);
}

function alongAnyItem(target: RecordTarget, led: NonNullable<ReturnType<typeof anyItemPathOf>>, context: PathContext): Target {
  return fromCollection(recordsOfAny(target, valueBefore(target, led, context), led, context), { name: led.path }, led.rest, context);
}

function valueBefore(
  target: RecordTarget,
  { before }: Pick<NonNullable<ReturnType<typeof itemPathOf>>, 'before'>,
  context: PathContext,
): PropertyTarget {
  const value = fromEntity(target, before, context);
  if (value.kind !== 'property') throw new Error('Items lie in properties.');
  requireSeen(target.type, value.name, context);
  return value;
}
