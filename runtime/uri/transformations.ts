import type { CommonExpr, MemberExpr, SearchExpr } from '../expression/ast.js';
import type { ComputeItem, OrderbyItem } from './query-options.js';

/** Transformations that keep the first or last records by a number, a sum or a share. */
export type RankMethod = 'topcount' | 'topsum' | 'toppercent' | 'bottomcount' | 'bottomsum' | 'bottompercent';

/** One step of `$apply` (Data Aggregation 3); `at` is the offset of its name. */
export type Transformation =
  | AggregateTransformation
  | GroupbyTransformation
  | { readonly kind: 'filter'; readonly at: number; readonly condition: CommonExpr }
  | { readonly kind: 'search'; readonly at: number; readonly search: SearchExpr }
  | { readonly kind: 'compute'; readonly at: number; readonly items: readonly ComputeItem[] }
  | { readonly kind: 'concat'; readonly at: number; readonly sequences: readonly (readonly Transformation[])[] }
  | { readonly kind: 'identity'; readonly at: number }
  | { readonly kind: 'rank'; readonly at: number; readonly method: RankMethod; readonly amount: CommonExpr; readonly by: CommonExpr }
  | { readonly kind: 'orderby'; readonly at: number; readonly items: readonly OrderbyItem[] }
  | { readonly kind: 'skip' | 'top'; readonly at: number; readonly count: number }
  | HierarchyTransformation
  | TraverseTransformation;

/** `aggregate(...)`. */
export interface AggregateTransformation {
  readonly kind: 'aggregate';
  readonly at: number;
  readonly items: readonly AggregateItem[];
}

/** `groupby((a,b/c,rollup(...)),aggregate(...))`; an empty `groups` makes one group. */
export interface GroupbyTransformation {
  readonly kind: 'groupby';
  readonly at: number;
  readonly groups: readonly GroupingElement[];
  readonly aggregate?: AggregateTransformation;
}

/** A path to group by, or `rollup(...)`; `all` is a rollup's `$all`. */
export type GroupingElement =
  MemberExpr | { readonly kind: 'rollup'; readonly at: number; readonly all: boolean; readonly paths: readonly MemberExpr[] };

/** One item of `aggregate`: `Amount with sum as Total`, or `$count as Many`. */
export interface AggregateItem {
  readonly at: number;
  /** The value; a path to a custom aggregate or ending in `$count` has no `method`. */
  readonly expression: CommonExpr;
  /** `sum`, `min`, `max`, `average`, `countdistinct`, or the qualified name of a custom method. */
  readonly method?: string;
  readonly alias?: string;
}

/** The nodes of a hierarchical transformation, `$root/Orgs,OrgHierarchy`, and the path from a row to its node. */
export interface HierarchyNodes {
  readonly nodes: MemberExpr;
  readonly qualifier: string;
  readonly node: MemberExpr;
  /** Reduces the hierarchy to some of its nodes. */
  readonly subset?: readonly Transformation[];
}

/** `ancestors(nodes,qualifier,path,sequence,subset,distance,keep start)` and `descendants(...)`. */
export interface HierarchyTransformation extends HierarchyNodes {
  readonly kind: 'ancestors' | 'descendants';
  readonly at: number;
  readonly start: readonly Transformation[];
  readonly distance?: number;
  readonly keepStart: boolean;
}

/** `traverse(nodes,qualifier,path,preorder,subset,Name desc)`. */
export interface TraverseTransformation extends HierarchyNodes {
  readonly kind: 'traverse';
  readonly at: number;
  readonly direction: 'preorder' | 'postorder';
  readonly order: readonly OrderbyItem[];
}
