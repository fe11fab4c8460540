import { fieldOf, navigationOf, qualify, type EntityContainer, type EntityType } from '../edm/index.js';
import { isTypeOrBase } from './path/derivation.js';
import { errors } from '../errors/catalogue.js';
import type { PathSegment } from '../expression/ast.js';
import type { QueryOptions } from '../uri/query-options.js';

interface Item {
  readonly path: readonly PathSegment[];
}

/** Whether records of a place may be of the type with the name. */
export function mayBe(name: string, type: EntityType): boolean {
  return isTypeOrBase(type, name) || (type.derivedTypes ?? []).includes(name);
}

/** An item of `$select` or `$expand` as one of a place's records, where the type in front of it is theirs; a type that derives from it is a cast there too. */
export function behindType<One extends Item>(item: One, type: EntityType, container: EntityContainer): readonly One[] {
  const name = qualify(container, item.path[0]?.name ?? '');
  if (isTypeOrBase(type, name)) return [{ ...item, path: item.path.slice(1) }];
  return mayBe(name, type) ? [item] : [];
}

/** The options for the entities of each target type of `name`, without items that have another type's cast. */
export function optionsBehind(
  options: QueryOptions,
  name: string,
  types: readonly EntityType[],
  container: EntityContainer,
): (type: EntityType) => QueryOptions {
  for (const item of [...(options.select ?? []), ...(options.expand ?? [])]) requireKnown(item, name, types, container);
  return ownOptions(options, container);
}

/** The items for a single target type, where items without a cast apply, and an unusable cast is an error. */
export function optionsOfPlaces(
  options: QueryOptions,
  types: readonly EntityType[],
  container: EntityContainer,
): (type: EntityType) => QueryOptions {
  const isOfNone = (item: object): boolean =>
    hasType(item) && !types.some((type) => mayBe(qualify(container, item.path[0]?.name ?? ''), type));
  return [...(options.select ?? []), ...(options.expand ?? [])].some(isOfNone) ? () => options : ownOptions(options, container);
}

function ownOptions({ select, expand, ...options }: QueryOptions, container: EntityContainer): (type: EntityType) => QueryOptions {
  const own =
    (type: EntityType) =>
    <One extends object>(item: One): readonly One[] =>
      hasType(item) ? (behindType(item, type, container) as readonly One[]) : [item];
  return (type) => ({
    ...options,
    ...(select && { select: select.flatMap(own(type)) }),
    ...(expand && { expand: expand.flatMap(own(type)) }),
  });
}

function hasType(item: object): item is Item {
  return 'path' in item && ((item as Item).path[0]?.name.includes('.') ?? false);
}

// An item without a cast applies to every type.
function requireKnown(item: object, name: string, types: readonly EntityType[], container: EntityContainer): void {
  const [first] = 'path' in item ? (item as Item).path : [];
  if (first === undefined || first.name === '*') return;
  const isKnown = hasType(item)
    ? types.some((type) => mayBe(qualify(container, first.name), type))
    : types.every((type) => fieldOf(type, first.name) ?? navigationOf(type, first.name));
  if (isKnown) return;
  const names = types.map(({ qualifiedName }) => qualifiedName);
  throw errors
    .typeMismatch(
      `${first.name} within ${name} is not of all records that it may lead to (${names.join(', ')}); write the type in front, as in ${names[0]}/....`,
    )
    .at('$expand');
}
