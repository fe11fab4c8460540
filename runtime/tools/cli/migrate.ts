import { ConfigError, configToMigrate, readConfig } from '../../config/config.js';
import { type Phase, phases, readMigrationFiles } from '../migrations/migration-files.js';
import { openWhenUp, requireWritable, withDatabase, type Database } from '../embedded/open.js';
import { migrationsFolder } from '../../config/served-model.js';
import { namingRights } from './missing-right.js';
import { generatedHere, requireProject } from './project.js';
import { unknownAction } from './usage.js';
import { abandonBegun, applyPending, planPending, showStatus, verifyDatabase, type Ways } from './migrate-ways.js';
import { flag, readArguments, text } from './read-arguments.js';

/** The help text of `gable migrate`. */
export const help = `gable migrate: applies the migrations in generated/migrations to the database.

Usage: gable migrate [plan | apply | status | verify | abandon NAME] [--until PHASE] [--migrations DIR] [--json]

  plan     prints each step of apply with its locks, table rewrites and rows; changes nothing
  apply    applies the migrations; the default. An interrupted run resumes after its last completed step
  status   lists applied and pending migrations
  verify   compares the database with the expected schema, and lists every difference
  abandon  forgets a started migration whose file is gone, and lists what it left in the database;
           without NAME, or if the folder is older than the database, it only lists such migrations

  --until PHASE      stop after expand or backfill, when services of both models work; apply again for the rest
  --migrations DIR   the folder of migrations; default: that of the project in the current folder
  --json             print one JSON object instead of text

The database is that of GABLE_MIGRATE_URL, or else of DATABASE_URL; a connection pooler in transaction mode is refused.
gable generate writes migrations when the model changes.
Changes of data by a migration are not in the change log, and delta links of the earlier model are outdated afterwards.
If existing rows prevent a step, correct them and apply again. To give up the migration instead, restore the former model
and generated/ (git revert), abandon the migration, and manually drop what abandon lists.

Exit codes: 0 done, 1 internal error, 2 bad input, changed files or invalid rows, 4 pending (status) or different

Examples:
  DATABASE_URL=postgres://user@host/listings gable migrate plan
  DATABASE_URL=postgres://user@host/listings gable migrate
  gable migrate apply --until backfill
  gable migrate verify --json
`;

const ways: { readonly [name: string]: (database: Database, ways: Ways) => Promise<number> } = {
  plan: planPending,
  apply: applyPending,
  status: showStatus,
  verify: verifyDatabase,
  abandon: abandonBegun,
};

/** The options that change nothing, not even for a moment. */
const reading = ['plan', 'status'];

/** Runs the command on the configured database. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { json: flag, migrations: text, until: text });
  const [name = 'apply', ...others] = positionals;
  const [named] = name === 'abandon' ? others.splice(0, 1) : [];
  const [second] = others;
  const way = Object.hasOwn(ways, name) && second === undefined ? ways[name] : undefined;
  if (way === undefined) throw unknownAction('gable migrate', second ?? name, Object.keys(ways));
  const until = phaseOf(values.until);
  // The option that names a migrations folder implies the project.
  if (values.migrations === undefined) requireProject('gable migrate');
  const folder = values.migrations ?? migrationsFolder(await generatedHere());
  // Checked before a database is connected or started.
  await readMigrationFiles(folder);
  return withDatabase(openWhenUp(configToMigrate(readConfig(process.env))), (database) => {
    if (!reading.includes(name)) requireWritable(database, `gable migrate ${name}`);
    return namingRights(database, 'gable migrate', () => way(database, { folder, json: values.json, until, name: named }));
  });
}

function phaseOf(name: string | undefined): Phase | undefined {
  const phase = phases.find((known) => known === name);
  if (name !== undefined && phase === undefined) throw new ConfigError(`--until must be ${phases.join(' or ')}, not '${name}'.`);
  return phase;
}
