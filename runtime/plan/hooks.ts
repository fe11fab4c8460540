import type { SearchExpr } from '../expression/ast.js';
import type { Source, TypedExpr } from './typed-expr.js';
import type { RowFilters } from './row-filter.js';
import type { EntityContainer, EntityType } from '../edm/index.js';
import type { Caller } from './caller.js';
import { createHooks } from '../errors/hooks.js';
import type { QueryOptions } from '../uri/query-options.js';
import type { PathPart, ResourcePath } from '../uri/resource-path.js';
import type { ApplyPlan, PageRead, ReadPlan } from './read-plan.js';
import type { PlanOptions } from './limits.js';
import type { OperationTarget, PathContext, PropertyTarget, RecordTarget, Target } from './path/path-target.js';
import type { PlanContext, Scope } from './scope.js';

/** The read of a result of `$apply`; the page's window is planned by the caller. */
export type AppliedRead = Omit<ReadPlan, 'limit' | 'count' | 'apply'> & { readonly apply: ApplyPlan };

interface RowFilterPlanners {
  readonly ofCaller: (caller: Caller, container: EntityContainer) => RowFilters;
  /** The faults of the model's row filters, each with its type and scope. */
  readonly faults: (container: EntityContainer) => readonly string[];
}

interface SearchPlanners {
  readonly plan: (query: SearchExpr, type: EntityType, source: Source, scope: Scope) => TypedExpr;
  /** A search in the items of a text collection, each by its own words. */
  readonly planItems: (query: SearchExpr, item: TypedExpr) => TypedExpr;
  readonly isSearchable: (type: EntityType, scope: Pick<Scope, 'caller' | 'container'>) => boolean;
}

/** Planners that a feature provides. */
interface PlanHooks {
  /** Plans the read of a result of `$apply`. */
  readonly planApplied: (target: RecordTarget, options: QueryOptions, scope: Scope, settings: PlanOptions) => AppliedRead;
  /** The target of a path that begins with `$all` or `$crossjoin(...)`. */
  readonly crossSetTarget: (first: PathPart, rest: readonly PathPart[], context: PathContext) => Target;
  readonly rowFilters: RowFilterPlanners;
  readonly search: SearchPlanners;
  readonly planCrossSet: (target: RecordTarget, options: QueryOptions, context: PlanContext) => PageRead;
  /** An ECMAScript pattern in PostgreSQL's syntax; `option` is where it stands. */
  readonly translatePattern: (pattern: string, option: string) => string;
  /** The target of a path that goes on with a media stream of an entity, or of its complex value. */
  readonly streamAt: (target: RecordTarget, rest: readonly PathPart[], container: EntityContainer) => Target | undefined;
  /** The target of a path that goes on with a property of an entity; undefined where its type has no such property. */
  readonly propertyAt: (target: RecordTarget, rest: readonly PathPart[], context: PathContext) => Target | undefined;
  /** The target of a path that goes on after a property. */
  readonly fromProperty: (target: PropertyTarget, rest: readonly PathPart[], context: PathContext) => Target;
  /** The call of an operation in a path; undefined for a path without one. */
  readonly planCallPath: (path: ResourcePath, context: PathContext) => OperationTarget | undefined;
}

/** The hooks of `plan`. */
export const planHooks = createHooks<PlanHooks>();
