import { columnOf, itemColumn, targetOf, type EntityType, type ItemNavigation } from '../../edm/index.js';
import { itemAnyOf, itemNavigationOf } from '../path/nested-path.js';
import { errors } from '../../errors/catalogue.js';
import type { PathSegment } from '../../expression/ast.js';
import type { Arm } from '../any-navigation.js';
import { accessTo } from '../caller.js';
import type { Aliases, Scope, ValueOwner } from '../scope.js';
import { ofEnumeration } from '../expr-facts.js';
import type { ColumnExpr, Hop, JsonPlace, PathExpr, TypedExpr } from '../typed-expr.js';
import { hopToItemArms } from '../union-target.js';
import { anyTarget } from './check-any.js';
import { beyond, type PathTarget } from './check-path.js';
import { placeOf, propertyOf } from './check-property.js';
import { recordsTarget } from './related-rows.js';
import { withKey } from './root-record.js';

/** A name within the item of a collection, or within a value of one. */
interface ItemName {
  /** The path ends with the name. */
  readonly owner: ValueOwner;
  readonly hops: readonly Hop[];
  readonly place: JsonPlace;
}

/** What lies behind a navigation property of an item; undefined where the name is that of none. */
export function itemTarget(named: ItemName, [segment, ...rest]: readonly PathSegment[], scope: Scope): PathTarget | undefined {
  const {
    owner: { type, path },
    hops: before,
    place,
  } = named;
  const any = itemAnyOf(type, path, scope.container);
  // A type behind the name of what leads to records of any says which of its parts is meant.
  const found = itemNavigationOf(type, any && rest[0] ? [...path, rest[0].name] : path, scope.container);
  if (any?.length === path.length && found === undefined) return anyItemTarget(named, any, rest, scope);
  if (found === undefined || found.length < path.length || segment === undefined) return undefined;
  const target = targetOf(scope.container, found.navigation);
  if (!accessTo(target, 'read', scope.caller).allowed) scope.onRestricted(target.name);
  const { name, parentheses } = segment;
  const { collection } = found.navigation;
  if (parentheses && !collection) throw errors.typeMismatch(`${name} leads to one record and takes no key.`).at(scope.option);
  const along = hopFromItem(found.navigation, target, place, scope.aliases);
  const hops = [...before, parentheses ? withKey(along, target, parentheses, scope) : along];
  return collection && !parentheses ? recordsTarget({ hops, type: target }, rest, scope) : beyond(hops, target, rest, scope);
}

function anyItemTarget(
  { owner: { type }, hops, place }: ItemName,
  { path, any }: NonNullable<ReturnType<typeof itemAnyOf>>,
  rest: readonly PathSegment[],
  scope: Scope,
): PathTarget {
  const along = ({ navigation, target }: Arm): Hop => hopFromItem(navigation, target, place, scope.aliases);
  const alongAll = (arms: readonly Arm[]): ReturnType<typeof hopToItemArms> =>
    hopToItemArms(
      arms.map((arm) => ({ ...arm, numbers: numbersAt(arm, place) })),
      place.alias,
      scope,
    );
  return anyTarget({ type, path, any, hops, along, alongAll }, rest, scope);
}

/** Where an item at a place keeps the numbers of the records that a part of its navigation property leads to. */
export function numbersAt({ navigation: { join } }: Pick<Arm, 'navigation'>, place: JsonPlace): PathExpr {
  const [member = ''] = Object.keys(join);
  return propertyOf(place, member, { type: 'Edm.Int64' });
}

/** The step from an item at a place to the records that its members lead to. */
export function hopFromItem(
  { join, collection, contains }: Pick<ItemNavigation, 'join' | 'collection' | 'contains'>,
  target: EntityType,
  place: JsonPlace,
  aliases: Aliases,
): Hop {
  const alias = aliases.next();
  const [first = ''] = Object.keys(join);
  if (collection && contains === undefined)
    return { alias, table: target.table, from: place.alias, on: [], numbers: placeOf(propertyOf(place, first, { type: 'Edm.Int64' })) };
  const pairs = Object.entries(join).map(([member, column]): TypedExpr => {
    const other = columnOfRecord(column, alias, target);
    return {
      kind: 'comparison',
      type: 'Edm.Boolean',
      nullable: false,
      operator: 'eq',
      left: propertyOf(place, member, { type: other.type }),
      right: { ...other, nullable: false },
    };
  });
  return {
    alias,
    table: target.table,
    from: place.alias,
    on: [],
    keyed: pairs.reduce((left, right) => ({ kind: 'logical', type: 'Edm.Boolean', nullable: false, operator: 'and', left, right })),
  };
}

function columnOfRecord(column: string, alias: string, type: EntityType): ColumnExpr {
  const field = Object.entries(type.fields).find(([name]) => columnOf(type, name) === column)?.[1];
  return {
    kind: 'column',
    type: field?.type ?? (column === itemColumn ? 'Edm.Guid' : 'Edm.Int64'),
    ...ofEnumeration(field?.enumeration),
    collection: false,
    nullable: true,
    alias,
    column,
  };
}
