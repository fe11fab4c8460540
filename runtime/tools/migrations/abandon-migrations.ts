import type { Sequelize } from 'sequelize';
import { lockMigrations, withOwnConnection } from './migrate.js';
import { readMigrationFiles } from './migration-files.js';
import { createRecords, forgetSteps, readRecords, type MigrationRecord } from './migration-record.js';

/** The error for a migration that must not be forgotten: it may belong to a newer model. */
export class AbandonedMigrationError extends Error {
  override readonly name = 'AbandonedMigrationError';
  readonly exitCode = 2;
}

/**
 * Forgets a migration that was begun and is no longer in the folder; its completed steps stay. The name is required,
 * since a folder older than the database lacks migrations, too.
 */
export async function abandonMigration(
  sequelize: Sequelize,
  folder: string,
  name: string | undefined,
  onWait?: () => void,
): Promise<string> {
  const present = new Set((await readMigrationFiles(folder)).map((file) => file.name));
  return withOwnConnection(sequelize, async (client) => {
    await lockMigrations(client, onWait);
    await createRecords(client);
    const strangers = [...(await readRecords(client)).values()].filter((record) => !present.has(record.name));
    const given = givenUp(strangers, name);
    await forgetSteps(client, given);
    return given;
  });
}

function givenUp(strangers: readonly MigrationRecord[], name: string | undefined): string {
  const begun = strangers.filter(({ appliedAt }) => appliedAt === undefined).map((record) => record.name);
  const newer = strangers.filter(({ appliedAt }) => appliedAt !== undefined).map((record) => record.name);
  const [first] = begun;
  if (first === undefined)
    throw new AbandonedMigrationError(
      'There is nothing to abandon: first restore the model and generated/ as they were before the migration, then abandon it.',
    );
  if (newer.length > 0)
    throw new AbandonedMigrationError(
      `The database has ${newer.join(', ')}, which this folder lacks: the folder is older than the database, and ${begun.join(', ')} may be in progress. Abandon it with the generated/ folder from directly before it.`,
    );
  if (name === undefined)
    throw new AbandonedMigrationError(
      `${begun.join(', ')} is started in the database but not in this folder. To give it up, run: gable migrate abandon ${first}. If this folder is older than the one that started it, leave it.`,
    );
  if (!begun.includes(name))
    throw new AbandonedMigrationError(
      `${name} is not started in the database, or is in this folder; ${begun.join(', ')} can be abandoned.`,
    );
  return name;
}
