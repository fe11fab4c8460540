import { errors } from '../../errors/catalogue.js';
import type { MethodCallExpr } from '../../expression/ast.js';
import { resolvePath } from './check-path.js';
import { existsOf } from './exists-of.js';
import type { Scope } from '../scope.js';
import type { TypedExpr } from '../typed-expr.js';

/** `isdefined(City)`: whether the record has the property, even one that is null (Data Aggregation 3.7). */
export function checkDefined({ arguments: [path, more], at }: MethodCallExpr, scope: Scope): TypedExpr {
  if (path?.kind !== 'member' || path.base || more)
    throw errors.typeMismatch(`isdefined needs the path of one property, write isdefined(‹text›), at position ${at + 1}.`).at(scope.option);
  const told = scope.has?.(path);
  if (told) return told;
  const target = resolvePath(path, scope);
  if (target.kind === 'record' && path.path.length > 1) return existsOf(target) ?? always;
  if (target.kind !== 'value') return always;
  const { expr } = target;
  // A dynamic property exists if it has a value, one of another entity if that exists.
  if (expr.kind === 'dynamic')
    return {
      kind: 'not',
      type: 'Edm.Boolean',
      nullable: false,
      operand: { kind: 'comparison', type: 'Edm.Boolean', nullable: false, operator: 'eq', left: expr, right: nothing },
    };
  return expr.kind === 'related' ? { kind: 'exists', type: 'Edm.Boolean', nullable: false, joinSteps: expr.joinSteps } : always;
}

const always: TypedExpr = { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: true };
const nothing: TypedExpr = { kind: 'literal', type: 'null', nullable: true, value: null };
