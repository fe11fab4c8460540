import type { EnumType, PrimitiveTypeName } from '../../../edm/index.js';
import type { OrderTerm } from '../../../plan/read-plan.js';
import type { ColumnExpr, JoinStep, TypedExpr } from '../../../plan/typed-expr.js';

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
  | ConcatStep;

interface ConcatStep {
  readonly kind: 'concat';
  readonly alias: string;
  readonly branches: readonly ConcatBranch[];
  /** The table of the records, where a sequence keeps them: its columns follow the cells. */
  readonly table?: string;
}

interface ComputeStep {
  readonly kind: 'compute';
  readonly alias: string;
  readonly column: string;
  readonly value: TypedExpr;
  /** The value uses computed ones, so that written out in full a chain of them would double with every link. */
  readonly chained: boolean;
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
  /** The column that is true where a rollup level includes this key. */
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

/** One sequence of `concat`, brought to the columns that all of them have. */
export interface ConcatBranch {
  readonly alias: string;
  readonly steps: readonly ApplyStep[];
  readonly cells: readonly ConcatCell[];
  /** Whether its rows may be records. */
  readonly records: boolean;
}

/** A cell without a value is null: this sequence does not have the column. */
export interface ConcatCell {
  readonly column: string;
  readonly sqlType: string;
  readonly value?: TypedExpr;
}
