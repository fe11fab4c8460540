import type { Sight } from '../plan/sight.js';

/** A value that travels beside the SQL text, always in the database's text form. */
export type Bind = string | null | readonly (string | null)[];

/** One SQL statement: text made of model names only, and the values apart. */
export interface Statement {
  readonly text: string;
  readonly bind: readonly Bind[];
  /** Which of the values come from literals that may be others the next time. */
  readonly parameters?: readonly Parameter[] | undefined;
  /** Set when the best plan does not depend on the values, so that the database may prepare it once. */
  readonly reusable?: true | undefined;
  /** Set when its text has been sent before, with other values: it is worth parsing once, and is planned for its values. */
  readonly repeated?: true | undefined;
  /** Set when the tables themselves are meant, whatever of them the caller may see: a write, or a lock on what was seen before. */
  readonly whole?: true | undefined;
  /** Set when it neither changes nor locks anything, so that a transaction need not have begun for it. */
  readonly lockless?: true | undefined;
  /** Set when the rows are so many that their reader's pace must not count as the statement's own time. */
  readonly unhurried?: true | undefined;
}

/** A bind that a literal of the request determines: its position, the literal's parameter, and its conversion. */
export interface Parameter {
  readonly at: number;
  readonly parameter: number;
  readonly bound: (text: string) => Bind;
}

/** A row as it came over the wire: one text or null a column. */
export type Row = readonly (string | null)[];

/** What runs statements: a pooled connection, or one inside a transaction. */
export interface Connection {
  /** Set where whoever asks may see only some of the records. */
  readonly sight?: Sight;
  readonly run: (statement: Statement) => Promise<readonly Row[]>;
  /** A statement whose rows are asked for later, once what was run meanwhile is answered. In a transaction it goes out with the next one, and alone only where there was none. */
  readonly ahead: (statement: Statement) => AskedRows;
  /** Gives each row to `onRow` as it arrives, without making text of its cells. */
  readonly each: (statement: Statement, onRow: OnRow) => Promise<void>;
  /**
   * A statement whose rows nobody needs. In a transaction it may go out with the next one, or with the end, and what it
   * fails with is thrown then; `refusal` may make an error of the catalogue of it.
   */
  readonly defer: (statement: Statement, refusal?: Refusal) => Promise<void>;
  /** `each` for the last statement of a transaction, which it ends in the same packet; absent where there is none to end. */
  readonly finish?: (statement: Statement, onRow: OnRow) => Promise<void>;
}

/** Gives the rows of a statement that was asked ahead. */
export type AskedRows = () => Promise<readonly Row[]>;

/** What a failure of the database means to whoever asked for the statement; others stay as they are. */
export type Refusal = (failure: unknown) => unknown;

/** A connection for work that is a part of other work: its failures are its own, and the other work ends the transaction. */
export function withoutEnd({ run, each, sight }: Pick<Connection, 'run' | 'each' | 'sight'>): Connection {
  return {
    ...(sight && { sight }),
    run,
    ahead: (statement) => () => run(statement),
    each,
    defer: (statement, refusal) => runNow(run(statement), refusal),
  };
}

async function runNow(done: Promise<unknown>, refusal: Refusal | undefined): Promise<void> {
  try {
    await done;
  } catch (failure) {
    throw refusal ? refusal(failure) : failure;
  }
}

/** Takes a row; where it returns a promise, no more bytes are read from the database until that is settled. */
export type OnRow = (row: RowBytes) => Promise<void> | void;

/**
 * A row as bytes: cell `i` lies in `bytes` from `starts[i]` to `ends[i]`, and `starts[i]` is -1 for null.
 * The object is used again for the next row, so nothing of it may be kept.
 */
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
