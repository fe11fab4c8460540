import { mismatchAt, type Scope } from '../scope.js';
import type { PrimitiveTypeName } from '../../edm/index.js';
import type { CaseExpr } from '../../expression/ast.js';
import { familyNames } from '../../expression/methods.js';
import { commonNumberType } from './operator-types.js';
import { matchEnumeration, requireOneEnumeration } from '../value/check-enum.js';
import { typedNull } from '../value/check-literal.js';
import type { TypedExpr } from '../typed-expr.js';
import { enumerationOf, isPropertyType, ofEnumeration, familyOfExpr, untypedNull } from '../expr-facts.js';
import { requireOffered } from '../path/offered-functions.js';

/** `case(condition:value,...)`: all values are of one kind (URL conventions 5.1.1.11.1). */
export function checkCase(expr: CaseExpr, scope: Scope): TypedExpr {
  requireOffered('case', scope);
  const given = expr.branches.map(({ condition, value }) => ({
    condition: scope.checks.condition(condition, scope),
    value: scope.checks.expr(value, scope),
  }));
  const enumerated = given.find(({ value }) => enumerationOf(value))?.value;
  const branches = given.map(({ condition, value }) => ({
    condition,
    value: enumerated ? matchEnumeration(value, enumerated, scope) : value,
  }));
  const all = branches.map(({ value }) => value);
  requireOneEnumeration(all, expr.at, scope);
  const values = all.filter(({ type }) => type !== 'null');
  const [first] = values;
  if (first === undefined) return untypedNull;
  const type = caseType(expr, values, first, scope);
  return {
    kind: 'case',
    type,
    ...ofEnumeration(enumerated && enumerationOf(enumerated)),
    nullable: true,
    branches: branches.map(({ condition, value }) => ({ condition, value: typedNull(value, type) })),
  };
}

function caseType(expr: CaseExpr, values: readonly TypedExpr[], { type }: TypedExpr, scope: Scope): PrimitiveTypeName {
  const families = [...new Set(values.map(familyOfExpr).filter((family) => family !== undefined))];
  if (families.length > 1) {
    const kinds = families.map((family) => familyNames[family]).join(' and ');
    throw mismatchAt(expr.at, scope, `The values of case need one type, but these are ${kinds}`);
  }
  if (!isPropertyType(type)) throw mismatchAt(expr.at, scope, 'A shape cannot be a value of case');
  return families[0] === 'number' ? commonNumberType(values) : type;
}
