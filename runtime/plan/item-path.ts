import { targetOf, type AnyNavigation, type EntityContainer, type EntityType, type ItemNavigation } from '../edm/index.js';
import { itemAnyOf, itemNavigationOf, ownNames } from './path/nested-path.js';
import { errors } from '../errors/catalogue.js';
import type { PathPart } from '../uri/resource-path.js';
import { requireType } from './along-any.js';
import { armsOf, readableArms } from './any-navigation.js';
import { hopFromItem, numbersAt } from './check/check-item-navigation.js';
import { placeOf } from './check/check-property.js';
import { ordinalOf, withoutOrdinals } from './item-step.js';
import { conditionOf, type PathContext, type PropertyTarget, type RecordTarget } from './path-target.js';
import type { ParentStep } from './read-plan.js';
import { unionOfArms } from './union-target.js';

/** A path that goes on from an item to other records: the segments that lead to the item or a value of it, that of the navigation property, and those behind it. */
interface ItemPath extends PathThroughItem {
  readonly navigation: ItemNavigation;
}

interface PathThroughItem {
  readonly before: readonly PathPart[];
  readonly part: PathPart;
  readonly rest: readonly PathPart[];
}

/** Likewise to records of any type, of which no type behind it says which. */
interface AnyItemPath extends PathThroughItem {
  readonly path: string;
  readonly any: AnyNavigation;
}

/** Where a path names what items lead to; whether it says which item is not looked at. */
export function itemPathOf(type: EntityType, path: readonly PathPart[], container: EntityContainer): ItemPath | undefined {
  const found = itemNavigationOf(type, namesOf(path), container);
  const split = found && splitAt(path, found.length, ownNames(found.path) - 1);
  return found && split && { navigation: found.navigation, ...split };
}

/** Likewise what leads to records of any type. */
export function anyItemPathOf(type: EntityType, path: readonly PathPart[], container: EntityContainer): AnyItemPath | undefined {
  const found = itemAnyOf(type, namesOf(path), container);
  const split = found && splitAt(path, found.length);
  return found && split && { path: found.path, any: found.any, ...split };
}

function namesOf(path: readonly PathPart[]): readonly string[] {
  return withoutOrdinals(path.map(({ name }) => name));
}

// Behind so many names, each of which may have an ordinal behind it, the last of which are passed over.
function splitAt(path: readonly PathPart[], length: number, passed = 0): PathThroughItem | undefined {
  const [at, part] = [...path.entries()].filter(([, { name }]) => ordinalOf(name) === undefined)[length - passed - 1] ?? [];
  return at === undefined || part === undefined ? undefined : { before: path.slice(0, at), part, rest: path.slice(at + 1 + passed) };
}

/** The records of all types that a value within an item leads to, where no type stands behind its name. */
export function recordsOfAny(
  target: RecordTarget,
  value: PropertyTarget,
  { path, any, part, rest: [next] }: AnyItemPath,
  context: PathContext,
): RecordTarget {
  const { container, aliases, caller } = context;
  requireOneItem(value, part.name);
  requireType(target.type, { ...part, name: path }, any, next, container);
  const arms = readableArms(target.type, any, { container, caller });
  const { type, union } = unionOfArms(arms.length > 0 ? arms : armsOf(target.type, any, container), { container, aliases });
  const numbersOf = union.flatMap(({ columns: [first] }, index) =>
    arms[index] && first ? [{ column: first.column, numbers: numbersAt(arms[index], placeOf(value.value)) }] : [],
  );
  const via = `${value.name}/${part.name}`;
  return {
    type,
    union,
    alias: aliases.next(),
    parents: [
      { ...stepBack(target), item: { steps: value.items ?? [], path: value.name, member: '', numbersOf }, toMany: true },
      ...target.parents,
    ],
    key: [],
    via,
  };
}

function requireOneItem(value: PropertyTarget, name: string): void {
  if (value.field.collection)
    throw errors
      .notFound(
        `${name} of the collection ${value.name}`,
        ` Each item has its own: write ${value.name}/0/${name} for that of the first one.`,
      )
      .at(name);
}

/** The records that a value within an item leads to. */
export function recordsOfItem(
  target: RecordTarget,
  value: PropertyTarget,
  { navigation, part: { name } }: ItemPath,
  { container, aliases }: PathContext,
): RecordTarget {
  requireOneItem(value, name);
  const type = targetOf(container, navigation);
  const { alias, ...meeting } = hopFromItem(navigation, type, placeOf(value.value), aliases);
  const via = `${value.name}/${name}`;
  return {
    type,
    alias,
    parents: [parentOf(target, value, navigation, meeting), ...target.parents],
    key: [],
    via,
    ...addressOf(target, value, { name: via, type, ...(!navigation.collection && { alone: true }) }),
  };
}

function parentOf(
  target: RecordTarget,
  { name: path, items = [] }: PropertyTarget,
  { join, collection, contains }: ItemNavigation,
  { keyed, numbers }: Pick<ParentStep['item'] & object, 'keyed' | 'numbers'>,
): ParentStep {
  const [member = ''] = Object.keys(join);
  return {
    ...stepBack(target),
    item: { steps: items, path, member, ...(contains !== undefined && { contains }), ...(keyed && { keyed }), ...(numbers && { numbers }) },
    ...(collection && { toMany: true }),
    ...(contains !== undefined && { contains: true, fixed: true }),
  };
}

function stepBack(target: RecordTarget): Pick<ParentStep, 'type' | 'alias' | 'table' | 'key' | 'on' | 'holder' | 'filter'> {
  const filter = conditionOf(target);
  return {
    type: target.type,
    alias: target.alias,
    table: target.type.table,
    key: target.key,
    on: [],
    holder: target.type,
    ...(filter && { filter }),
  };
}

// An address that a service gives counts from the beginning (URL conventions 4.10).
function addressOf(
  { address = [] }: RecordTarget,
  { items = [] }: PropertyTarget,
  last: NonNullable<RecordTarget['address']>[number],
): Pick<RecordTarget, 'address'> {
  return items.some(({ ordinal }) => ordinal < 0) ? {} : { address: [...address, last] };
}
