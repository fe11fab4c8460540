import { complexTypeNamed, type ComplexType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ArrayExpr, BinaryExpr, CommonExpr, ObjectExpr } from '../../expression/ast.js';
import { type Json, printJson } from '../../json/json.js';
import { withoutEmptyCollections } from './empty-collections.js';
import { literal } from '../value/check-literal.js';
import { planComplex } from '../value/plan-complex.js';
import type { Scope } from '../scope.js';
import type { TypedExpr, TypedLiteral } from '../typed-expr.js';
import { complexOf } from '../expr-facts.js';

/** Checks operands together: the others determine the type of a JSON object. */
export function checkOperands(exprs: readonly CommonExpr[], scope: Scope, check: (expr: CommonExpr) => TypedExpr): readonly TypedExpr[] {
  const checked = exprs.map((expr) => (isStructure(expr) ? undefined : check(expr)));
  const other = checked.find((typed) => typed !== undefined && complexOf(typed) !== undefined);
  const isCompared = checked.filter((typed) => typed === undefined || complexOf(typed) !== undefined).length > 1;
  return exprs.map((expr, index) => {
    const typed = checked[index] ?? checkStructure(expr, other, scope);
    return isCompared ? withoutEmptyCollections(typed, scope) : typed;
  });
}

function isStructure(expr: CommonExpr): expr is ObjectExpr | ArrayExpr {
  return expr.kind === 'object' || (expr.kind === 'array' && expr.items.some(({ kind }) => kind === 'object'));
}

/**
 * A JSON object compared with a complex property, in the stored form: two complex values are equal if their types and
 * all their properties are (URL conventions 5.1.1.1.1), and so are their stored forms.
 */
function checkStructure(expr: CommonExpr, other: TypedExpr | undefined, scope: Scope): TypedExpr {
  const complex = other && complexOf(other);
  if (other === undefined || complex === undefined)
    throw errors.typeMismatch(`A JSON object can only be compared with a complex property, at position ${expr.at + 1}.`).at(scope.option);
  if (expr.kind !== 'array') return checkObject(expr, complex, scope);
  const values = expr.items.map((item) =>
    item.kind === 'literal' && item.type === 'null' ? null : checkObject(item, complex, scope).value,
  );
  return { kind: 'array', type: 'Edm.ComplexType', complex, nullable: false, values };
}

function checkObject(expr: CommonExpr, complex: string, scope: Scope): TypedLiteral {
  const field = { type: 'Edm.ComplexType', complex } as const;
  const { json, faults } = planComplex('The object', field, jsonOf(expr, scope), {
    container: scope.container,
    format: { ieee754Compatible: true },
    partial: false,
    strict: true,
  });
  // An unknown name explains more than the missing one that it was meant to be.
  const fault = faults.find(({ code }) => code === errors.unknownBodyProperty.code) ?? faults[0];
  if (fault)
    throw errors.typeMismatch(`The JSON object at position ${expr.at + 1} is not a valid ${complex}: ${fault.message}`).at(scope.option);
  return { ...literal('Edm.ComplexType', printJson(json)), complex };
}

// Literals of expressions that JSON has stay such literals; others become strings.
function jsonOf(expr: CommonExpr, scope: Scope): Json {
  switch (expr.kind) {
    case 'object':
      return { kind: 'object', members: new Map(expr.members.map(({ name, value }) => [name, jsonOf(value, scope)])) };
    case 'array':
      return { kind: 'array', items: expr.items.map((item) => jsonOf(item, scope)) };
    case 'literal':
      return jsonLiteral(expr.type, expr.value);
    default:
      throw errors.typeMismatch(`A JSON object can contain only JSON values, at position ${expr.at + 1}.`).at(scope.option);
  }
}

function jsonLiteral(type: string, value: string): Json {
  if (type === 'null') return null;
  if (type === 'Edm.Boolean') return value === 'true';
  return type === 'Edm.Int64' || type === 'Edm.Decimal' || type === 'Edm.Double' ? { kind: 'number', text: value } : value;
}

/** Rejects a comparison of complex values of unrelated types: they are never equal. */
export function requireRelatedTypes({ operator, at }: BinaryExpr, left: TypedExpr, right: TypedExpr, scope: Scope): void {
  const { container, option } = scope;
  const types = [left, right].map(complexOf).map((name) => (name === undefined ? undefined : complexTypeNamed(container, name)));
  const [one, other] = types;
  if (one === undefined || other === undefined || isOrDerives(one, other) || isOrDerives(other, one)) return;
  throw errors
    .typeMismatch(`${operator} compares ${one.qualifiedName} with ${other.qualifiedName}, which are never equal, at position ${at + 1}.`)
    .at(option);
}

function isOrDerives(type: ComplexType, base: ComplexType): boolean {
  return type.qualifiedName === base.qualifiedName || base.derived.includes(type.qualifiedName);
}
