import { qualify } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import { typesInTable } from '../../plan/path/type-cast.js';
import { ended, fromCollection } from '../../plan/read/path-segments.js';
import type { PathContext, RecordTarget, Target } from '../../plan/path/path-target.js';
import type { PageRead } from '../../plan/read-plan.js';
import type { PlanContext } from '../../plan/scope.js';
import type { QueryOptions } from '../../uri/query-options.js';
import type { PathPart } from '../../uri/resource-path.js';
import { crossjoinTarget, planCrossjoin } from './plan-crossjoin.js';
import { planUnion } from './plan-union.js';
import { unionTarget } from './union-target.js';

/** Plans a read of `$all` or of a cross join. */
export function planCrossSet(target: RecordTarget, options: QueryOptions, context: PlanContext): PageRead {
  return target.sets ? planCrossjoin(target, target.sets, options, context) : planUnion(target, target.union ?? [], options, context);
}

/** The target of a path that begins with `$all` or `$crossjoin(...)`. */
export function crossSetTarget(first: PathPart, rest: readonly PathPart[], context: PathContext): Target {
  return first.sets ? crossjoin(crossjoinTarget(first.sets, context), rest) : everyOf(rest, context);
}

// URL conventions 4.16: all entities of a type, whatever their set; a type in several sets would need several tables.
// They are read-only here.
function everyOf([cast, ...rest]: readonly PathPart[], context: PathContext): Target {
  const { container, aliases } = context;
  if (cast === undefined) return { kind: 'collection', suffix: '', ...unionTarget(context) };
  if (cast.name === '$count') return ended({ kind: 'collection', suffix: '$count', ...unionTarget(context) }, rest);
  if (!cast.name.includes('.'))
    throw errors.notFound(`${cast.name} beneath $all`, ' Only $count or the qualified name of a type can follow it.').at(cast.name);
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
  const names = inSets.map(({ qualifiedName }) => qualifiedName);
  if (type === undefined) throw errors.notFound(`entity type ${cast.name} in a set`, suggestion(name, names)).at(cast.name);
  const readable = { ...type, routes: type.routes.filter(({ method }) => method === 'GET') };
  return fromCollection(
    { type: readable, alias: aliases.next(), parents: [], key: [], via: undefined, ...typesInTable(type, container) },
    cast,
    rest,
    context,
  );
}

function crossjoin(target: RecordTarget, rest: readonly PathPart[]): Target {
  const [next, ...further] = rest;
  if (next && next.name !== '$count') throw errors.notFound(`${next.name} beneath $crossjoin(...)`);
  return ended({ kind: 'collection', suffix: next ? '$count' : '', ...target }, further);
}
