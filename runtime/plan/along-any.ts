import type { AnyNavigation, EntityContainer, EntityType } from '../edm/index.js';
import { nestedAnyOf } from './path/nested-path.js';
import { errors } from '../errors/catalogue.js';
import { excerpt } from '../expression/quote.js';
import type { PathPart } from '../uri/resource-path.js';
import { armsOf, requireOneSet, typesIn } from './any-navigation.js';
import { isHidden } from './caller.js';
import { conditionOf, type PathContext, type RecordTarget } from './path-target.js';
import type { ParentStep } from './read-plan.js';
import { ownerColumn, unionOfArms } from './union-target.js';

/** A collection of records of any type, and how many of the names in a path lead to it. */
export type AnyCollection = NonNullable<ReturnType<typeof nestedAnyOf>>;

/** The collection of records of any type that a path begins with. */
export function anyCollectionAt(type: EntityType, names: readonly string[], container: EntityContainer): AnyCollection | undefined {
  const found = nestedAnyOf(type, names, container);
  return found?.any.collection ? found : undefined;
}

const behind: ReadonlySet<string> = new Set(['$count', '$ref']);

/** The records of all types that a collection of records of any type leads to, where no type stands behind its name. */
export function alongAny(
  target: RecordTarget,
  part: PathPart,
  any: AnyNavigation,
  next: PathPart | undefined,
  context: PathContext,
): RecordTarget {
  const { container, aliases, caller } = context;
  requireType(target.type, part, any, next, container);
  if (isHidden(target.type, part.name, caller)) throw errors.notPermitted(part.name).at(part.name);
  return {
    ...unionOfArms(armsOf(target.type, any, container), { container, aliases }),
    alias: aliases.next(),
    parents: [stepBack(target), ...target.parents],
    key: [],
    via: part.name,
  };
}

/** Refuses what needs a type in front of it: records of different types have no key in common. */
export function requireType(
  type: EntityType,
  { name, key }: PathPart,
  any: AnyNavigation,
  next: PathPart | undefined,
  container: EntityContainer,
): void {
  const types = typesIn(any, name);
  if (key)
    throw errors
      .notFound(`key in ${name}, which leads to records of any type`, ` Write the type in front of it, as in ${name}/${types[0]}(...).`)
      .at(name);
  if (next === undefined || next.filter || behind.has(next.name)) return;
  requireOneSet(type, name, any, next.name, container);
  throw errors
    .notFound(
      `${excerpt(next.name)} in ${name}, which leads to records of ${types.join(', ')}`,
      ` Write one of the types behind it, as in ${name}/${types[0]}.`,
    )
    .at(next.name);
}

function stepBack({ type, alias, key, types, filter }: RecordTarget): ParentStep {
  const condition = conditionOf({ alias, types, filter });
  return {
    type,
    alias,
    table: type.table,
    key,
    on: [[ownerColumn, '#id']],
    holder: type,
    ...(condition && { filter: condition }),
    toMany: true,
  };
}
