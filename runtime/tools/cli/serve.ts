import cluster from 'node:cluster';
import { ConfigError, readConfig, type Config } from '../../config/config.js';
import { openWhenUp, type Database } from '../embedded/open.js';
import { blockingMigrations } from '../migrations/migrate.js';
import { missingTables, readStrangers } from '../migrations/migration-status.js';
import { migrationsFolder, type ServedModel } from '../../config/served-model.js';
import { hookTableName } from '../../features/webhooks/hook-row.js';
import { limitTableName } from '../../features/shared-limits/limit-table.js';
import { clientTableName } from '../../identity/client-store.js';
import { serve } from '../../main.js';
import { createLogger } from '../operation/logger.js';
import { namingRights, noTables } from './missing-right.js';
import { modelHere, requireProject } from './project.js';
import { untilSignal } from './until-signal.js';
import { reportServing, superviseWorkers } from './workers.js';
import { flag, readOptions, text } from './read-arguments.js';
import type { ConnectionPool } from '../../database/pool.js';
import { runStatement, withClient } from '../../database/run.js';
import { changeTable, type EntityContainer, type EntityType } from '../../edm/index.js';

/** The help text of `gable serve`. */
export const help = `gable serve: starts the service on the configured database, whose schema must be current (gable migrate).

Usage: gable serve [--port PORT] [--workers N] [--json]

  --port PORT    port to listen on
  --workers N    number of processes; they share the port and the database, and are replaced when they end
  --json         print one JSON line instead of text when it serves: the address and the number of processes

Run it in the folder of a project, with gable.config.* or generated/, or of the package itself.
It waits for the database to start (GABLE_START_TIMEOUT).
Settings come from the environment and gable.json; SETTINGS.md lists them, and gable config prints them.
On SIGTERM, SIGINT or SIGHUP it accepts no further requests, finishes the running ones and exits; a second signal exits
immediately.

Exit codes: 0 normal exit, 1 internal error, or the database is not ready, 2 bad input

Examples:
  gable serve
  DATABASE_URL=postgres://user@host/listings PORT=8080 gable serve --workers 4
`;

/** Serves until SIGINT, SIGTERM or SIGHUP. */
export async function run(args: readonly string[]): Promise<number> {
  const { port, workers, json } = readOptions(args, { port: text, workers: text, json: flag });
  requireProject('gable serve');
  const config = readConfig({
    ...process.env,
    ...(port !== undefined && { PORT: port }),
    ...(workers !== undefined && { GABLE_WORKERS: workers }),
  });
  const logger = createLogger(config.logLevel);
  const announce = (url: string): unknown =>
    process.stdout.write(json ? `${JSON.stringify({ url: `${url}/odata`, workers: config.workers })}\n` : `Gable serves ${url}/odata\n`);
  if (config.workers > 1 && cluster.isPrimary) return superviseWorkers(config.workers, logger, announce);
  const model = await modelHere();
  const database = await openWhenUp({ ...config, onPrimary: (sentence) => logger.warn(sentence) });
  // Workers find the same; the first one reports it.
  const isFirst = (cluster.worker?.id ?? 1) === 1;
  if (isFirst) warnOfServer(database, config);
  const folder = migrationsFolder(model.generated);
  await namingRights(database, 'gable serve', async () => {
    await requireCurrent(database, folder);
    if (isFirst) await warnOfDatabase(database, model, config);
  });
  const service = await serve(config, database.pool, { model });
  // The process may be stopped as soon as it reports that it serves.
  const ended = untilSignal();
  if (cluster.isWorker) reportServing(service.url);
  else announce(service.url);
  await ended;
  const { drainDelay, drainTimeout } = config;
  logger.info({ drainDelay, drainTimeout }, 'draining');
  await service.stop(config);
  await database.stop();
  letProcessEnd();
  return 0;
}

// A worker's channel to the primary would keep the process alive, as would the handler of an operation that does not end.
function letProcessEnd(): void {
  if (cluster.isWorker) process.disconnect();
  setTimeout(() => process.exit(), 1_000).unref();
}

