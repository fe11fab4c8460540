import { createHooks } from '../errors/hooks.js';
import type { ApplyPlan } from '../plan/apply-plan.js';
import type { UnionMember } from '../plan/read-plan.js';
import type { StatementBuilder } from './builder.js';
import type { Followers } from './followers.js';

/** Compilers of sources and conditions that a feature provides. */
interface SqlHooks {
  /** Compiles the steps of `$apply` to a subquery. */
  readonly compileApply: (plan: ApplyPlan, builder: StatementBuilder) => string;
  /** Compiles `$all` to a union of the numbers of all entities. */
  readonly compileUnion: (union: readonly UnionMember[], builder: StatementBuilder) => string;
  /** Changes that follow the changes of a write. */
  readonly followers: Followers;
}

/** The hooks of `sql`. */
export const sqlHooks = createHooks<SqlHooks>();
