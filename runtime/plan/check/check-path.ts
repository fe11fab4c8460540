import type { EntityType, Field, Navigation } from '../../edm/index.js';
import { fieldOf, isDynamicName, navigationOf, openColumn, rowColumn, streamOf, targetOf } from '../../edm/index.js';
import { type Nested, nestedNavigationOf } from '../path/nested-path.js';
import { entityTypeNamed, isTransformed } from '../path/derivation.js';
import { errors } from '../../errors/catalogue.js';
import { located } from '../../errors/odata-error.js';
import type { LiteralExpr, MemberExpr, PathSegment } from '../../expression/ast.js';
import { accessTo } from '../caller.js';
import { asPath, castSegment, type TypeCast } from '../path/type-cast.js';
import { streamInExpression } from '../plan-stream.js';
import { joinAlong, knownKey } from '../path/navigation-join.js';
import { rootRecords, withKey } from './root-record.js';
import { noteRestricted, type PathTarget, rowRules, type Scope, type Variable, mismatchAt } from '../scope.js';
import { castLast, recordsTarget } from './collection-path.js';
import { unknownMember } from './unknown-member.js';
import { refuseUnplannedPath, unplannedFunction } from './unplanned.js';
import { castValueAt, storedExpr } from './property-expr.js';
import { complexTarget, dynamicTarget, propertyTarget } from './check-property.js';
import { nameOf } from '../shown-path.js';
import { type JoinStep, type TypedExpr } from '../typed-expr.js';
import { isOfTypes } from '../expr-facts.js';

/** Follows a path through the model: property, to-one navigation, collection, `$count`. */
export function resolvePath(given: MemberExpr, scope: Scope): PathTarget {
  const expr = (given.base && asPath(given, scope)) ?? given;
  refuseUnplannedPath(expr, scope);
  if (expr.path[0]?.name === '$root') return fromRoot(expr.path.slice(1), scope);
  const { variable, rest } = startOf(expr, scope);
  if (variable.kind === 'element') return elementTarget(variable, rest, scope);
  const computed = rest[0] && variable.computed?.find(rest[0].name);
  if (computed) return computedTarget(computed, rest, scope);
  return walk({ variable, joinSteps: [], alias: variable.source.alias, type: variable.type }, rest, scope);
}

function startOf(expr: MemberExpr, scope: Scope): { variable: Variable; rest: readonly PathSegment[] } {
  const [first, ...rest] = expr.path;
  const variable = first && scope.variables.get(first.name);
  return variable ? { variable, rest } : { variable: scope.implicit, rest: expr.path };
}

// Records of any set; where there is none of that key, its values are null.
function fromRoot([set, ...rest]: readonly PathSegment[], scope: Scope): PathTarget {
  const { joinStep, type, single } = rootRecords(set, scope);
  if (!single) return recordsTarget({ joinSteps: [joinStep], type }, rest, scope);
  return beyond([joinStep], type, rest, scope);
}

function elementTarget({ value, complex }: Extract<Variable, { kind: 'element' }>, rest: readonly PathSegment[], scope: Scope): PathTarget {
  const [next] = rest;
  if (complex) return complexTarget({ name: 'A value of the collection', value, complex, joinSteps: [] }, rest, scope);
  if (next) throw errors.unknownName(next.name, 'A value of a collection', '').at(scope.option).in(next);
  return { kind: 'value', expr: value };
}

function computedTarget(expr: TypedExpr, [name, next]: readonly PathSegment[], scope: Scope): PathTarget {
  if (next)
    throw errors
      .unknownName(next.name, name?.name ?? '', '')
      .at(scope.option)
      .in(next);
  return { kind: 'value', expr };
}

/** Continues a path after the entity of a join, which has its alias. */
export function beyond(joinSteps: readonly JoinStep[], type: EntityType, rest: readonly PathSegment[], scope: Scope): PathTarget {
  return walk({ variable: scope.implicit, joinSteps, alias: joinSteps.at(-1)?.alias ?? '', type }, rest, scope);
}

/** How far a path has come. */
interface Position {
  readonly variable: Variable;
  readonly joinSteps: readonly JoinStep[];
  readonly alias: string;
  readonly type: EntityType;
  /** A cast of the entity that the statement reads: its declared type, and the types that remain. */
  readonly cast?: { readonly from: EntityType; readonly types: readonly string[] };
}

function walk(start: Position, rest: readonly PathSegment[], scope: Scope): PathTarget {
  return located(rest[0], () => follow(start, rest, scope));
}

function follow(start: Position, rest: readonly PathSegment[], scope: Scope): PathTarget {
  const [segment, ...further] = rest;
  if (segment === undefined) return recordTarget(start);
  const position = isOwnColumn(segment.name, start, scope) ? start : throughCast(start, scope);
  const field = fieldOf(position.type, segment.name);
  const names = rest.map(({ name }) => name);
  const nested = further.length > 0 ? nestedNavigationOf(position.type, names, scope.container) : undefined;
  if (nested) return alongNested(position, nested, segment, rest, scope);
  const grouped = groupedPath(position.type, rest);
  if (grouped) return fieldTarget(position, { ...segment, name: grouped.name }, grouped.field, rest.slice(grouped.length), scope);
  if (field && segment.parentheses)
    throw mismatchAt(segment.at, scope, `${segment.name} is not a collection of records and accepts no key`);
  if (field) return fieldTarget(position, segment, field, further, scope);
  const navigation = navigationOf(position.type, segment.name);
  if (navigation) {
    noteRestricted(scope, position.type, segment.name);
    return navigationTarget(position, segment, { navigation }, further, scope);
  }
  const cast = segment.parentheses || isTransformed(position.type) ? undefined : castSegment(segment.name, position.type, scope.container);
  if (cast) return walk(narrowed(position, cast), further, scope);
  if (streamOf(position.type, segment.name)) throw streamInExpression(position.type, segment.name, scope.option);
  if (isDynamicName(position.type, segment.name) && !segment.parentheses) return openTarget(position, rest, scope);
  throw segment.parentheses ? unplannedFunction(segment, scope) : unknownMember(segment, position.type, scope);
}

