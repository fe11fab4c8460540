import { fieldOf, keyColumnOf, keyFieldOf, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { CommonExpr, Parentheses } from '../expression/ast.js';
import { familyNames } from '../expression/methods.js';
import { matchEnumeration } from './value/check-enum.js';
import { storedExpr } from './check/stored-expr.js';
import { typedNull } from './value/check-literal.js';
import type { Scope } from './scope.js';
import type { TypedExpr } from './typed-expr.js';
import { ofEnumeration, familyOfExpr } from './expr-facts.js';

/** Whether a key in an expression has to be computed for each row. */
export function isComputedKey(parentheses: Parentheses): boolean {
  return valuesOf(parentheses).some((value) => value.kind !== 'literal' && value.kind !== 'enum');
}

/** `$root/Member(ListAgentKey)`: an entity whose key is an expression (URL conventions 5.1.1.14.3), as a condition. */
export function computedKey(type: EntityType, alias: string, parentheses: Parentheses, scope: Scope): TypedExpr {
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
