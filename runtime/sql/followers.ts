import type { EntityType } from '../edm/entity-type.js';
import { sqlHooks } from './hooks.js';
import type { Connection } from './statement.js';

/** A change of rows within a statement. */
export interface RowChange {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly type: EntityType;
  /** The properties and internal columns that an update sets. */
  readonly names?: readonly string[];
  /** The values of the key before an update that sets it, as expressions, where they are known. */
  readonly formerKey?: readonly string[] | undefined;
  /** The condition that selects the rows, in terms of their columns; absent where it has more terms. */
  readonly where?: string;
  /** Whether it changes one row at most. */
  readonly isSingle?: true;
  /** The comparison with the numbers of the deleted rows, as in `= $1`. */
  readonly among?: string;
}

/** A change of rows, and its text without returned columns. */
export interface ChangeText {
  readonly change: RowChange;
  readonly text: string;
}

/** A change, and the common table expression with the columns that its followers need. */
export interface FollowedChange extends RowChange {
  readonly from: string;
}

/** Changes that a feature adds to other changes of rows, in the same statement. */
export interface Followers {
  /** Whether something follows a change. */
  readonly isFollowed: (kind: RowChange['kind'], type: EntityType) => boolean;
  /** The columns that they need of the changed rows; undefined where nothing follows. */
  readonly columnsOf: (change: RowChange, alias: string) => readonly string[] | undefined;
  /** The common table expressions around changes of a statement. */
  readonly tablesOf: (changes: readonly FollowedChange[]) => FollowingTables;
  /** Whether the locks before a deletion need rows of each other, so that they cannot be sent in one packet. */
  readonly locksInSteps: (type: EntityType) => boolean;
  /** Locks the rows that the database deletes with locked ones. */
  readonly lockDependents: (type: EntityType, ids: readonly string[], connection: Pick<Connection, 'run' | 'defer'>) => Promise<void>;
}

/**
 * The common table expressions before changes and after them. PostgreSQL shows the rows as they were to both; an engine
 * that distributes rows shows them changed to those that come after.
 */
export interface FollowingTables {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Whether something follows a change. */
export function isFollowed(kind: RowChange['kind'], type: EntityType): boolean {
  return sqlHooks.find('followers')?.isFollowed(kind, type) ?? false;
}

/** Whether the locks before a deletion need rows of each other. */
export function locksInSteps(type: EntityType): boolean {
  return sqlHooks.find('followers')?.locksInSteps(type) ?? false;
}

/** Locks the rows that the database deletes with locked ones, where something follows their deletion. */
export async function lockDependents(...args: Parameters<Followers['lockDependents']>): Promise<void> {
  await sqlHooks.find('followers')?.lockDependents(...args);
}

/** The columns that followers need of a change; undefined where nothing follows. */
export function followedColumns(change: RowChange, alias: string): readonly string[] | undefined {
  return sqlHooks.find('followers')?.columnsOf(change, alias);
}

/** The common table expressions of changes, with those that followers add. */
export function withFollowing(tables: readonly string[], changes: readonly FollowedChange[]): string {
  const { before, after } = (changes.length === 0 ? undefined : sqlHooks.find('followers')?.tablesOf(changes)) ?? none;
  return [...before, ...tables, ...after].join(', ');
}

const none: FollowingTables = { before: [], after: [] };

/** The text of a change, whose target has the alias, with what follows it. */
export function withFollowers(change: RowChange, text: string, alias: string): string {
  const columns = followedColumns(change, alias);
  if (columns === undefined) return text;
  const changed = `changed as (${text} returning ${columns.join(', ')})`;
  return `with ${withFollowing([changed], [{ ...change, from: 'changed' }])} select from changed`;
}
