import type { EntityType } from '../edm/entity-type.js';
import { sqlHooks } from './hooks.js';

/** A change of rows within a statement. */
export interface RowChange {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly type: EntityType;
  /** The properties and internal columns that an update sets. */
  readonly names?: readonly string[];
  /** Whether it changes at most one row. */
  readonly isOfOne?: true;
}

/** A change, and the common table expression with the columns that its followers need. */
export interface FollowedChange extends RowChange {
  readonly from: string;
}

/** Changes that a feature adds to other changes of rows, in the same statement. */
export interface Followers {
  /** The columns that they need of the changed rows; undefined where nothing follows. */
  readonly columnsOf: (change: RowChange, alias: string) => readonly string[] | undefined;
  /** The common table expressions that follow changes of a statement. */
  readonly tablesOf: (changes: readonly FollowedChange[]) => readonly string[];
}

/** The columns that followers need of a change; undefined where nothing follows. */
export function followedColumns(change: RowChange, alias: string): readonly string[] | undefined {
  return sqlHooks.find('followers')?.columnsOf(change, alias);
}

/** The common table expressions that follow changes. */
export function followingTables(changes: readonly FollowedChange[]): readonly string[] {
  return sqlHooks.find('followers')?.tablesOf(changes) ?? [];
}

/** The text of a change, whose target has the alias, with what follows it. */
export function withFollowers(change: RowChange, text: string, alias: string): string {
  const columns = followedColumns(change, alias);
  if (columns === undefined) return text;
  const tables = [`changed as (${text} returning ${columns.join(', ')})`, ...followingTables([{ ...change, from: 'changed' }])];
  return `with ${tables.join(', ')} select from changed`;
}
