import type { Sight } from '../plan/sight.js';

/** A value that travels beside the SQL text, always in the database's text form. */
export type Bind = string | null | readonly (string | null)[];

/** One SQL statement: text made of model names only, and the values apart. */
export interface Statement {
  readonly text: string;
  readonly bind: readonly Bind[];
  /** Which of the values come from literals that may be others the next time. */
  readonly parameters?: readonly Parameter[];
  /** Set when the best plan does not depend on the values, so that the database may prepare it once. */
  readonly reusable?: true;
  /** Set when its text has been sent before, with other values: it is worth parsing once, and is planned for its values. */
  readonly repeated?: true;
  /** Set when the tables themselves are meant, whatever of them the caller may see: a write, or a lock on what was seen before. */
  readonly whole?: true;
  /** Set when the rows are so many that their reader's pace must not count as the statement's own time. */
  readonly unhurried?: true;
}

/** A value that a literal of the request gives: its place among the binds, the literal's slot, and what is made of its text. */
export interface Parameter {
  readonly at: number;
  readonly slot: number;
  readonly bound: (text: string) => Bind;
}

/** A row as it came over the wire: one text or null a column. */
export type Row = readonly (string | null)[];

/** What runs statements: a pooled connection, or one inside a transaction. */
export interface Connection {
  /** Set where whoever asks may see only some of the records. */
  readonly sight?: Sight;
  readonly run: (statement: Statement) => Promise<readonly Row[]>;
  /** Gives each row to `onRow` as it arrives, without making text of its cells. */
  readonly each: (statement: Statement, onRow: OnRow) => Promise<void>;
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
