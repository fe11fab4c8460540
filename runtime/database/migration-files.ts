import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** One migration: a file of SQL statements. */
export interface MigrationFile {
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
}

/** The migrations of a folder in the order of their names. */
export async function readMigrationFiles(folder: string): Promise<readonly MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map((name) => readMigrationFile(folder, name)));
}

async function readMigrationFile(folder: string, name: string): Promise<MigrationFile> {
  // Git may give a file other line ends on Windows; that does not change what it does.
  const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
  return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
}
