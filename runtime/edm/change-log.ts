/** The table of the change log: one for all tracked sets of the model. */
export const changeTable = '#changes';

/** The sequence of the table's numbers, as PostgreSQL names it. */
export const changeSequence = '#changes_#id_seq';

/**
 * The columns of a change: its number; the entity set; the key then, as text; `c`, `u` or `d` for create, update and
 * delete; the time; and the values before the change of columns on which its visibility and its parents depend.
 */
export const changeColumns = {
  number: '#id',
  set: '#set',
  key: '#key',
  operation: '#operation',
  at: '#at',
  before: '#before',
} as const;

/** The table with one row about the log. */
export const changeStateTable = '#change_state';

/**
 * Its columns: the number up to which deletions may have been removed from the log; the numbers up to which superseded
 * rows and old ones have been looked for; the horizon, for standbys, which do not have the locks of writers; and the
 * timeline of the database, which a failover and a restore change.
 */
export const changeStateColumns = {
  one: '#one',
  floor: '#floor',
  merged: '#merged',
  swept: '#swept',
  horizon: '#horizon',
  timeline: '#timeline',
} as const;

/** The tracking of an entity set (Capabilities.ChangeTracking). */
export interface ChangeTracking {
  /** The properties that a `$filter` with change tracking may use; absent for all. */
  readonly filterable?: readonly string[];
  /** The navigation properties whose targets' changes are changes of the entity, where it is expanded. */
  readonly expandable: readonly string[];
}

/** The properties of an entity type whose entities are the changes of the log (Rules.ChangeEvents). */
export interface ChangeEvents {
  readonly sequence: string;
  readonly set: string;
  readonly key: string;
  readonly url?: string;
}
