import { errors } from '../../errors/catalogue.js';
import type { MethodCallExpr } from '../../expression/ast.js';
import { printExpr } from '../../expression/print.js';
import { isFlat, systemOf } from '../geo-expr.js';
import type { Scope } from '../scope.js';
import type { TypedExpr } from '../typed-expr.js';

/**
 * Requires the arguments of a geo function to be both on the earth or both in a plane, in one reference system (URL
 * conventions 5.1.1.8); values with their own system are compared at run time.
 */
export function requireOneSystem(call: MethodCallExpr, [one, other]: readonly TypedExpr[], scope: Scope): void {
  if (one === undefined || other === undefined || !call.method.startsWith('geo.')) return;
  const [flat, otherFlat] = [isFlat(one), isFlat(other)];
  if (flat !== undefined && otherFlat !== undefined && flat !== otherFlat)
    throw different(call, 'two geographies or two geometries', [`a ${kindOf(flat)}`, `a ${kindOf(otherFlat)}`], scope);
  const [system, otherSystem] = [systemOf(one), systemOf(other)];
  if (typeof system === 'number' && typeof otherSystem === 'number' && system !== otherSystem) {
    throw different(call, 'two shapes in one reference system', [`in SRID ${system}`, `in SRID ${otherSystem}`], scope);
  }
}

function different(
  { method, arguments: given, at }: MethodCallExpr,
  wanted: string,
  found: readonly [string, string],
  { option }: Scope,
): Error {
  const [left, right] = given.map(printExpr);
  return errors
    .typeMismatch(`${method} needs ${wanted}, but ${left} is ${found[0]} and ${right} is ${found[1]}, at position ${at + 1}.`)
    .at(option);
}

function kindOf(flat: boolean): string {
  return flat ? 'geometry' : 'geography';
}
