import { columnOf, type EntityType, openColumn } from '../edm/index.js';
import type { KeyCondition } from '../plan/typed-expr.js';
import { quote } from '../schema/identifier.js';
import { keptStatement, type KeptStatements, StatementBuilder } from './builder.js';
import type { Statement } from './statement.js';
import { compileKey } from './compile-target.js';
import { clock } from './compile-write.js';

/** The purpose of a lock: a change, which permits new references, or a reference, which permits changes other than of the key. */
export type LockFor = 'change' | 'reference';

const strengths: { readonly [For in LockFor]: string } = { change: 'for no key update', reference: 'for key share' };

/** Locks one row and reads it completely: `#id`, version, clock, then every column in the order of the model, then the shared column. */
export function compileLock(type: EntityType, key: readonly KeyCondition[], lockFor: LockFor): Statement {
  return keptStatement(locks, { of: type, shape: `${lockFor} ${shapeOf(key)}`, binds: key.map(({ value }) => value) }, () => {
    const builder = new StatementBuilder();
    return builder.unfilteredStatement(`${compileWhole(type, key, [], builder)} ${strengths[lockFor]}`);
  });
}

const locks: KeptStatements = new WeakMap();

/** Reads one row in the same way, followed by its state, without a lock. */
export function compileSeen(type: EntityType, key: readonly KeyCondition[]): Statement {
  return keptStatement(seen, { of: type, shape: shapeOf(key), binds: key.map(({ value }) => value) }, () => {
    const builder = new StatementBuilder();
    return { ...builder.locklessStatement(compileWhole(type, key, [stateColumn], builder)), unfiltered: true };
  });
}

const seen: KeptStatements = new WeakMap();

/** The transaction that wrote the row: while it is the same, the row is unchanged. */
export const stateColumn = 'xmin';

function shapeOf(key: readonly KeyCondition[]): string {
  return key.map(({ column, sqlType }) => `${column} ${sqlType}`).join(', ');
}

function compileWhole(type: EntityType, key: readonly KeyCondition[], more: readonly string[], builder: StatementBuilder): string {
  const columns = new Set(
    Object.entries(type.fields)
      .toSorted(([, a], [, b]) => Number(a.more ?? false) - Number(b.more ?? false))
      .map(([name]) => quote(columnOf(type, name))),
  );
  const open = type.open ? [quote(openColumn)] : [];
  return `select "#id", "#version", ${[clock, ...columns, ...open, ...more].join(', ')} from ${quote(type.table)} where ${compileKey(key, builder)}`;
}

/** Reserves a missing key: concurrent creates wait until the transaction ends. */
export function compileMissing({ table }: EntityType, key: readonly KeyCondition[]): Statement {
  const builder = new StatementBuilder();
  const place = JSON.stringify([table, ...key.map(({ column, value }) => [column, value])]);
  return builder.unfilteredStatement(`select pg_advisory_xact_lock(hashtextextended(${builder.bind(place, 'text')}, 0))`);
}

/** Locks one row of a table that several types share, and reads its type. */
export function compileLockType(type: EntityType, key: readonly KeyCondition[], lockFor: LockFor): Statement {
  const builder = new StatementBuilder();
  return builder.unfilteredStatement(`select "#type" from ${quote(type.table)} where ${compileKey(key, builder)} ${strengths[lockFor]}`);
}

/**
 * Locks rows of one table, ordered by `#id`: for a change, or for deletion, so that no references to them are added until
 * the transaction ends. PostgreSQL keeps a plan for one row, but plans a list of ids each time.
 */
export function compileLockAll({ table }: EntityType, ids: readonly string[], strength: 'no key update' | 'update'): Statement {
  const builder = new StatementBuilder();
  const [id = '', ...others] = ids;
  const rows = others.length === 0 ? `= ${builder.bind(id, 'bigint')}` : `= any(${builder.bind(ids, 'bigint[]')}) order by "#id"`;
  return builder.unfilteredStatement(`select from ${quote(table)} where "#id" ${rows} for ${strength}`);
}

/** The time in milliseconds for which the client of this transaction may be idle. */
export function compileIdleLimit(milliseconds: number): Statement {
  const builder = new StatementBuilder();
  return builder.unfilteredStatement(
    `select set_config('idle_in_transaction_session_timeout', ${builder.bind(String(milliseconds), 'text')}, true)`,
  );
}
