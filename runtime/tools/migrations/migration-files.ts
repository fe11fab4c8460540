import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A migration: a file of SQL statements. */
export interface MigrationFile {
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
}

/** The error for a folder without migrations: a wrong folder, or nothing was generated yet. */
class NoMigrationsError extends Error {
  override readonly name = 'NoMigrationsError';
  readonly exitCode = 2;
}

/** The migrations of a folder, ordered by name. */
export async function readMigrationFiles(folder: string): Promise<readonly MigrationFile[]> {
  const present = await namesIn(folder);
  const names = present.filter((name) => name.endsWith('.sql')).sort();
  if (names.length === 0 && !present.includes('schema.json'))
    throw new NoMigrationsError(`${folder} has no migrations; gable generate writes them to generated/migrations.`);
  return Promise.all(names.map((name) => readMigrationFile(folder, name)));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw failure;
    throw new NoMigrationsError(
      `${folder} ${code === 'ENOENT' ? 'does not exist' : 'is not a folder'}; gable generate writes migrations to generated/migrations.`,
    );
  }
}

async function readMigrationFile(folder: string, name: string): Promise<MigrationFile> {
  // Git may convert line ends on Windows; they must not change the hash.
  const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
  return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
}
