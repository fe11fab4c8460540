/** Name of the table of request counts. */
export const limitTableName = 'gable_limit';

/** Requests per key in its current window; unlogged, since a crash may forget them. */
export const limitTable = `CREATE UNLOGGED TABLE IF NOT EXISTS ${limitTableName} (
  key text PRIMARY KEY,
  hits integer NOT NULL,
  ends_at timestamptz NOT NULL
)`;
