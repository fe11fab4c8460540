import type { Models } from '../edm/extension.js';
import type { RowFilters } from '../plan/row-filter.js';

/** A value sent separately from the SQL text, in the database's text form. */
export type Bind = string | null | readonly (string | null)[];

/** An SQL statement: text that contains only names of the model, and separate values. */
export interface Statement {
  readonly text: string;
  readonly bind: readonly Bind[];
  /** The binds that come from literals, and differ when a kept plan is used again. */
  readonly parameters?: readonly Parameter[] | undefined;
  /** Whether the best plan does not depend on the values, so that the database may prepare it once. */
  readonly reusable?: true | undefined;
  /** Whether the text was sent before with other values: it is parsed once, but planned for its values. */
  readonly repeated?: true | undefined;
  /** Whether row filters do not apply: a write, or a lock on rows seen before. */
  readonly unfiltered?: true | undefined;
  /** Whether it neither changes nor locks anything, so that it needs no transaction. */
  readonly lockless?: true | undefined;
  /** Whether it is a command without a plan, which an aborted transaction may still accept. */
  readonly unplanned?: true | undefined;
  /** Whether it has so many rows that its client's pace must not count as the statement's time. */
  readonly unhurried?: true | undefined;
}

/** A bind that a literal of the request determines: its position, the literal's parameter, and its conversion. */
export interface Parameter {
  readonly at: number;
  readonly parameter: number;
  readonly bound: (text: string) => Bind;
}

/** A row as received: one text or null per column. */
export type Row = readonly (string | null)[];

/** Runs statements: a pooled connection, or one in a transaction. */
export interface Connection {
  readonly rowFilters?: RowFilters;
  readonly run: (statement: Statement) => Promise<readonly Row[]>;
  /** Queues a statement whose rows are needed later. In a transaction it is sent with the next one, otherwise when its rows are read. */
  readonly ahead: (statement: Statement) => AskedRows;
  /** Passes each row to `onRow` as it arrives, without decoding its cells. */
  readonly each: (statement: Statement, onRow: OnRow) => Promise<void>;
  /**
   * Runs a statement without rows. In a transaction it may be sent with the next statement or the commit, which then
   * throw its failure; `refusal` may convert it to an error of the catalogue.
   */
  readonly defer: (statement: Statement, refusal?: Refusal) => Promise<void>;
  /** `each` for the last statement of a transaction, which commits in the same packet; absent where there is none to end. */
  readonly finish?: (statement: Statement, onRow: OnRow) => Promise<void>;
  /** Runs statements in one packet, in their order; in a transaction only. */
  readonly together?: (pieces: readonly Piece[]) => Promise<void>;
  /** Queues a write of several that are sent together, and awaits its rows; only in a group of writes. */
  readonly later?: (statement: Statement, onRow: Piece['onRow']) => Promise<void>;
  /** The Sequelize models, bound to the connection; in a transaction their statements are part of it. */
  readonly models?: (inTurn: InTurn) => Models;
}

/** A statement of a packet, and what takes its rows. */
export interface Piece {
  readonly statement: Statement;
  readonly onRow: (row: RowBytes) => void;
  /** Called when it has run, and before later ones have. */
  readonly onEnd?: () => void;
}

/** Runs a unit of work after those before it. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Awaits the rows of a queued statement. */
export type AskedRows = () => Promise<readonly Row[]>;

/** Converts a database failure for the caller; returns other failures unchanged. */
export type Refusal = (failure: unknown) => unknown;

/** A connection for a part of other work: its failures are separate, and it does not end the transaction. */
export function withoutEnd({ run, each, rowFilters, models }: Pick<Connection, 'run' | 'each' | 'rowFilters' | 'models'>): Connection {
  return {
    run,
    ahead: (statement) => () => run(statement),
    each,
    defer: (statement, refusal) => runNow(run(statement), refusal),
    ...(rowFilters && { rowFilters }),
    ...(models && { models }),
  };
}

async function runNow(done: Promise<unknown>, refusal: Refusal | undefined): Promise<void> {
  try {
    await done;
  } catch (failure) {
    throw refusal ? refusal(failure) : failure;
  }
}

/** Takes a row; a returned promise pauses the reading from the database until it is settled. */
export type OnRow = (row: RowBytes) => Promise<void> | void;

/** A row as bytes: cell `i` is from `starts[i]` to `ends[i]`, null where the start is -1. The object is reused for the next row. */
export interface RowBytes {
  readonly bytes: Buffer;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** The text of one cell. */
export function cellText({ bytes, starts, ends }: RowBytes, index: number): string | null {
  const start = starts[index] ?? -1;
  return start < 0 ? null : bytes.toString('utf8', start, ends[index]);
}

/** Collects rows as texts. */
export function textsInto(rows: Row[]): (row: RowBytes) => undefined {
  return (row) => {
    const texts: (string | null)[] = [];
    for (let index = 0; index < row.starts.length; index++) texts.push(cellText(row, index));
    rows.push(texts);
  };
}
