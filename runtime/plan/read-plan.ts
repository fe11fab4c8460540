import type { EntityType, Field } from '../edm/index.js';
import type { Hop, Source, TypedExpr } from './typed-expr.js';

/** A structural property that is read. */
export interface SelectedColumn {
  readonly name: string;
  readonly column: string;
  readonly field: Field;
}

/** What is read of one record: its columns, and what is expanded beneath it. */
export interface Selection extends Source {
  readonly type: EntityType;
  readonly columns: readonly SelectedColumn[];
  readonly expands: readonly ExpandPlan[];
  /** The internal version is read too, for `@odata.etag`. */
  readonly etag: boolean;
  /** The key is read too, for `@odata.id`, even when it was not selected. */
  readonly keyColumns: readonly SelectedColumn[];
}

/** One term of the order; the last ones are the key, so that the order is total. */
export interface OrderTerm {
  readonly expression: TypedExpr;
  readonly descending: boolean;
}

/** An expanded navigation property. */
export interface ExpandPlan {
  readonly name: string;
  readonly collection: boolean;
  readonly hop: Hop;
  readonly selection: Selection;
  readonly filter?: TypedExpr;
  readonly order: readonly OrderTerm[];
  readonly top?: number;
  readonly skip?: number;
  readonly count: boolean;
}

/** A key condition: the column equals the value. */
export interface KeyCondition {
  readonly column: string;
  readonly sqlType: string;
  readonly value: string;
}

/** A record on the way to the target: its key, and the step from the target (or the next parent) back to it. */
export interface ParentStep extends Source {
  readonly key: readonly KeyCondition[];
  readonly on: readonly (readonly [child: string, parent: string])[];
}

/** Everything that a read needs, checked; there is nothing left in it that could be refused. */
export interface ReadPlan {
  readonly selection: Selection;
  readonly parents: readonly ParentStep[];
  readonly key: readonly KeyCondition[];
  readonly filter?: TypedExpr;
  readonly order: readonly OrderTerm[];
  /** Values of the order's terms in the last record of the previous page. */
  readonly after?: readonly (string | null)[];
  readonly limit?: number;
  readonly offset?: number;
  readonly count: boolean;
}
