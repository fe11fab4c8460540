import { negated, constant, compared, existing, internalColumn } from '../expr-facts.js';
import { mismatchAt, type PathTarget, type Scope } from '../scope.js';
import type { BinaryExpr, CommonExpr } from '../../expression/ast.js';
import type { TypedExpr } from '../typed-expr.js';
import { resolvePath, asProperty } from './check-path.js';
import { within } from './property-expr.js';
import { asPath, mayBe } from '../path/type-cast.js';

type RecordTarget = Extract<PathTarget, { kind: 'record' }>;

/**
 * `eq` and `ne` of an entity with null or another entity (URL conventions 5.1.1.1.1), where the right side is null, a path
 * or a call; undefined if one side is no entity.
 */
export function checkRecords(expr: BinaryExpr, operator: 'eq' | 'ne', scope: Scope): TypedExpr | undefined {
  const { right } = expr;
  const left = recordOf(expr.left, scope);
  if (left === undefined) return undefined;
  if (right.kind === 'literal') return checkPresence(left, operator);
  const other = recordOf(right, scope);
  return other && checkSame(expr, operator, [left, other], scope);
}

function recordOf(expr: CommonExpr, scope: Scope): RecordTarget | undefined {
  const path = (expr.kind === 'literal' ? asProperty(expr, scope) : asPath(expr, scope)) ?? expr;
  if (path.kind !== 'member') return undefined;
  const target = resolvePath(path, scope);
  return target.kind === 'record' ? target : undefined;
}

function checkPresence(target: RecordTarget, operator: 'eq' | 'ne'): TypedExpr | undefined {
  const exists = existsOf(target);
  if (exists === undefined) return undefined;
  return operator === 'ne' ? exists : negated(exists);
}

// Rows of one table are equal if their ids are.
function checkSame(
  { at }: BinaryExpr,
  operator: 'eq' | 'ne',
  [left, right]: readonly [RecordTarget, RecordTarget],
  scope: Scope,
): TypedExpr | undefined {
  if (left.is || right.is) return undefined;
  // Entities of two entity sets differ, even with equal keys.
  if (left.type.table !== right.type.table && mayBe(right.type.qualifiedName, left.type)) return constant(operator === 'ne');
  if (left.type.table !== right.type.table)
    throw mismatchAt(at, scope, `${operator} compares records of ${left.type.name} with those of ${right.type.name}`);
  return compared(operator, numberOf(left), numberOf(right));
}

/** Whether the entity at a path exists; undefined where it always does. */
export function existsOf({ joinSteps, is }: RecordTarget): TypedExpr | undefined {
  return joinSteps.length === 0 ? is : existing(joinSteps);
}

/** The `#id` of the entity at a path, equal for two paths to one entity; null if there is none. */
function numberOf({ joinSteps, alias }: RecordTarget): TypedExpr {
  return within(joinSteps, internalColumn(alias));
}
