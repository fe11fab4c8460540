import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withCode } from '../../errors/migration-codes.js';
import { ConfigError } from '../../config/config.js';

/** A migration: a file of SQL statements. */
export interface MigrationFile {
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
}

/** The migrations of a folder, ordered by name. */
export async function readMigrationFiles(folder: string): Promise<readonly MigrationFile[]> {
  const present = await namesIn(folder);
  const names = present.filter((name) => name.endsWith('.sql')).sort();
  if (names.length === 0 && !present.includes('schema.json'))
    throw noMigrations(`${folder} has no migrations; gable generate writes them to generated/migrations.`);
  return Promise.all(names.map((name) => readMigrationFile(folder, name)));
}

// A wrong folder, or nothing was generated yet.
function noMigrations(message: string): ConfigError {
  return new ConfigError(withCode('noMigrations', message));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw failure;
    throw noMigrations(
      `${folder} ${code === 'ENOENT' ? 'does not exist' : 'is not a folder'}; gable generate writes migrations to generated/migrations.`,
    );
  }
}

async function readMigrationFile(folder: string, name: string): Promise<MigrationFile> {
  // Git may convert line ends on Windows; they must not change the hash.
  const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
  return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
}

/** The phases of a migration: services of both models work after the first two, only the new one after the last. */
export const phases = ['expand', 'backfill', 'contract'] as const;

/** A phase of a migration. */
export type Phase = (typeof phases)[number];

/** A step of a migration, executed as a whole; a file without steps is one transaction. */
export interface MigrationStep {
  readonly number: number;
  readonly phase: Phase | undefined;
  readonly manner: 'in one transaction' | 'in batches' | 'outside of a transaction';
  /** The quoted table that is processed in batches. */
  readonly table: string | undefined;
  readonly costs: string;
  readonly text: string;
  /** The line of the file at which the text begins, from 1. */
  readonly line: number;
}

/** The steps of a file: `-- step 1 expand, in one transaction: costs`, each followed by its statements. */
export function stepsOf({ text }: MigrationFile): readonly MigrationStep[] {
  const heads = [
    ...text.matchAll(
      /^-- step (\d+) (expand|backfill|contract), (in one transaction|in batches over ("(?:[^"]|"")+")|outside of a transaction): (.*)$/gm,
    ),
  ];
  if (heads.length === 0)
    return [{ number: 1, phase: undefined, manner: 'in one transaction', table: undefined, costs: '', text, line: 1 }];
  return heads.map((head, index) => {
    const [first, number, phase, manner = '', table, costs = ''] = head;
    const start = head.index + first.length + 1;
    return {
      number: Number(number),
      phase: phase as Phase,
      manner: table !== undefined ? 'in batches' : (manner as Exclude<MigrationStep['manner'], 'in batches'>),
      table,
      costs,
      text: text.slice(start, heads[index + 1]?.index ?? text.length),
      line: text.slice(0, start).split('\n').length,
    };
  });
}

/** The statements of a step outside of transactions, which the server runs one at a time; each ends a line. */
export function statementsOf({ text }: MigrationStep): readonly string[] {
  return text
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '' && !/^(?:--[^\n]*\s*)+$/.test(statement));
}
