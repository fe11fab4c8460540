import type { EntityContainer, EntityType, Permission, Permissions, RecordConditions } from '../edm/index.js';
import type { TypedExpr } from './typed-expr.js';
import { memoized } from '../edm/memoized.js';

/** The records that contain those of a table: their table, and the column that has their number. */
export interface Container {
  readonly table: string;
  readonly column: string;
  /** Records of other tables contain some too, so that the column may be null. */
  readonly optional: boolean;
}

/** The row filter that an operation applies to a table. */
export interface RowFilter {
  readonly table: string;
  /** The alias of the unfiltered table in the condition: a row filter sees all rows. */
  readonly unfiltered: string;
  readonly alias: string;
  readonly condition: TypedExpr;
}

/** The read filter of a table: its own condition, and that a visible parent contains the row. */
export interface ReadFilter extends Omit<RowFilter, 'condition'> {
  readonly condition: TypedExpr | undefined;
  readonly within: readonly Container[];
}

/** The row filters of a caller. */
export interface RowFilters {
  /** Every filtered table, and its unfiltered alias in conditions. */
  readonly filtered: readonly Pick<ReadFilter, 'table' | 'unfiltered'>[];
  /** Parents come before contained types. */
  readonly read: readonly ReadFilter[];
  /** The condition of a writing operation, in addition to visibility. */
  readonly write: (operation: WriteOperation, table: string) => RowFilter | undefined;
  /** The condition on the stored row, for every caller. */
  readonly stored: (operation: keyof RecordConditions, table: string) => RowFilter | undefined;
}

/** Writing operations with permissions. */
export type WriteOperation = Exclude<keyof Permissions, 'read' | 'readByKey'>;

/** Whether a model has row filters or conditions for changes. */
export const hasRowRules = memoized(({ entityTypes }: EntityContainer) => Object.values(entityTypes).some(hasRules));

/** Whether a type has row filters of its own. */
export function hasRules({ permissions, conditions }: EntityType): boolean {
  return conditions !== undefined || listsOf(permissions).some(([, list]) => list.some(({ rows }) => rows !== undefined));
}

/** The permissions of each operation. */
export function listsOf(permissions: Permissions): readonly (readonly [operation: keyof Permissions, list: readonly Permission[]])[] {
  return (['read', 'readByKey', 'insert', 'update', 'delete'] as const).map((operation) => [operation, permissions[operation] ?? []]);
}
