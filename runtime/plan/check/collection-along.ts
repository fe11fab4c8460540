import { columnOf, fieldOf, itemColumn, navigationOf, qualify, type EntityType, type Navigation } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import type { MemberExpr, PathSegment } from '../../expression/ast.js';
import { within } from './check-property.js';
import { resolvePath } from './check-path.js';
import { nameOf } from '../shown-path.js';
import { computeColumn, scopeOver, type Place, type Progress } from '../relation.js';
import { noteRestricted, type Scope } from '../scope.js';
import type { ColumnExpr } from '../typed-expr.js';
import { ofEnumeration } from '../expr-facts.js';

/** A navigation property at the end of a path, and the set with the columns that it leads on from. */
export interface NavigationAlong {
  readonly navigation: Navigation;
  readonly progress: Progress;
  /** The property as the type before it has it. */
  readonly property: { readonly type: EntityType; readonly navigation: Navigation };
}

/** The collection that a path leads to; what is on the way are single records (Data Aggregation 3.5.1). */
export function collectionAlong(path: MemberExpr, progress: Progress, place: Place): NavigationAlong {
  return navigationAlong(path, progress, place, (last, type) => requireCollection(last, type, path, place.scope));
}

/** The navigation property at the end of a path, of which `find` says what it may be; one of a complex value has several names. */
export function navigationAlong(
  path: MemberExpr,
  progress: Progress,
  place: Place,
  find: (last: PathSegment, type: EntityType) => Navigation,
): NavigationAlong {
  const { aliases } = place.scope;
  const over = (scope: Scope, length: number): Record | undefined => recordAt({ ...path, path: path.path.slice(0, length) }, scope);
  const lengths = [...path.path.keys()].filter((length) => length > 0).toReversed();
  const own = progress.relation.type;
  const whole = lastFrom(path, 0, place);
  if (lengths.length === 0 || navigationOf(own, whole.name)) {
    noteRestricted(place.scope, own, path.path[0]?.name ?? '');
    const navigation = find(whole, own);
    return { navigation, progress, property: { type: own, navigation } };
  }
  // What the record in front of it is met by becomes columns of the set.
  const found = lengths.flatMap((length) => {
    const record = over(scopeOver(progress.relation, aliases.next(), place.scope), length);
    return record === undefined ? [] : [{ length, type: record.type }];
  });
  const best = found.find(({ length, type }) => navigationOf(type, lastFrom(path, length, place).name)) ?? found[0];
  if (best === undefined) throw noRecord(path, place.scope);
  const navigation = find(lastFrom(path, best.length, place), best.type);
  noteRestricted(place.scope, best.type, path.path[best.length]?.name ?? '');
  let after = progress;
  const join = Object.entries(navigation.join).map(([column, other]) => {
    const { progress: next, computed } = computeColumn(after, place, (scope) => {
      const { hops, alias, type } = over(scope, best.length) ?? unreached(path, scope);
      return within(hops, columnOfRecord(column, alias, type));
    });
    after = next;
    return [computed.column, other] as const;
  });
  return { navigation: { ...navigation, join: Object.fromEntries(join) }, progress: after, property: { type: best.type, navigation } };
}

type Record = Extract<ReturnType<typeof resolvePath>, { kind: 'record' }>;

function lastFrom({ path, at }: MemberExpr, length: number, { scope: { container } }: Place): PathSegment {
  return {
    name: path
      .slice(length)
      .map(({ name }) => (name.includes('.') ? qualify(container, name) : name))
      .join('/'),
    at,
  };
}

// A cast of the record itself has no steps; what its type adds is null for records of other types.
function recordAt(before: MemberExpr, scope: Scope): Record | undefined {
  const target = resolvePath(before, scope);
  return target.kind === 'record' ? target : undefined;
}

function noRecord(path: MemberExpr, { option }: Scope): Error {
  const before = nameOf({ ...path, path: path.path.slice(0, -1) });
  return errors
    .typeMismatch(
      `${before} is no single record, and ${nameOf(path)} needs one before its last name, at position ${path.at + 1}; join the two one after the other.`,
    )
    .at(option);
}

function unreached(path: MemberExpr, scope: Scope): never {
  throw noRecord(path, scope);
}

/** A column of a record, whether or not a property has it. */
export function columnOfRecord(column: string, alias: string, type: EntityType): ColumnExpr {
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

function requireCollection({ name }: PathSegment, type: EntityType, { at }: MemberExpr, scope: Scope): Navigation {
  const navigation = navigationOf(type, name);
  if (navigation === undefined && fieldOf(type, name)?.collection)
    throw errors
      .notImplemented(
        `A row for each value of ${name}, which is no collection of records,`,
        `Write compute(${name}/aggregate(... with sum) as Each), or filter(${name}/any(...)).`,
      )
      .at(scope.option);
  if (navigation === undefined)
    throw errors.unknownName(`navigation property ${name}`, type.name, suggestion(name, Object.keys(type.navigation))).at(scope.option);
  if (!navigation.collection)
    throw errors.typeMismatch(`${name} leads to one record, and a collection is needed, at position ${at + 1}.`).at(scope.option);
  return navigation;
}
