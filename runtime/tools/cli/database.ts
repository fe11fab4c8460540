import { type Config, ConfigError, configToMigrate, readConfig } from '../../config/config.js';
import { connectionTarget } from '../../database/address.js';
import { missingDefaults } from '../embedded/reached-server.js';
import { withConnection } from '../../database/run.js';
import { type Database, openWhenUp, requireWritable, withDatabase } from '../embedded/open.js';
import { flag, readArguments } from './read-arguments.js';

/** The help text of `gable database`. */
export const help = `gable database: prepares the database's role for a connection pooler in transaction mode.

Usage: gable database prepare [--json]

  prepare  makes the time limits and formats of the service's sessions defaults of the role in the database, so that no
           transaction need set them. A role may do so for itself; it lists what it has set

  --json   print one JSON object instead of text

The database is that of GABLE_MIGRATE_URL, or else of DATABASE_URL. With both, their role must be the same.
Renew the pooler's server connections afterwards (RECONNECT in PgBouncer), and start gable serve again.

Exit codes: 0 done, or nothing to do, 1 internal error, 2 bad input

Examples:
  DATABASE_URL=postgres://gable@pooler:6432/listings gable database prepare
`;

/** Runs the command on the configured database. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { json: flag });
  if (positionals.length !== 1 || positionals[0] !== 'prepare') throw new ConfigError('The only action of gable database is prepare.');
  const config = readConfig(process.env);
  return withDatabase(openWhenUp(configToMigrate(config)), async (database) => {
    requireWritable(database, 'gable database prepare');
    await requireRoleOfService(database, config);
    const missing = await missingDefaults(database.pool);
    for (const { command } of missing) await withConnection(database.pool, ({ run: set }) => set({ text: command, bind: [] }));
    const set = missing.map(({ name, value }) => ({ name, value }));
    process.stdout.write(values.json ? `${JSON.stringify({ set })}\n` : printed(missing));
    return 0;
  });
}

// The owner of the tables may be another role, which must keep its own time limits. A pooler may map the roles of addresses.
async function requireRoleOfService(database: Database, config: Config): Promise<void> {
  const { databaseUrl, migrateUrl } = config;
  if (databaseUrl === undefined || migrateUrl === undefined) return;
  if (connectionTarget(databaseUrl).client.user === connectionTarget(migrateUrl).client.user) return;
  const [prepared, served] = [await roleOf(database), await withDatabase(openWhenUp(config), roleOf)];
  if (prepared !== served)
    throw new ConfigError(
      `GABLE_MIGRATE_URL: its role is ${prepared}, but the service has the role ${served} of DATABASE_URL; run gable database prepare without GABLE_MIGRATE_URL, or with one that has the role ${served}.`,
    );
}

async function roleOf({ pool }: Database): Promise<string> {
  const [row] = await withConnection(pool, ({ run: ask }) => ask({ text: 'select session_user', bind: [] }));
  return row?.[0] ?? '';
}

function printed(missing: Awaited<ReturnType<typeof missingDefaults>>): string {
  if (missing.length === 0) return 'The role has all defaults that the service needs.\n';
  const lines = missing.map(({ command }) => `${command}\n`).join('');
  return `${lines}Renew the server connections of the pooler (RECONNECT in PgBouncer), and start gable serve again.\n`;
}
