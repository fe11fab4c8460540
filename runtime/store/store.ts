import type { Recipient } from '../database/cancel.js';
import { withoutEnd, type Connection, type Statement } from '../sql/statement.js';
import type { KnownRecords } from './known-records.js';
import type { NumberSupply, ServerClock } from './number-supply.js';

/** The port for statements, which `main` connects to the database and tests may replace by a failing one. */
export interface Store {
  /** Runs reads on one pooled connection; they are cancelled when the recipient disconnects. */
  readonly read: <Result>(work: (connection: Connection) => Promise<Result>, recipient: Recipient, sharing?: Sharing) => Promise<Result>;
  /** Runs writes in one transaction. It does not start for a disconnected recipient. */
  readonly transaction: <Result>(work: (connection: Connection) => Promise<Result>, recipient: Recipient) => Promise<Result>;
  /** Whether its statements may read views: tables of the model that are computed from others. */
  readonly hasViews?: true;
  /** Present where a write may be one statement: no row filters apply. */
  readonly singleWrites?: SingleWrites;
}

/** The mark of a read whose rows by `each` are few and quickly found, so that its statement may share a packet with others. */
export type Sharing = 'shared';

/** The cached facts that let a write skip reads. */
export interface SingleWrites {
  readonly numbers: NumberSupply;
  readonly clock: ServerClock;
  readonly known: KnownRecords;
}

/** The refusal of a single statement in a group of writes, which then has to be repeated in steps. */
export class SingleWriteRefused extends Error {}

/** A store within the transaction of a connection. */
export function storeOn(connection: Connection): Store {
  const within = withoutEnd(connection);
  return { read: (work) => work(within), transaction: (work) => work(within) };
}

/** A change of statements before they run. */
type MapStatement = (statement: Statement) => Statement;

/** A store that maps each statement before it runs. */
export function mappedStore({ read, transaction }: Store, map: MapStatement): Store {
  return {
    read: (work, recipient) => read((connection) => work(mappedWhole(connection, map)), recipient),
    transaction: (work, recipient) => transaction((connection) => work(mappedWhole(connection, map)), recipient),
  };
}

function mappedWhole(connection: Connection, map: MapStatement): Connection {
  const { rowFilters } = connection;
  return { ...(rowFilters && { rowFilters }), ...mappedConnection(connection, map) };
}

/** A connection that maps each statement before it runs, without row filters. */
export function mappedConnection(connection: Connection, map: MapStatement): Omit<Connection, 'rowFilters'> {
  const { run, ahead, each, defer, finish, together, later, models } = connection;
  return {
    run: (statement) => run(map(statement)),
    ahead: (statement) => ahead(map(statement)),
    each: (statement, onRow) => each(map(statement), onRow),
    defer: (statement, refusal) => defer(map(statement), refusal),
    ...(finish && { finish: (statement, onRow) => finish(map(statement), onRow) }),
    ...(together && { together: (pieces) => together(pieces.map((piece) => ({ ...piece, statement: map(piece.statement) }))) }),
    ...(later && { later: (statement, onRow) => later(map(statement), onRow) }),
    ...(models && { models }),
  };
}
