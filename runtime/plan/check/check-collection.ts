import { errors } from '../../errors/catalogue.js';
import type { BinaryExpr, LambdaExpr } from '../../expression/ast.js';
import { printExpr } from '../../expression/print.js';
import { compareFiner } from '../value/finer-literal.js';
import { matchEnumeration, checkHasFlags, requireOneEnumeration } from '../value/check-enum.js';
import { resolvePath } from './check-path.js';
import { adviseUnlisted } from './unlisted-value.js';
import { unplannedItems } from './unplanned.js';
import { elementVariable } from './property-expr.js';
import { type PathTarget, type Scope, type Variable, withVariable, mismatchAt } from '../scope.js';
import { nameOf } from '../shown-path.js';
import type { Rows, TypedExpr } from '../typed-expr.js';
import { familyOfExpr, familyOfItem, compared } from '../expr-facts.js';

type Elements = Extract<PathTarget, { kind: 'elements' }>;

/** `any` and `all` over a collection of values or a collection-valued navigation property. */
export function checkLambda(expr: LambdaExpr, scope: Scope): TypedExpr {
  const { rows, variable } = rangeOf(expr, resolvePath(expr.source, scope), scope);
  const quantified = { kind: 'quantified', type: 'Edm.Boolean', nullable: false, operator: expr.operator, rows } as const;
  if (expr.predicate === undefined || expr.variable === undefined) return quantified;
  return { ...quantified, predicate: scope.checks.condition(expr.predicate, withVariable(scope, expr.variable, variable)) };
}

function rangeOf(expr: LambdaExpr, target: PathTarget, scope: Scope): { rows: Rows; variable: Variable } {
  if (target.kind === 'elements') return elementRange(target, scope);
  if (target.kind === 'value' && target.expr.kind === 'dynamic') throw unplannedItems(expr.operator, scope);
  const last = target.kind === 'records' ? target.joinSteps.at(-1) : undefined;
  if (target.kind !== 'records' || last === undefined) {
    throw mismatchAt(expr.at, scope, `${expr.operator} needs a collection, but ${nameOf(expr.source)} is not a collection`);
  }
  return {
    rows: { kind: 'joinSteps', joinSteps: target.joinSteps, ...(target.filter && { filter: target.filter }) },
    variable: { kind: 'record', source: last, type: target.type },
  };
}

/** The items of a collection of values, and the variable that ranges over them. */
function elementRange(elements: Elements, scope: Scope): { rows: Rows; variable: Extract<Variable, { kind: 'element' }> } {
  const { column, joinSteps, kept, ...items } = elements;
  const alias = kept?.alias ?? scope.aliases.next();
  return {
    rows: { kind: 'elements', joinSteps, alias, column, ...(kept && { filter: kept.filter }) },
    variable: elementVariable(column, alias, items),
  };
}

/** Whether a value is an item of a collection. */
export function isAmong(value: TypedExpr, items: Elements, scope: Scope): TypedExpr {
  const { rows, variable } = elementRange(items, scope);
  const predicate = compareFiner(compared('eq', variable.value, value));
  return { kind: 'quantified', type: 'Edm.Boolean', nullable: false, operator: 'any', rows, predicate };
}

// RESO's multi-valued lookups are collections of strings here, for which `has` tests membership.
/** `has` on flags; on a collection of strings or an enumeration it tests membership. */
export function checkHas(expr: BinaryExpr, scope: Scope): TypedExpr {
  const target = expr.left.kind === 'member' ? resolvePath(expr.left, scope) : undefined;
  const right = scope.checks.expr(expr.right, scope);
  const flags = target?.kind === 'elements' ? undefined : checkHasFlags(expr, scope.checks.expr(expr.left, scope), right, scope);
  if (flags) return flags;
  const value = target?.kind === 'elements' ? matchEnumeration(right, target.column, scope) : right;
  const family = familyOfExpr(value);
  if (target?.kind !== 'elements' || (family !== 'string' && family !== 'enumeration') || family !== familyOfItem(target.column)) {
    throw errors
      .typeMismatch(
        `has needs flags and their members, or a collection of strings and a string, at position ${expr.at + 1}.${expr.left.kind === 'member' && expr.right.kind === 'literal' && family === 'string' ? ` Write ${printExpr({ ...expr, operator: 'eq' })}.` : ''}`,
      )
      .at(scope.option);
  }
  requireOneEnumeration([target.column, value], expr.at, scope);
  adviseUnlisted(target.column, value, { shown: expr.left, literal: expr.right }, scope);
  return isAmong(value, target, scope);
}
