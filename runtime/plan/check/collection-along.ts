import { columnOf, navigationOf, type EntityType, type Navigation } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import type { MemberExpr, PathSegment } from '../../expression/ast.js';
import { within } from './check-property.js';
import { resolvePath } from './check-path.js';
import { nameOf } from '../links.js';
import { computeColumn, scopeOver, type Place, type Progress } from '../relation.js';
import type { Scope } from '../scope.js';
import { ofEnumeration, type TypedExpr } from '../typed-expr.js';

/** A navigation property at the end of a path, and the set with the columns that it leads on from. */
interface NavigationAlong {
  readonly navigation: Navigation;
  readonly progress: Progress;
}

/** The collection that a path leads to; what is on the way are single records (Data Aggregation 3.5.1). */
export function collectionAlong(path: MemberExpr, progress: Progress, place: Place): NavigationAlong {
  return navigationAlong(path, progress, place, (last, type) => requireCollection(last, type, path, place.scope));
}

/** The navigation property at the end of a path, of which `find` says what it may be. */
export function navigationAlong(path: MemberExpr, progress: Progress, place: Place, find: (last: PathSegment, type: EntityType) => Navigation): NavigationAlong {
  const last = path.path.at(-1);
  if (last === undefined) throw errors.internal();
  if (path.path.length === 1) return { navigation: find(last, progress.relation.type), progress };
  // What the record in front of it is met by becomes columns of the set.
  const before: MemberExpr = { kind: 'member', at: path.at, path: path.path.slice(0, -1) };
  const { aliases } = place.scope;
  const { type } = recordAt(before, path, scopeOver(progress.relation, aliases.next(), place.scope));
  const navigation = find(last, type);
  let after = progress;
  const join = Object.entries(navigation.join).map(([own, column]) => {
    const { progress: next, computed } = computeColumn(after, place, (scope) => {
      const { hops, alias } = recordAt(before, path, scope);
      return within(hops, ownColumn(own, alias, type));
    });
    after = next;
    return [computed.column, column] as const;
  });
  return { navigation: { ...navigation, join: Object.fromEntries(join) }, progress: after };
}

function recordAt(before: MemberExpr, path: MemberExpr, scope: Scope): Extract<ReturnType<typeof resolvePath>, { kind: 'record' }> {
  const target = resolvePath(before, scope);
  // A cast of the record itself has no steps; what its type adds is null for records of other types.
  if (target.kind === 'record') return target;
  throw errors.typeMismatch(`${nameOf(before)} is no single record, and ${nameOf(path)} needs one before its last name, at position ${path.at + 1}; join the two one after the other.`).at(scope.option);
}

function ownColumn(column: string, alias: string, type: EntityType): TypedExpr {
  const field = Object.entries(type.fields).find(([name]) => columnOf(type, name) === column)?.[1];
  return { kind: 'column', type: field?.type ?? 'Edm.Int64', ...ofEnumeration(field?.enumeration), collection: false, nullable: true, alias, column };
}

function requireCollection({ name }: PathSegment, type: EntityType, { at }: MemberExpr, scope: Scope): Navigation {
  const navigation = navigationOf(type, name);
  if (navigation === undefined) throw errors.unknownName(`navigation property ${name}`, type.name, suggestion(name, Object.keys(type.navigation))).at(scope.option);
  if (!navigation.collection) throw errors.typeMismatch(`${name} leads to one record, and a collection is needed, at position ${at + 1}.`).at(scope.option);
  return navigation;
}
