import { itemNavigationOf, targetOf, type EntityContainer, type EntityType, type ItemNavigation } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { PathPart } from '../uri/resource-path.js';
import { hopFromItem } from './check/check-item-navigation.js';
import { placeOf } from './check/check-property.js';
import { ordinalOf } from './item-step.js';
import { conditionOf, type PathContext, type PropertyTarget, type RecordTarget } from './path-target.js';
import type { ParentStep } from './read-plan.js';

/** A path that goes on from an item to other records: the segments that lead to the item or a value of it, that of the navigation property, and those behind it. */
interface ItemPath {
  readonly navigation: ItemNavigation;
  readonly before: readonly PathPart[];
  readonly part: PathPart;
  readonly rest: readonly PathPart[];
}

/** Where a path names what items lead to; whether it says which item is not looked at. */
export function itemPathOf(type: EntityType, path: readonly PathPart[], container: EntityContainer): ItemPath | undefined {
  const named = [...path.entries()].filter(([, { name }]) => ordinalOf(name) === undefined);
  const found = itemNavigationOf(type, named.map(([, { name }]) => name), container);
  const [at, part] = (found && named[found.length - 1]) ?? [];
  return found && at !== undefined && part ? { navigation: found.navigation, before: path.slice(0, at), part, rest: path.slice(at + 1) } : undefined;
}

/** The records that a value within an item leads to. */
export function recordsOfItem(target: RecordTarget, value: PropertyTarget, { navigation, part: { name } }: ItemPath, { container, aliases }: PathContext): RecordTarget {
  if (value.field.collection) throw errors.notFound(`${name} of the collection ${value.name}`, ` Each item has its own: write ${value.name}/0/${name} for that of the first one.`).at(name);
  const type = targetOf(container, navigation);
  const { alias, ...meeting } = hopFromItem(navigation, type, placeOf(value.value), aliases);
  const via = `${value.name}/${name}`;
  return { type, alias, parents: [parentOf(target, value, navigation, meeting), ...target.parents], key: [], via, ...addressOf(target, value, { name: via, type, ...(!navigation.collection && { alone: true }) }) };
}

function parentOf(target: RecordTarget, { name: path, items = [] }: PropertyTarget, { join, collection, contains }: ItemNavigation, { keyed, numbers }: Pick<ParentStep['item'] & object, 'keyed' | 'numbers'>): ParentStep {
  const filter = conditionOf(target);
  const [member = ''] = Object.keys(join);
  return {
    type: target.type,
    alias: target.alias,
    table: target.type.table,
    key: target.key,
    on: [],
    item: { steps: items, path, member, ...(contains !== undefined && { contains }), ...(keyed && { keyed }), ...(numbers && { numbers }) },
    holder: target.type,
    ...(filter && { filter }),
    ...(collection && { toMany: true }),
    ...(contains !== undefined && { contains: true, fixed: true }),
  };
}

// An address that a service gives counts from the beginning (URL conventions 4.10).
function addressOf({ address = [] }: RecordTarget, { items = [] }: PropertyTarget, last: NonNullable<RecordTarget['address']>[number]): Pick<RecordTarget, 'address'> {
  return items.some(({ ordinal }) => ordinal < 0) ? {} : { address: [...address, last] };
}
