import type { CommonExpr, MemberExpr, NamedValue, PathSegment, SearchExpr } from '../expression/ast.js';
import type { ComputeItem, OrderbyItem } from './query-options.js';

/** Transformations that keep the first or last records by a number, a sum or a share. */
export type RankMethod = 'topcount' | 'topsum' | 'toppercent' | 'bottomcount' | 'bottomsum' | 'bottompercent';

/** One step of `$apply` (Data Aggregation 3); `at` is the offset of its name. */
export type Transformation =
  | { readonly kind: 'aggregate'; readonly at: number; readonly items: readonly AggregateItem[] }
  | GroupbyTransformation
  | { readonly kind: 'filter'; readonly at: number; readonly condition: CommonExpr }
  | { readonly kind: 'search'; readonly at: number; readonly search: SearchExpr }
  | { readonly kind: 'compute'; readonly at: number; readonly items: readonly ComputeItem[] }
  | { readonly kind: 'concat'; readonly at: number; readonly sequences: readonly (readonly Transformation[])[] }
  | { readonly kind: 'identity'; readonly at: number }
  | { readonly kind: 'rank'; readonly at: number; readonly method: RankMethod; readonly amount: CommonExpr; readonly by: CommonExpr }
  | { readonly kind: 'orderby'; readonly at: number; readonly items: readonly OrderbyItem[] }
  | { readonly kind: 'skip' | 'top'; readonly at: number; readonly count: number }
  | ExpandTransformation
  | JoinTransformation
  | HierarchyTransformation
  | TraverseTransformation
  | { readonly kind: 'nest'; readonly at: number; readonly items: readonly NestItem[] }
  | { readonly kind: 'addnested'; readonly at: number; readonly path: MemberExpr; readonly items: readonly NestItem[] }
  | { readonly kind: 'function'; readonly at: number; readonly name: string; readonly parameters: readonly NamedValue[] };

/** A transformation that contains sequences of others. */
export type ComposedTransformation = Extract<
  Transformation,
  {
    readonly kind: 'groupby' | 'concat' | 'expand' | 'join' | 'outerjoin' | 'ancestors' | 'descendants' | 'traverse' | 'nest' | 'addnested';
  }
>;

/** `groupby((a,b/c,rollup(...)),sequence)`; an empty `groups` makes one group. */
export interface GroupbyTransformation {
  readonly kind: 'groupby';
  readonly at: number;
  readonly groups: readonly GroupingElement[];
  readonly transformations?: readonly Transformation[];
}

/** A path to group by, `rollup(...)` or `rolluprecursive(...)`; `all` is a rollup's `$all`. */
export type GroupingElement =
  | MemberExpr
  | RecursiveRollup
  | { readonly kind: 'rollup'; readonly at: number; readonly all: boolean; readonly paths: readonly MemberExpr[] };

/**
 * One item of `aggregate`: `Amount with sum as Total`, `$count as Many`, a custom aggregate, or with `inner` the form
 * `Path(inner)`, which aggregates the related entities of the path.
 */
export interface AggregateItem {
  readonly at: number;
  /** The value; a path to a custom aggregate or ending in `$count` has no `method`. */
  readonly expression: CommonExpr;
  /** `sum`, `min`, `max`, `average`, `countdistinct`, or the qualified name of a custom method. */
  readonly method?: string;
  readonly from: readonly AggregateFrom[];
  readonly alias?: string;
  readonly inner?: AggregateItem;
}

/** `from Time/Month with average`: aggregate first within each value of the property, then again with the method. */
export interface AggregateFrom {
  readonly path: MemberExpr;
  readonly method?: string;
}

/** `expand(Path,filter(...),expand(...))`. */
export interface ExpandTransformation {
  readonly kind: 'expand';
  readonly at: number;
  readonly path: readonly PathSegment[];
  readonly transformations: readonly Transformation[];
  readonly expands: readonly ExpandTransformation[];
}

/** `join(Path as Alias,sequence)`; `outerjoin` keeps rows without related entities. */
export interface JoinTransformation {
  readonly kind: 'join' | 'outerjoin';
  readonly at: number;
  readonly path: MemberExpr;
  readonly alias: string;
  readonly transformations?: readonly Transformation[];
}

/** A sequence whose result gets a name. */
export interface NestItem {
  readonly transformations: readonly Transformation[];
  readonly alias: string;
}

/** The nodes of a hierarchical transformation, `$root/Orgs,OrgHierarchy`, and the path from a row to its node. */
export interface HierarchyNodes {
  readonly nodes: MemberExpr;
  readonly qualifier: string;
  readonly node: MemberExpr;
  /** Reduces the hierarchy to some of its nodes. */
  readonly subset?: readonly Transformation[];
}

/** `rolluprecursive(nodes,qualifier,path,subset)`. */
export interface RecursiveRollup extends HierarchyNodes {
  readonly kind: 'rolluprecursive';
  readonly at: number;
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
