import type { EnumType, Field, PrimitiveTypeName } from '../edm/index.js';
import type { JoinedSet, KeyCondition, OrderTerm, ParentStep } from './read-plan.js';
import type { ColumnExpr, Hop, Source, TypedExpr } from './typed-expr.js';
import type { Hierarchy, Walk } from './hierarchy-expr.js';

/** What `$apply` makes of a set: the records it begins with, and steps that each read what the one before gives. */
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
  readonly hop?: Hop;
  /** Of a cross join: the tables that stand in place of one, and the columns that are taken from them. */
  readonly cross?: { readonly sets: readonly JoinedSet[]; readonly columns: readonly CrossColumn[] };
}

/** A column of one of the tables of a cross join, and the property that has it. */
export interface CrossColumn extends Omit<Source, 'table'> {
  readonly name: string;
  readonly column: string;
  readonly as: string;
  readonly field: Field;
}

/** A step; `alias` is what its input is called within it. */
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
  | JoinStep
  | TheseStep
  | WalkStep
  | RollupStep
  | RestoreStep
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

/** One more column, with a value of all rows, or of all that agree in the keys. */
export interface TheseStep {
  readonly kind: 'these';
  readonly alias: string;
  readonly column: string;
  readonly keys: readonly ColumnExpr[];
  readonly aggregate: Aggregate;
  readonly live?: ColumnExpr;
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

/** A row for each node that the row's own is or lies beneath; of several hierarchies for each combination of nodes. */
export interface RollupStep {
  readonly kind: 'rollup';
  readonly alias: string;
  readonly hierarchies: readonly RolledUp[];
  /** Nodes without rows have one too, in which this column is false. */
  readonly live?: string;
}

/** A hierarchy, the identifier of a row's node in it, and the column for the number of the node that the row counts for. */
export interface RolledUp {
  readonly hierarchy: Hierarchy;
  readonly node: ColumnExpr;
  readonly column: string;
}

/** The records of a table whose numbers a column has, beside what else the rows have. */
export interface RestoreStep extends Source {
  readonly kind: 'restore';
  readonly number: ColumnExpr;
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

/** A row for each related record that is kept, with a column that holds its number. */
export interface JoinStep {
  readonly kind: 'join';
  readonly alias: string;
  readonly hop: Hop;
  readonly column: string;
  /** A row without any keeps its place, with null. */
  readonly outer: boolean;
  readonly filter?: TypedExpr;
  readonly order: readonly OrderTerm[];
  /** A column that counts the related records in their order, where they have one of their own. */
  readonly number?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** One row a group. Without keys there is one group, even of nothing. */
export interface GroupStep {
  readonly kind: 'group';
  readonly alias: string;
  readonly keys: readonly GroupKey[];
  /** Which keys, by index, make the groups; a rollup has several such sets. */
  readonly sets: readonly (readonly number[])[];
  readonly aggregates: readonly Aggregate[];
  /** Where it is false, the row only keeps its group alive. */
  readonly live?: ColumnExpr;
}

/** A column to group by, and what it is called afterwards. */
export interface GroupKey {
  readonly column: string;
  readonly key: ColumnExpr;
  /** A column that tells whether the row's group was made by this key, where a rollup leaves it out. */
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

/** What is aggregated: the rows themselves, a value of each, or what navigation reaches from them. */
export type AggregateSource = { readonly kind: 'rows' } | { readonly kind: 'value'; readonly value: TypedExpr } | Reached;

/** Records that navigation reaches; each counts once, however often it is reached (Data Aggregation 3.2.1.1). */
export interface Reached {
  readonly kind: 'reached';
  readonly hops: readonly Hop[];
  /** The number of the record that is reached. */
  readonly id: ColumnExpr;
  readonly value: TypedExpr;
  /** Which of them are aggregated, where the path has conditions. */
  readonly filter?: TypedExpr;
  /** No record can be reached twice, since each belongs to one only. */
  readonly owned: boolean;
}

/** Adds a column that tells whether a row is kept (Data Aggregation 3.3). */
export interface RankStep {
  readonly kind: 'rank';
  readonly alias: string;
  readonly column: string;
  readonly measure: 'first' | 'afterFirst' | 'sum' | 'percent';
  /** A number, the same for every row. */
  readonly amount: TypedExpr;
  readonly value?: TypedExpr;
  readonly order: readonly OrderTerm[];
  readonly partition: readonly ColumnExpr[];
  readonly live?: ColumnExpr;
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
