import type { EntityType } from '../edm/entity-type.js';
import { sqlHooks } from './hooks.js';
import type { FollowedChange, Followers, FollowingTables, RowChange } from './row-change.js';

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
