import { entityTypeOfSet, entityTypeOfSingleton, fieldOf, keyColumnOf, keyFieldOf } from '../../edm/index.js';
import { type EntityType } from '../../edm/entity-type.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import type { CommonExpr, Parentheses, PathSegment } from '../../expression/ast.js';
import { familyNames } from '../../expression/methods.js';
import type { KeyLiteral, KeyPredicate } from '../../uri/resource-path.js';
import { accessTo } from '../caller.js';
import { familyOfExpr, ofEnumeration } from '../expr-facts.js';
import { type KnownKey, planKey, singletonKey } from '../plan-key.js';
import type { Scope } from '../scope.js';
import type { JoinStep, TypedExpr } from '../typed-expr.js';
import { matchEnumeration } from '../value/check-enum.js';
import { typedNull } from '../value/check-literal.js';
import { storedExpr } from './property-expr.js';

/** The start of a path from `$root`: an entity set, or one of its entities by key (URL conventions 5.1.1.14.3). */
export function rootRecords(
  set: PathSegment | undefined,
  scope: Scope,
): { readonly joinStep: JoinStep; readonly type: EntityType; readonly single: boolean } {
  if (set === undefined) throw errors.typeMismatch(`$root needs an entity set after it, write $root/Set('key')/Name.`).at(scope.option);
  const type = entityTypeOfSet(scope.container, set.name);
  const singleton = entityTypeOfSingleton(scope.container, set.name);
  if (singleton && set.parentheses === undefined) return rootSingleton(singleton, scope);
  if (type === undefined)
    throw errors
      .unknownName(`entity set ${set.name}`, 'The service', suggestion(set.name, Object.keys(scope.container.entitySets)))
      .at(set.name);
  if (!accessTo(type, 'read', scope.caller).allowed) scope.onRestricted(type.name);
  const joinStep = { alias: scope.aliases.next(), table: type.table, from: '', on: [] };
  if (set.parentheses === undefined) return { joinStep, type, single: false };
  return { joinStep: withKey(joinStep, type, set.parentheses, scope), type, single: true };
}

function rootSingleton(type: EntityType, scope: Scope): ReturnType<typeof rootRecords> {
  if (!accessTo(type, 'read', scope.caller).allowed) scope.onRestricted(type.name);
  return { joinStep: { alias: scope.aliases.next(), table: type.table, from: '', on: [], key: singletonKey }, type, single: true };
}

/** The join to one entity of many, by a key in an expression. */
export function withKey(joinStep: JoinStep, type: EntityType, parentheses: Parentheses, scope: Scope, known?: KnownKey): JoinStep {
  if (isComputedKey(parentheses)) return { ...joinStep, keyed: computedKey(type, joinStep.alias, parentheses, scope) };
  return { ...joinStep, key: planKey(type, keyPredicate(parentheses, scope), scope.container, undefined, known) };
}

function keyPredicate(parentheses: Parentheses, scope: Scope): KeyPredicate {
  if (parentheses.kind === 'single') return { kind: 'single', literal: keyLiteral(parentheses.value, scope) };
  return { kind: 'named', literals: parentheses.values.map(({ name, value }) => ({ name, literal: keyLiteral(value, scope) })) };
}

function keyLiteral(value: CommonExpr, scope: Scope): KeyLiteral {
  if (value.kind === 'enum') return { text: value.value, quoted: true, prefix: value.type };
  if (value.kind !== 'literal' || value.type === 'null')
    throw errors.typeMismatch(`null is not a key value, at position ${value.at + 1}.`).at(scope.option);
  return { text: value.value, quoted: value.type === 'Edm.String' };
}

/** Whether a key in an expression has to be computed for each row. */
function isComputedKey(parentheses: Parentheses): boolean {
  return valuesOf(parentheses).some((value) => value.kind !== 'literal' && value.kind !== 'enum');
}

/** `$root/Member(ListAgentKey)`: an entity whose key is an expression (URL conventions 5.1.1.14.3), as a condition. */
function computedKey(type: EntityType, alias: string, parentheses: Parentheses, scope: Scope): TypedExpr {
  const values = namedValues(type, parentheses, scope);
  const conditions = values.map(([name, value]) => keyCondition(type, name, alias, value, scope));
  return conditions.reduce((left, right) => ({ kind: 'logical', type: 'Edm.Boolean', nullable: false, operator: 'and', left, right }));
}

function valuesOf(parentheses: Parentheses): readonly CommonExpr[] {
  return parentheses.kind === 'single' ? [parentheses.value] : parentheses.values.map(({ value }) => value);
}

function namedValues(type: EntityType, parentheses: Parentheses, scope: Scope): readonly (readonly [string, CommonExpr])[] {
  const named =
    parentheses.kind === 'single'
      ? type.key.map((name) => [name, parentheses.value] as const)
      : parentheses.values.map(({ name, value }) => [name, value] as const);
  const fits =
    named.length === type.key.length &&
    named.every(([name]) => type.key.includes(name)) &&
    (parentheses.kind === 'named' || type.key.length === 1);
  if (fits) return named;
  throw errors.typeMismatch(`The key of ${type.name} is written (${type.key.map((name) => `${name}=...`).join(',')}).`).at(scope.option);
}

// Keys are never null, so a null value matches nothing.
function keyCondition(type: EntityType, name: string, alias: string, value: CommonExpr, scope: Scope): TypedExpr {
  const left = keyExpr(type, name, alias);
  const right = matchEnumeration(
    typedNull(
      scope.checks.expr(value, scope),
      left.type === 'null' || left.type === 'polygon' || left.type === 'line' ? 'Edm.String' : left.type,
    ),
    left,
    scope,
  );
  const [wanted, family] = [familyOfExpr(left), familyOfExpr(right)];
  if (wanted === family) return { kind: 'comparison', type: 'Edm.Boolean', nullable: false, operator: 'eq', left, right };
  throw errors
    .typeMismatch(
      `The key ${name} of ${type.name} is ${wanted ? familyNames[wanted] : 'null'}, but its value is ${family ? familyNames[family] : 'null'}, at position ${value.at + 1}.`,
    )
    .at(scope.option);
}

function keyExpr(type: EntityType, name: string, alias: string): TypedExpr {
  const field = fieldOf(type, name);
  if (field) return storedExpr({ alias, type }, name, field);
  const own = keyFieldOf(type, name);
  return {
    kind: 'column',
    type: own?.type ?? 'Edm.String',
    ...ofEnumeration(own?.enumeration),
    collection: false,
    nullable: false,
    alias,
    column: keyColumnOf(type, name),
  };
}
