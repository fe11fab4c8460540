import { mismatchAt, type Scope } from '../scope.js';
import { type EntityType, entityTypeOfSet, entityTypeOfSingleton } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import type { CommonExpr, Parentheses, PathSegment } from '../../expression/ast.js';
import type { KeyLiteral, KeyPredicate } from '../../uri/resource-path.js';
import { accessTo } from '../caller.js';
import { keyLiteralOf, type KnownKey, planKey, singletonKey } from '../path/plan-key.js';
import type { JoinStep } from '../typed-expr.js';

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
  return { ...joinStep, key: planKey(type, keyPredicate(parentheses, scope), scope.container, undefined, known) };
}

function keyPredicate(parentheses: Parentheses, scope: Scope): KeyPredicate {
  if (parentheses.kind === 'single') return { kind: 'single', literal: keyLiteral(parentheses.value, scope) };
  return { kind: 'named', literals: parentheses.values.map(({ name, value }) => ({ name, literal: keyLiteral(value, scope) })) };
}

function keyLiteral(value: CommonExpr, scope: Scope): KeyLiteral {
  if (value.kind === 'enum') return { text: value.value, quoted: true, prefix: value.type };
  if (value.kind !== 'literal')
    throw errors.notImplemented('A key that is not a literal', 'Write a value, or a condition in any(...).').at(scope.option);
  if (value.type === 'null') throw mismatchAt(value.at, scope, 'null is not a key value');
  return keyLiteralOf(value);
}