/** Logs the restrictions of the database's server and of a pooler in front of it. */
export function warnOfServer({ reached }: Database, { readOnly, logLevel }: Config): void {
  const faults = [...reached.poolerFaults, ...(reached.isReadOnly && !readOnly ? [noChanges] : [])];
  for (const fault of faults) createLogger(logLevel).warn(fault);
}

const noChanges =
  'The database accepts no changes: it is a standby, or set to be read-only. Until it does, /health/ready answers 503 and writes fail; for a service that only reads, set GABLE_READ_ONLY=true.';

/** Logs that the database was migrated for a newer release. */
export async function warnOfNewer({ pool }: Database, folder: string, { logLevel }: Config): Promise<void> {
  const { strangers } = await readStrangers(pool, folder);
  const names = strangers.join(', ');
  if (names !== '')
    createLogger(logLevel).warn(
      `The database has ${names}, which this release does not have: it was migrated for a newer one, and requests may fail. Start the newer release.`,
    );
}

async function warnOfDatabase(database: Database, { container, generated }: ServedModel, config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  await warnOfNewer(database, migrationsFolder(generated), config);
  for (const sentence of await missingRights(database.pool, container, config.readOnly)) logger.warn(sentence);
}

// Several processes may serve one database; only a deployment changes its schema.
async function requireCurrent({ pool }: Database, folder: string): Promise<void> {
  const pending = [
    ...(await blockingMigrations(pool, folder)),
    ...(await missingTables(pool, [clientTableName, hookTableName, limitTableName])),
  ];
  if (pending.length === 0) return;
  const { isEmpty } = await readStrangers(pool, folder);
  throw new ConfigError(isEmpty ? noTables : `The database lacks ${pending.join(', ')}; run gable migrate first.`);
}

/** The right that each operation of a route needs on the table. */
const rights: { readonly [operation: string]: string } = {
  createEntity: 'INSERT',
  updateEntity: 'UPDATE',
  replaceEntity: 'UPDATE',
  deleteEntity: 'DELETE',
};

/** Sentences about the sets whose reads or writes would fail, since the role lacks a right on their tables. */
async function missingRights(pool: ConnectionPool, container: EntityContainer, readOnly: boolean): Promise<readonly string[]> {
  const types = Object.values(container.entityTypes);
  const reads = await lacking(pool, types.flatMap(readRight));
  const writes = readOnly ? undefined : await lacking(pool, types.flatMap(writeRights));
  return [
    ...(reads ? [`The role ${reads.role} may not read ${reads.sets}: requests that do will fail. Grant it SELECT on all tables.`] : []),
    ...(writes
      ? [
          `The role ${writes.role} lacks rights to change rows of ${writes.sets}: writes of them will fail. Grant it SELECT, INSERT, UPDATE and DELETE on all tables; for a service that only reads, set GABLE_READ_ONLY=true.`,
        ]
      : []),
  ];
}

interface WantedRight {
  readonly set: string;
  readonly table: string;
  readonly right: string;
}

function readRight({ entitySet, singleton, table }: EntityType): readonly WantedRight[] {
  const set = entitySet ?? singleton;
  return set === undefined ? [] : [{ set, table, right: 'SELECT' }];
}

function writeRights({ entitySet, singleton, table, routes, tracking }: EntityType): readonly WantedRight[] {
  const set = entitySet ?? singleton;
  if (set === undefined) return [];
  const own = routes.flatMap(({ operation }) => rights[operation] ?? []);
  const log = tracking && own.length > 0 ? [{ set, table: changeTable, right: 'INSERT' }] : [];
  return [...own.map((right) => ({ set, table, right })), ...log];
}

async function lacking(
  pool: ConnectionPool,
  wanted: readonly WantedRight[],
): Promise<{ readonly role: string; readonly sets: string } | undefined> {
  const rows = await withClient(pool, (client) => runStatement(client, { text: question, bind: [JSON.stringify(wanted)] }));
  const [role, sets] = rows[0] ?? [];
  return role && sets ? { role, sets } : undefined;
}

// A table that is missing is reported by the check of the migrations.
const question = `select current_user, (select string_agg(distinct "set", ', ' order by "set")
  from json_to_recordset($1) as wanted("set" text, "table" text, "right" text)
  where not has_table_privilege(to_regclass(quote_ident("table")), "right"))`;
