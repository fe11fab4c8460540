import type { Field } from '../edm/index.js';
import type { TypedExpr } from './typed-expr.js';

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
