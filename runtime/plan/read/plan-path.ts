import { entityTypeOfSet, entityTypeOfSingleton } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { located } from '../../errors/odata-error.js';
import type { PathPart, ResourcePath } from '../../uri/resource-path.js';
import { unknownSet, unplannedSuffix } from '../path/mistaken-segments.js';
import { planHooks } from '../hooks.js';
import type { PathContext, RecordTarget, Target } from '../path/path-target.js';
import { singletonKey } from '../path/plan-key.js';
import { typesInTable } from '../path/type-cast.js';
import { refuseUnplannedPart } from '../check/unplanned.js';
import { ended, fromCollection, fromEntity, requireNoKey } from './path-segments.js';

/** Resolves a path against the model: sets, keys in every form, filters, navigation, properties and the `$` suffixes. */
export function planPath(path: ResourcePath, context: PathContext): Target {
  return located(path.parts[0], () => planParts(path, context));
}

function planParts(path: ResourcePath, context: PathContext): Target {
  const { container, aliases } = context;
  const [first, ...rest] = path.parts;
  const called = container.operations && planHooks.get('planCallPath')(path, context);
  if (called) return called;
  path.parts.forEach(refuseUnplannedPart);
  if (first === undefined) return { kind: 'service' };
  if (first.name === '$metadata') return metadataTarget(rest);
  if (container.unsupported?.includes(first.name)) throw errors.notImplemented(`/${first.name}`).at(first.name);
  if (first.name === '$all' || first.sets) return planHooks.get('crossSetTarget')(first, rest, context);
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
    ...(type.baseTypes && typesInTable(type, container)),
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

/** Continues a path after an operation's result: with a key of one of its entities, and further segments. */
export function continuePath(target: Target, part: PathPart, rest: readonly PathPart[], context: PathContext): Target {
  rest.forEach(refuseUnplannedPart);
  if (target.kind !== 'collection' && target.kind !== 'entity') return ended(target, rest);
  const { kind, suffix: _, ...record } = target;
  return kind === 'collection' ? fromCollection(record, part, rest, context) : fromEntity(record, rest, context);
}

function metadataTarget(rest: readonly PathPart[]): Target {
  if (rest.length > 0) throw errors.notFound('resource after $metadata');
  return { kind: 'metadata' };
}
