import { parseArgs } from 'node:util';
import { suggestion } from '../../errors/suggest.js';
import { ConfigError, readConfig } from '../../config/config.js';
import { readMigrationFiles } from '../migrations/migration-files.js';
import { phases, type Phase } from '../migrations/migration-steps.js';
import { openWhenUp, type Database } from '../embedded/open.js';
import { migrationsFolder } from '../../config/files.js';
import { generatedHere, requireProject } from './project.js';
import { abandonBegun, applyPending, planPending, showStatus, verifyDatabase, type Ways } from './migrate-ways.js';

/** The help text of `gable migrate`. */
export const help = `gable migrate: brings the database's schema to where generated/migrations leads.

Usage: gable migrate [plan | apply | status | verify | abandon NAME] [--until PHASE] [--migrations DIR] [--json]

  plan     what apply would do, step by step: locks, tables that are written anew, rows; changes nothing
  apply    does it; the default. Steps that are done stay done, and a run that was broken off is gone on with
  status   which migrations the database has, and which it lacks
  verify   compares the database with the schema that the migrations lead to, and names every difference
  abandon  forgets a migration that was begun and is not in the folder any more, and names what it left behind;
           without NAME, and in a folder that is older than the database, it only says which there is

  --until PHASE      apply goes no further than expand or backfill: the services of both models work; apply again for the rest
  --migrations DIR   the folder of migrations; when left out that of the project, which the folder of the command has to be then
  --json             one JSON object instead of text

Migrations are made by gable generate, from the change of the model.
Where rows refuse one, mend them and apply again: it goes on from where it stood. To give it up instead, restore the model
and generated/ as they were before it (git revert), abandon it, and drop by hand what abandon names.

Exit codes: 0 done, 1 internal error, 2 bad input, changed files, rows that do not fit, 4 pending (status) or different

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

/** Runs the command on the configured database. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, migrations: { type: 'string' }, until: { type: 'string' } },
  });
  const [name = 'apply', ...others] = positionals;
  const [named] = name === 'abandon' ? others.splice(0, 1) : [];
  const [second] = others;
  const way = Object.hasOwn(ways, name) && second === undefined ? ways[name] : undefined;
  if (way === undefined)
    throw new ConfigError(
      `gable migrate has no '${second ?? name}'.${
        suggestion(second ?? name, Object.keys(ways)) ||
        ` Write ${Object.keys(ways)
          .join(', ')
          .replace(/, (?=\w+$)/, ' or ')}.`
      }`,
    );
  const until = phaseOf(values.until);
  // The option that names a migrations folder implies the project.
  if (values.migrations === undefined) requireProject('gable migrate');
  const folder = values.migrations ?? migrationsFolder(await generatedHere());
  // Checked before a database is connected or started.
  await readMigrationFiles(folder);
  const config = readConfig(process.env);
  const database = await openWhenUp(config, config.startTimeout, (sentence) => process.stderr.write(`gable: ${sentence}\n`));
  try {
    return await way(database, {
      folder,
      json: values.json,
      until,
      name: named,
    });
  } finally {
    await database.stop();
  }
}

function phaseOf(name: string | undefined): Phase | undefined {
  const phase = phases.find((known) => known === name);
  if (name !== undefined && phase === undefined) throw new ConfigError(`--until must be ${phases.join(', ')}; it is '${name}'.`);
  return phase;
}
