import { changeSequence, changeTable } from '../edm/index.js';
import { literal, quote } from './identifier.js';

/** The class of the advisory locks of the change log; different for each table of a database. */
export const changeClass = `(${literal(quote(changeTable))}::regclass::oid::bigint & 2147483647)::int`;

/** The last number that was drawn; 0 before the first. */
export const lastNumberDrawn = `select case when is_called then last_value else last_value - 1 end as number from ${quote(changeSequence)}`;

/**
 * Takes a mark, as an expression: a shared advisory lock, until the end of the transaction, with the last number that was drawn.
 * A number that is drawn afterwards is greater than the mark, so that readers who see the lock stop before it. 31 bits of the
 * number are in the lock.
 */
export const markTaken = `pg_advisory_xact_lock_shared(${changeClass}, (coalesce(pg_sequence_last_value(${literal(quote(changeSequence))}::regclass), 0) & 2147483647)::int) is not null`;

/** The same as a statement. */
export const takeMark = `select ${markTaken} as mark`;
