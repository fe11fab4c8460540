import type { ApplyPlan } from './apply-plan.js';
import type { JoinStep, PropertyExpr, TypedExpr } from './typed-expr.js';

/** A recursive hierarchy: the table of nodes, their identifier, and the join to the parents. */
export interface Hierarchy {
  readonly nodes: JoinStep;
  readonly identifier: PropertyExpr;
  readonly parents: JoinStep;
  /** The rows that are nodes, if not all. */
  readonly subset?: ApplyPlan & { readonly alias: string };
}

/** The nodes that a walk reaches. */
export interface Walk {
  readonly hierarchy: Hierarchy;
  readonly towards: 'ancestors' | 'descendants';
  readonly distance?: number;
  /** Whether the start nodes are included. */
  readonly self: boolean;
}

/** A condition on the node that a value identifies. */
export type NodeTest = { readonly kind: 'node'; readonly type: 'Edm.Boolean'; readonly nullable: false; readonly node: TypedExpr } & (
  | { readonly test: 'isnode' | 'isroot' | 'isleaf'; readonly hierarchy: Hierarchy }
  | { readonly test: 'issibling'; readonly hierarchy: Hierarchy; readonly from: TypedExpr }
  | { readonly test: 'isrelated'; readonly walk: Walk; readonly from: TypedExpr }
);
