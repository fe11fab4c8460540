import cluster, { type Worker } from 'node:cluster';
import { dirname, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { writeDocs } from '../../../generator/cli/docs.js';
import { runAsking } from '../../../generator/cli/generate.js';
import { chooseMigrations, migrationOptions, type MigrationChoice } from '../../../generator/cli/migration-options.js';
import { chooseModel, type ModelChoice } from '../../../generator/cli/open-model.js';
import type { Outcome } from '../../../generator/cli/print-outcome.js';
import { changesOf, reportingFaults } from '../../../generator/cli/watch.js';
import { configPaths } from '../../../generator/config/load-config.js';
import { compileChanged } from '../../../generator/project/compile-project.js';
import { type Config, readConfig } from '../../config/config.js';
import { requireFreePort } from '../../listen.js';
import { type Database, openDatabase, requireWritable, withDatabase } from '../embedded/open.js';
import { requireProject } from './project.js';
import { samplesOf } from './samples.js';
import { endWorker, whenServing } from './workers.js';
import { readArguments, readOptions, text } from './read-arguments.js';

/** The help text of `gable dev`. */
export const help = `gable dev: serves a project while you change its model

Usage: gable dev [MODEL] [--port PORT] [--samples N] [--renamed ...] [--dropped ...] [--fill ...]

  MODEL          the CSDL document (default: the configuration's, or model/metadata.xml)
  --port PORT    port to listen on (default: PORT, or 4004)
  --samples N    number of sample records per type in a new database (default 10)
  --renamed, --renamed-value, --dropped, --fill
                 decisions for the first migration, as with gable generate

After every change next to the model, in extensions/ or of gable.config.ts it generates, compiles (without type
checks), migrates the development database, and replaces the serving process. A fault in the model, a missing decision
or a failed migration is printed, and the service before goes on. At a terminal it asks before data would be lost.
A change of the schema becomes a file in migrations/, as with gable generate: read it before you commit.

Exit codes: 0 normal exit, 1 internal error, or the database cannot be opened, 2 bad input

Examples:
  gable dev
  gable dev --port 8080
  DATABASE_URL=postgres://user@host/development gable dev
`;

/** Serves and follows changes until a signal. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...migrationOptions, port: text, samples: text });
  requireProject('gable dev');
  const samples = samplesOf(values.samples);
  const config = readConfig({ ...process.env, ...(values.port !== undefined && { PORT: values.port }) });
  const choose = (): Promise<ModelChoice> => chooseModel({ model: positionals[0], lenient: false, strict: false });
  const { model } = await choose();
  await requireFreePort(config);
  return withDatabase(openDatabase(config), async (database) => {
    requireWritable(database, 'gable dev');
    cluster.setupPrimary({ args: ['start', '--samples', String(samples)] });
    const development = { config, database, choose, worker: undefined, isCurrent: false };
    const changes = changesOf({ paths: [dirname(resolve(model)), ...configPaths(process.cwd())], trees: [resolve('extensions')] });
    await follow(development, changes, chooseMigrations(values));
    return 0;
  });
}

// The options when none is given.
const noDecisions = readOptions([], migrationOptions);

/** The project, its database and the process that serves it. */
interface Development {
  readonly config: Config;
  readonly database: Database;
  /** Chooses the model and its overlay anew: files come and go. */
  readonly choose: () => Promise<ModelChoice>;
  /** The serving process, once a model could be served. */
  worker: Worker | undefined;
  /** Whether it serves what was compiled last. */
  isCurrent: boolean;
}

async function follow(development: Development, changes: ReturnType<typeof changesOf>, first: MigrationChoice): Promise<void> {
  let migrations = first;
  do {
    const started = performance.now();
    const { worker: before } = development;
    const result = await reportingFaults(async () => {
      const choice = await development.choose();
      const outcome = await runAsking({ ...choice, mode: 'write', json: false, again: 'gable dev', migrations });
      // A decision is about one migration.
      if (outcome.exitCode === 0) migrations = chooseMigrations(noDecisions);
      return advance(development, choice, outcome);
    });
    if (result === 'served' && before !== undefined)
      say(`Serving the change after ${((performance.now() - started) / 1000).toFixed(1)} s.`);
    if (result === 'refused' || result === undefined)
      say(before === undefined ? 'Nothing is served before this is corrected.' : 'The service before the change goes on.');
  } while (await changes.next());
  if (development.worker !== undefined) await endWorker(development.worker);
}

// Serves what has changed; an editor may write a file twice. The process is gable start: it migrates and fills the database, and
// loads the compiled model and extensions, which a process cannot load twice.
async function advance(development: Development, choice: ModelChoice, outcome: Outcome): Promise<'served' | 'refused' | 'same'> {
  if (outcome.exitCode !== 0 || outcome.kind !== 'planned') return 'refused';
  const { worker: before } = development;
  try {
    const { added, changed, removed } = outcome.plan;
    const altered = compileChanged(process.cwd(), choice.output) + added.length + changed.length + removed.length;
    if (development.isCurrent && altered === 0) return 'same';
    development.isCurrent = false;
    await writeDocs(choice);
  } catch (failure) {
    process.stderr.write(`${(failure as Error).message}\n`);
    return 'refused';
  }
  const worker = cluster.fork(environmentOf(development));
  const serving = await whenServing(worker);
  if (serving === undefined) return 'refused';
  if (before === undefined) process.stdout.write(serving.introduction ?? '');
  worker.once('exit', (code) => {
    if (code === 0) return;
    development.isCurrent = false;
    say(`The serving process ended with ${code}; the next change starts another.`);
  });
  development.worker = worker;
  development.isCurrent = true;
  if (before !== undefined) await endWorker(before);
  return 'served';
}

// The process serves with this one's database, secret and port.
function environmentOf({ config, database }: Development): NodeJS.ProcessEnv {
  return {
    GABLE_LOG_LEVEL: 'warn',
    ...process.env,
    DATABASE_URL: database.url,
    GABLE_SECRET: config.token.secret,
    PORT: String(config.port),
    GABLE_WORKERS: '1',
  };
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
