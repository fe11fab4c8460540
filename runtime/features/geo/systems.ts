import { mismatchAt } from '../../plan/scope.js';
import type { Field } from '../../edm/index.js';
import type { MethodCallExpr } from '../../expression/ast.js';
import { printExpr } from '../../expression/print.js';
import type { TypedExpr } from '../../plan/typed-expr.js';

/** Whether shapes are in a plane; undefined where the expression does not tell. */
export function isFlat(expr: TypedExpr): boolean | undefined {
  if (expr.type.startsWith('Edm.Geometry')) return true;
  if (expr.kind === 'literal' && (expr.type === 'polygon' || expr.type === 'line')) return expr.flat ?? false;
  return expr.type.startsWith('Edm.Geography') && !isNull(expr) ? false : undefined;
}

/** The reference system of an expression's shapes: a number, or `variable`; undefined where unknown. */
export function systemOf(expr: TypedExpr): Field['srid'] {
  if (expr.kind === 'related') return systemOf(expr.value);
  if (expr.kind === 'case') return expr.branches[0] && systemOf(expr.branches[0].value);
  return 'srid' in expr ? expr.srid : undefined;
}

function isNull(expr: TypedExpr): boolean {
  return expr.kind === 'literal' && expr.value === null;
}

/**
 * Rejects arguments of a geo function unless both are on the earth or both in a plane, in one reference system (URL conventions
 * 5.1.1.8); values with their own system are compared at run time.
 */
export function requireOneSystem(call: MethodCallExpr, [one, other]: readonly TypedExpr[], option: string): void {
  if (one === undefined || other === undefined) return;
  const [flat, otherFlat] = [isFlat(one), isFlat(other)];
  if (flat !== undefined && otherFlat !== undefined && flat !== otherFlat)
    throw different(call, 'two geographies or two geometries', [`a ${kindOf(flat)}`, `a ${kindOf(otherFlat)}`], option);
  const [system, otherSystem] = [systemOf(one), systemOf(other)];
  if (typeof system === 'number' && typeof otherSystem === 'number' && system !== otherSystem) {
    throw different(call, 'two shapes in one reference system', [`in SRID ${system}`, `in SRID ${otherSystem}`], option);
  }
}

function different(
  { method, arguments: given, at }: MethodCallExpr,
  wanted: string,
  found: readonly [string, string],
  option: string,
): Error {
  const [left, right] = given.map(printExpr);
  return mismatchAt(at, { option }, `${method} needs ${wanted}, but ${left} is ${found[0]} and ${right} is ${found[1]}`);
}

function kindOf(flat: boolean): string {
  return flat ? 'geometry' : 'geography';
}
