/** A value that travels beside the SQL text, always in the database's text form. */
export type Bind = string | null | readonly (string | null)[];

/** One SQL statement: text made of model names only, and the values apart. */
export interface Statement {
  readonly text: string;
  readonly bind: readonly Bind[];
  /** Set when the statement's plan does not depend on its values, so that it may be prepared once. */
  readonly name?: string;
}

/** A row as it came over the wire: one text or null a column. */
export type Row = readonly (string | null)[];

/** What runs statements: a pooled connection, or one inside a transaction. */
export interface Connection {
  readonly run: (statement: Statement) => Promise<readonly Row[]>;
}
