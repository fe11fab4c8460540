import type { EntityType } from '../edm/entity-type.js';
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
