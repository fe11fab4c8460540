import { entityTypeOfSet, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { CommonExpr, Parentheses, PathSegment } from '../expression/ast.js';
import type { KeyLiteral, KeyPredicate } from '../uri/resource-path.js';
import { accessTo } from './caller.js';
import { planKey } from './plan-key.js';
import type { Scope } from './scope.js';
import type { Hop } from './typed-expr.js';

/** The record that a path from `$root` starts with: one of an entity set, by its key (URL conventions 5.1.1.14.3). */
export function rootRecord(set: PathSegment | undefined, scope: Scope): { readonly hop: Hop; readonly type: EntityType } {
  if (set === undefined) throw errors.typeMismatch(`$root needs an entity set behind it, write $root/Set('key')/Name.`).at(scope.option);
  const type = entityTypeOfSet(scope.container, set.name);
  if (type === undefined) throw errors.unknownName(`entity set ${set.name}`, 'The service', suggestion(set.name, Object.keys(scope.container.entitySets))).at(set.name);
  if (set.parentheses === undefined) throw errors.notImplemented('$root with a set and no key').at(scope.option);
  if (!accessTo(type, 'read', scope.caller).allowed) scope.onRestricted(type.name);
  const key = planKey(type, keyPredicate(set.parentheses, scope), scope.container);
  return { hop: { alias: scope.aliases.next(), table: type.table, from: '', on: [], key }, type };
}

function keyPredicate(parentheses: Parentheses, scope: Scope): KeyPredicate {
  if (parentheses.kind === 'single') return { kind: 'single', literal: keyLiteral(parentheses.value, scope) };
  return { kind: 'named', literals: parentheses.values.map(({ name, value }) => ({ name, literal: keyLiteral(value, scope) })) };
}

function keyLiteral(value: CommonExpr, scope: Scope): KeyLiteral {
  if (value.kind === 'enum') return { text: value.value, quoted: true, prefix: value.type };
  if (value.kind !== 'literal' || value.type === 'null') throw errors.notImplemented('A key behind $root that is no literal').at(scope.option);
  return { text: value.value, quoted: value.type === 'Edm.String' };
}
