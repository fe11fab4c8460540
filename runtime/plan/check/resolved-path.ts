import type { ComplexType, EntityType } from '../../edm/index.js';
import type { JoinStep, PropertyExpr, TypedExpr } from '../typed-expr.js';

/** The target of a member path. */
export type PathTarget =
  | { readonly kind: 'value'; readonly expr: TypedExpr }
  /** `kept` are the items that are left, where they are rows of that alias. */
  | {
      readonly kind: 'elements';
      readonly column: PropertyExpr;
      readonly joinSteps: readonly JoinStep[];
      readonly complex?: ComplexType;
      readonly kept?: { readonly alias: string; readonly filter: TypedExpr };
    }
  /** `is` is the condition that an entity without joins, which the statement reads, has the type of a cast. */
  | {
      readonly kind: 'record';
      readonly joinSteps: readonly JoinStep[];
      readonly alias: string;
      readonly type: EntityType;
      readonly is?: TypedExpr;
    }
  | ({ readonly kind: 'records' } & RecordRows);

/** The entities at a path, with the condition of `/$filter(...)`. */
export interface RecordRows {
  readonly joinSteps: readonly JoinStep[];
  readonly type: EntityType;
  readonly filter?: TypedExpr;
}