function alongNested(
  position: Position,
  { member: navigation, length, narrowed }: Nested<Navigation>,
  first: PathSegment,
  segments: readonly PathSegment[],
  scope: Scope,
): PathTarget {
  noteRestricted(scope, position.type, first.name);
  const names = segments.slice(0, length - 1).map(({ name }) => name);
  const given = narrowed ? castValueAt(position, names, scope.container) : undefined;
  const leading: Leading = { navigation, ...(given && { given }) };
  return navigationTarget(position, segments[length - 1] ?? first, leading, segments.slice(length), scope);
}

function recordTarget({ joinSteps, type, alias, cast }: Position): PathTarget {
  return { kind: 'record', joinSteps, alias, type, ...(cast && { is: isOfTypes(alias, cast.types) }) };
}

function narrowed(position: Position, { type, types }: TypeCast): Position {
  if (types === undefined) return position;
  if (position.joinSteps.length > 0) return { ...position, type, joinSteps: castLast(position.joinSteps, types) };
  return { ...position, type, cast: { from: position.cast?.from ?? position.type, types } };
}

// A column that other types lack is null for them: no condition is needed, and an index applies. Inherited columns
// exist in other types as well.
function isOwnColumn(name: string, { type, cast }: Position, { container }: Scope): boolean {
  const field = fieldOf(type, name);
  if (cast === undefined || name.includes('.')) return true;
  const isInherited = (type.baseTypes ?? []).some(
    (base) => fieldOf(entityTypeNamed(container, base, type) ?? cast.from, name) !== undefined,
  );
  return field !== undefined && !field.collection && !field.more && !isInherited;
}

// Everything else of a record that is not of the type is null too, which the record is looked at again for.
function throughCast({ alias, type, cast, variable }: Position, scope: Scope): Position {
  if (cast === undefined) throw new Error('The path has no cast.');
  const joinStep: JoinStep = {
    alias: scope.aliases.next(),
    table: type.table,
    from: alias,
    on: [[rowColumn(type), rowColumn(type)]],
    types: cast.types,
  };
  return { variable, joinSteps: [joinStep], alias: joinStep.alias, type };
}

// A path that `$apply` grouped by is one property of the result, named by the whole path.
function groupedPath(
  type: EntityType,
  rest: readonly PathSegment[],
): { readonly name: string; readonly field: Field; readonly length: number } | undefined {
  for (let length = rest.length; length > 1; length--) {
    const name = nameOf({ path: rest.slice(0, length) });
    const field = fieldOf(type, name);
    if (field) return { name, field, length };
  }
  return undefined;
}

function fieldTarget(position: Position, segment: PathSegment, field: Field, further: readonly PathSegment[], scope: Scope): PathTarget {
  // Values derived from the items can be sorted by, such as their number; a collection itself is no single value.
  if (!field.collection || scope.option !== '$orderby') requireOffered(segment.name, field, scope);
  noteRestricted(scope, position.type, segment.name);
  const { name } = segment;
  return propertyTarget({ name, field, value: storedExpr(position, name, field), joinSteps: position.joinSteps }, further, scope);
}

/** A navigation property, and the condition on its entity. */
interface Leading {
  readonly navigation: Navigation;
  readonly given?: TypedExpr;
}

function navigationTarget(
  position: Position,
  { name, parentheses }: PathSegment,
  { navigation, given }: Leading,
  further: readonly PathSegment[],
  scope: Scope,
): PathTarget {
  const type = targetOf(scope.container, navigation);
  if (!accessTo(type, 'read', scope.caller).allowed) scope.onRestricted(type.name);
  const along = { ...joinAlong(navigation, type, position.alias, scope.aliases), ...(given && { given }) };
  const joinStep = parentheses ? withKey(along, type, parentheses, scope, knownKey(navigation, { key: [] }, type)) : along;
  const joinSteps = [...position.joinSteps, joinStep];
  if (parentheses && !navigation.collection) throw errors.typeMismatch(`${name} is to-one and accepts no key.`).at(scope.option);
  if (!navigation.collection || parentheses) return walk({ ...position, joinSteps, alias: joinStep.alias, type }, further, scope);
  return recordsTarget({ joinSteps, type }, further, scope);
}

function openTarget({ alias, joinSteps, type }: Position, rest: readonly PathSegment[], scope: Scope): PathTarget {
  noteRestricted(scope, type, rest[0]?.name ?? '');
  return dynamicTarget({ place: { alias, column: openColumn, steps: [] }, joinSteps }, rest, scope);
}

function requireOffered(name: string, field: Field, scope: Scope): void {
  const flag = scope.option === '$orderby' ? field.sortable : scope.option === rowRules ? undefined : field.filterable;
  if (flag === false) throw errors.typeMismatch(`${name} cannot be used in ${scope.option}: the model does not allow it.`).at(name);
}

/** A word in capitals as a property of that name: a model may declare `Null` or `TRUE`. */
export function asProperty({ at, word }: LiteralExpr, { implicit }: Scope): MemberExpr | undefined {
  if (word === undefined || implicit.kind !== 'record' || !isDeclared(implicit.type, word)) return undefined;
  return { kind: 'member', at, path: [{ name: word, at }] };
}

function isDeclared(type: EntityType, name: string): boolean {
  return fieldOf(type, name) !== undefined || navigationOf(type, name) !== undefined;
}
