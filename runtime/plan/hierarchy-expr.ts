import type { ApplyPlan } from './apply-plan.js';
import type { Hop, PropertyExpr, TypedExpr } from './typed-expr.js';

/** The nodes of a recursive hierarchy: their table, what identifies each of them, and the step from each to its parents. */
export interface Hierarchy {
  readonly nodes: Hop;
  readonly identifier: PropertyExpr;
  readonly parents: Hop;
  /** The records of the table that are its nodes, where not all are. */
  readonly subset?: ApplyPlan & { readonly alias: string };
}

/** Nodes that a walk comes to. */
export interface Walk {
  readonly hierarchy: Hierarchy;
  readonly towards: 'ancestors' | 'descendants';
  readonly distance?: number;
  /** The nodes that it starts from are among them. */
  readonly self: boolean;
}

/** What is asked of the node that a value identifies. */
export type NodeTest = { readonly kind: 'node'; readonly type: 'Edm.Boolean'; readonly nullable: false; readonly node: TypedExpr } & (
  | { readonly test: 'isnode' | 'isroot' | 'isleaf'; readonly hierarchy: Hierarchy }
  | { readonly test: 'issibling'; readonly hierarchy: Hierarchy; readonly from: TypedExpr }
  | { readonly test: 'isrelated'; readonly walk: Walk; readonly from: TypedExpr }
);
