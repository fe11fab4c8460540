import type { PrimitiveTypeName } from '../edm/index.js';
import type { EnumType } from '../edm/field.js';
import type { KeyCondition, OrderTerm, ParentStep } from './read-plan.js';
import type { ColumnExpr, JoinStep, PropertyExpr, Source, TypedExpr } from './typed-expr.js';

/** The plan of `$apply`: the source, and steps over the result of the previous one. */
export interface ApplyPlan {
  readonly base: ApplyBase;
  readonly steps: readonly ApplyStep[];
}

/** The records of the resource path. */
export interface ApplyBase extends Source {
  readonly parents: readonly ParentStep[];
  readonly key: readonly KeyCondition[];
  readonly filter?: TypedExpr;
  /** Within an expansion: how the records meet the one that they are expanded from. */
  readonly joinStep?: JoinStep;
}

/** A step; `alias` names its input. */
export type ApplyStep =
  | { readonly kind: 'filter'; readonly alias: string; readonly condition: TypedExpr }
  | ComputeStep
  | {
      readonly kind: 'window';
      readonly alias: string;
      readonly order: readonly OrderTerm[];
      readonly limit?: number;
      readonly offset?: number;
    }
  | GroupStep
  | RankStep
  | WalkStep
  | TraverseStep
  | { readonly kind: 'concat'; readonly alias: string; readonly branches: readonly ConcatBranch[] };

/** One more column. */
interface ComputeStep {
  readonly kind: 'compute';
  readonly alias: string;
  readonly column: string;
  readonly value: TypedExpr;
  /** The value uses computed ones, so that written out in full a chain of them would double with every link. */
  readonly chained: boolean;
}

/** The rows of nodes that a walk comes to from those of some of the rows. */
export interface WalkStep {
  readonly kind: 'walk';
  readonly alias: string;
  /** The identifier of a row's node. */
  readonly node: ColumnExpr;
  readonly start: { readonly alias: string; readonly steps: readonly ApplyStep[]; readonly node: ColumnExpr };
  readonly walk: Walk;
}

/** The rows of nodes that a traversal from the roots comes to, with a column that has the node's place in it. */
export interface TraverseStep {
  readonly kind: 'traverse';
  readonly alias: string;
  readonly node: ColumnExpr;
  readonly column: string;
  readonly hierarchy: Hierarchy;
  readonly direction: 'preorder' | 'postorder';
  readonly order: readonly OrderTerm[];
}

/** One row a group. Without keys there is one group, even of nothing. */
export interface GroupStep {
  readonly kind: 'group';
  readonly alias: string;
  readonly keys: readonly GroupKey[];
  /** Which keys, by index, make the groups; a rollup has several such sets. */
  readonly sets: readonly (readonly number[])[];
  readonly aggregates: readonly Aggregate[];
}

/** A grouping column, with its name in the result. */
export interface GroupKey {
  readonly column: string;
  readonly key: ColumnExpr;
  /** The column that says whether a rollup level includes this key. */
  readonly presence?: string;
}

/** How many values become one; `count` is of rows and needs no value. */
export type AggregateMethod = 'sum' | 'min' | 'max' | 'average' | 'countdistinct' | 'count';

/** One aggregated value. */
export interface Aggregate {
  readonly column: string;
  readonly type: PrimitiveTypeName;
  readonly enumeration?: EnumType;
  readonly method: AggregateMethod;
  readonly source: AggregateSource;
}

/** The input of an aggregation: the rows, a value of each, or entities related to them. */
export type AggregateSource = { readonly kind: 'rows' } | { readonly kind: 'value'; readonly value: TypedExpr } | Reached;

/** Records that navigation reaches; each counts once, however often it is reached (Data Aggregation 3.2.1.1). */
export interface Reached {
  readonly kind: 'reached';
  readonly joinSteps: readonly JoinStep[];
  /** The number of the record that is reached. */
  readonly id: ColumnExpr;
  readonly value: TypedExpr;
  /** Which of them are aggregated, where the path has conditions. */
  readonly filter?: TypedExpr;
  /** No record can be reached twice, since each belongs to one only. */
  readonly owned: boolean;
}

/** Adds a column that marks the rows to keep (Data Aggregation 3.3). */
export interface RankStep {
  readonly kind: 'rank';
  readonly alias: string;
  readonly column: string;
  readonly measure: 'first' | 'sum' | 'percent';
  /** A number, the same for every row. */
  readonly amount: TypedExpr;
  readonly value?: TypedExpr;
  readonly order: readonly OrderTerm[];
}

/** One sequence of `concat`, brought to the columns that all of them have. */
export interface ConcatBranch {
  readonly alias: string;
  readonly steps: readonly ApplyStep[];
  readonly cells: readonly ConcatCell[];
}

/** A cell without a value is null: this sequence does not have the column. */
export interface ConcatCell {
  readonly column: string;
  readonly sqlType: string;
  readonly value?: TypedExpr;
}

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
