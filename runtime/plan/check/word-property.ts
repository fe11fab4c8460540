import { fieldOf, navigationOf, type EntityType } from '../../edm/index.js';
import type { LiteralExpr, MemberExpr } from '../../expression/ast.js';
import type { Scope } from '../scope.js';

/** A word in capitals as a property of that name: a model may declare `Null` or `TRUE`. */
export function asProperty({ at, word }: LiteralExpr, { implicit }: Scope): MemberExpr | undefined {
  if (word === undefined || implicit.kind !== 'record' || !isDeclared(implicit.type, word)) return undefined;
  return { kind: 'member', at, path: [{ name: word, at }] };
}

function isDeclared(type: EntityType, name: string): boolean {
  return fieldOf(type, name) !== undefined || navigationOf(type, name) !== undefined;
}
