import { ConfigError } from '../../config/config.js';
import { isForbidden, isTableMissing } from '../../database/failures.js';
import { runStatement, withClient } from '../../database/run.js';
import type { Database } from '../embedded/open.js';

/** The rights that commands need, by the kind of object that PostgreSQL names. */
const toWrite = { schema: 'USAGE', table: 'SELECT, INSERT, UPDATE and DELETE', sequence: 'USAGE and SELECT' } as const;
const toChangeTheSchema = { schema: 'USAGE and CREATE', table: 'ownership', sequence: 'ownership' } as const;
const needed = {
  'gable serve': toWrite,
  'gable client': toWrite,
  'gable hook': toWrite,
  'gable migrate': toChangeTheSchema,
  'gable seed': toChangeTheSchema,
  'gable start': toChangeTheSchema,
} as const;

class MissingRightError extends Error {
  override readonly name = 'MissingRightError';
  readonly exitCode = 1;
}

/** The fault of a database that was not migrated. */
export const noTables = 'The database has no tables of this service yet; run gable migrate first.';

/** Runs the work of a command; a right or a table that it lacks in the database is reported in a sentence. */
export async function namingRights<T>({ pool }: Database, command: keyof typeof needed, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    // A migration that misses a table is at fault itself.
    if (needed[command] === toWrite && isTableMissing(cause)) throw new ConfigError(noTables);
    if (!isForbidden(cause)) throw cause;
    const [row] = await withClient(pool, (client) => runStatement(client, { text: 'SELECT current_user', bind: [] }));
    const { message } = cause as Error;
    throw new MissingRightError(`The role ${row?.[0]} lacks a right: ${message}${rightOn(message, command)}.`, { cause });
  }
}

// As in "permission denied for table listing" and "must be owner of table listing".
function rightOn(message: string, command: keyof typeof needed): string {
  const [, kind] = /\b(schema|table|sequence) \S+$/.exec(message) ?? [];
  return kind === undefined ? '' : `, on which ${command} needs ${needed[command][kind as keyof (typeof needed)[typeof command]]}`;
}
