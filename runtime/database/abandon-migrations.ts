import type { Sequelize } from 'sequelize';
import { lockMigrations, withOwnConnection } from './migrate.js';
import { readMigrationFiles } from './migration-files.js';
import { createRecords, forgetSteps, readRecords } from './migration-record.js';

/** Forgets the migrations that were begun and that the folder does not have any more, and names them; what their steps did stays. */
export async function abandonMigrations(sequelize: Sequelize, folder: string, onWait?: () => void): Promise<readonly string[]> {
  const present = new Set((await readMigrationFiles(folder)).map(({ name }) => name));
  return withOwnConnection(sequelize, async (client) => {
    await lockMigrations(client, onWait);
    await createRecords(client);
    const given = [...(await readRecords(client)).values()].filter(({ name, appliedAt }) => appliedAt === undefined && !present.has(name)).map(({ name }) => name);
    for (const name of given) await forgetSteps(client, name);
    return given;
  });
}
