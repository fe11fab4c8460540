import type { RowFilters } from '../plan/row-filter.js';
import type { Statement } from './statement.js';
import { createHooks } from '../errors/hooks.js';
import type { ApplyPlan, UnionMember } from '../plan/read-plan.js';
import type { ComparisonOperator, TypedExpr, TypedLiteral } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';
import type { Followers } from './row-change.js';

type Call = Extract<TypedExpr, { kind: 'call' }>;

/** Another form of a call than its template; undefined where the template applies. */
export type SpecialForm = (expr: Call, builder: StatementBuilder) => string | undefined;

/** Bounds of a function's argument for its comparison with a literal, for which an index applies; undefined without bounds. */
export type Bounds = (call: Call, operator: ComparisonOperator, literal: TypedLiteral, builder: StatementBuilder) => string | undefined;

/** Compilers of sources and conditions that a feature provides. */
interface SqlHooks {
  /** Compiles the steps of `$apply` to a subquery. */
  readonly compileApply: (plan: ApplyPlan, builder: StatementBuilder) => string;
  /** Compiles `$all` to a union of the numbers of all entities. */
  readonly compileUnion: (union: readonly UnionMember[], builder: StatementBuilder) => string;
  /** Compiles geo functions, and bounds for the comparison of a distance. */
  readonly shapes: { readonly compile: SpecialForm; readonly boundsOf: Bounds };
  readonly compileSearch: (expr: Extract<TypedExpr, { kind: 'search' }>, builder: StatementBuilder) => string;
  readonly compileFiltered: (statement: Statement, filters: RowFilters) => Statement;
  /** Changes that follow the changes of a write. */
  readonly followers: Followers;
}

/** The hooks of `sql`. */
export const sqlHooks = createHooks<SqlHooks>();
