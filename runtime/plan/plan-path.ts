import { entityTypeOfSet, entityTypeOfSingleton, qualify } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { PathPart, ResourcePath } from '../uri/resource-path.js';
import { unknownSet } from './mistaken-segments.js';
import { planHooks } from './hooks.js';
import type { PathContext, RecordTarget, Target } from './path-target.js';
import { crossjoinTarget } from './plan-crossjoin.js';
import { singletonKey } from './plan-singleton.js';
import { ended, requireNoKey } from './property-path.js';
import { typesInTable } from './check/type-cast.js';
import { unionTarget } from './union-target.js';
import { refuseUnplannedPart, unplannedSuffix } from './check/unplanned.js';
import { fromCollection, fromEntity } from './path-segments.js';

/**
 * Resolves a path against the model: sets, keys in every form, filters, navigation, properties and the `$` suffixes.
 */
export function planPath(path: ResourcePath, context: PathContext): Target {
  const { container, aliases } = context;
  const [first, ...rest] = path.parts;
  const called = container.operations && planHooks.get('planCallPath')(path, context);
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

// URL conventions 4.16: all entities of a type, whatever their set; a type in several sets would need several tables.
// They are read-only here.
function everyOf([cast, ...rest]: readonly PathPart[], context: PathContext): Target {
  const { container, aliases } = context;
  if (cast === undefined) return { kind: 'collection', suffix: '', ...unionTarget(context) };
  if (cast.name === '$count') return ended({ kind: 'collection', suffix: '$count', ...unionTarget(context) }, rest);
  if (!cast.name.includes('.'))
    throw errors.notFound(`${cast.name} beneath $all`, ' Behind it there can be $count, or the qualified name of a type.').at(cast.name);
  const name = qualify(container, cast.name);
  const inSets = Object.values(container.entityTypes).filter(({ entitySet }) => entitySet !== undefined);
  const [type, ...others] = inSets.filter(({ qualifiedName }) => qualifiedName === name);
  // If a type is in no set, its derived types are.
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

/** Continues a path after an operation's result: with a key of one of its entities, and further segments. */
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
