import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePages } from '../../../generator/cli/docs.js';
import { chooseModel, missingFile } from '../../../generator/cli/open-model.js';
import { printDiagnostics } from '../../../generator/cli/print-diagnostics.js';
import { diagnosticsToJson } from '../../../generator/cli/print-outcome.js';
import type { Generated } from '../../../generator/generate.js';
import { ModelError } from '../../../generator/model-error.js';
import type { Policy } from '../../../generator/policy.js';
import { emitPortal } from '../../../generator/portal/emit-portal.js';
import { compileProject } from '../../../generator/project/compile-project.js';
import { makeProject } from '../../../generator/project/make-project.js';
import { type Config, ConfigError, readConfig } from '../../config/config.js';
import { migrationsFolder, type ServedModel } from '../../config/served-model.js';
import { connect } from '../../database/connect.js';
import { withConnection } from '../../database/run.js';
import { serviceTables } from '../../features/service-tables.js';
import { type RunningService, serve } from '../../main.js';
import { scopesOf } from '../../plan/caller.js';
import { quote } from '../../schema/identifier.js';
import { type Database, openDatabase } from '../embedded/open.js';
import { migrate } from '../migrations/migrate.js';
import type { TryRequest } from '../../extensions/listing/introduce-listing.js';
import { pagesLine, requestsToTry } from './introduce.js';
import { barsOf, type OnProgress } from './progress.js';
import { loadProject } from './project.js';
import { fillWithSamples, samplesOf } from './samples.js';
import { untilSignal } from './until-signal.js';
import { flag, readArguments, text } from './read-arguments.js';

/** The help text of `gable try`. */
export const help = `gable try: serves any model with sample records, and deletes everything afterwards.

Usage: gable try MODEL [--port PORT] [--samples N] [--overlay FILE] [--strict] [--json]

  MODEL           the CSDL document, in XML or JSON; gaps are accepted with a warning each
  --port PORT     port to listen on (default: PORT, or 4004)
  --samples N     number of records per type (default 10)
  --overlay FILE  supplements to the document (default: overlay.jsonc next to the model)
  --strict        reject a document with gaps
  --json          print one JSON line instead of text when it serves: address, requests to try, gaps, samples

It needs no token, and serves this machine only. The project is in a temporary folder, with an embedded PostgreSQL;
with DATABASE_URL, in a temporary database on that server. Ctrl+C deletes both.

Exit codes: 0 normal exit, 1 internal error, 2 fault in the model or bad input, 130 interrupted before it served

Examples:
  gable try towns.xml
  gable try towns.json --port 8080 --samples 100
  gable try towns.xml --port 0 --json > service.json &
`;

/** Serves until SIGINT or SIGTERM. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { port: text, samples: text, overlay: text, strict: flag, json: flag });
  const [model, second] = positionals;
  if (model === undefined || second !== undefined) throw new ConfigError('Name one model: gable try MODEL.');
  if (!existsSync(model)) throw new ConfigError(missingFile(model));
  const samples = samplesOf(values.samples);
  const { overlay, policy } = await chooseModel({ model, overlay: values.overlay, lenient: !values.strict, strict: values.strict });
  const trial = beginTrial({ ...process.env, ...(values.port !== undefined && { PORT: values.port }) });
  const signalled = untilSignal().then(() => 'signalled' as const);
  try {
    const begun = await Promise.race([begin(trial, { model, overlay, policy, samples, json: values.json }), signalled]);
    if (begun === 'signalled') return await leave(trial);
    await signalled;
    return 0;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (values.json) process.stdout.write(`${JSON.stringify({ url: null, exitCode: 2, refused: diagnosticsToJson(error) })}\n`);
    else process.stderr.write(printDiagnostics(error, process.stderr));
    return 2;
  } finally {
    await trial.end();
  }
}

// Started work continues in the background, and would find its folder removed.
async function leave(trial: Trial): Promise<never> {
  await trial.end();
  process.exit(130);
}

type Chosen = Pick<Awaited<ReturnType<typeof chooseModel>>, 'model' | 'overlay' | 'policy'> & {
  readonly samples: number;
  readonly json: boolean;
};

async function begin(trial: Trial, { model, overlay, policy, samples, json }: Chosen): Promise<void> {
  const generated = trial.make(model, overlay, policy, barsOf(process.stderr).show);
  const gaps = generated.diagnostics.length;
  if (gaps > 0 && !json)
    process.stderr.write(
      `${gaps === 1 ? 'One gap' : `${gaps} gaps`} of ${model} ${gaps === 1 ? 'was' : 'were'} filled; gable doctor ${model} lists ${gaps === 1 ? 'it' : 'them'}.\n`,
    );
  const served = await trial.load();
  const database = await trial.open(served);
  const filled = await fillWithSamples(database.pool, served.container, samples, json);
  const { url, pages } = await trial.serve(served, database);
  const requests = requestsToTry(served.container, `${url}/odata`);
  process.stdout.write(
    json
      ? `${JSON.stringify({ url: `${url}/odata`, pages, requests, gaps: diagnosticsToJson(generated), samples: filled })}\n`
      : introduce(`${url}/odata`, pages, requests),
  );
}

function introduce(url: string, pages: string | undefined, requests: readonly TryRequest[]): string {
  return `\nGable serves ${url}\n${pagesLine(pages)}Explorer: ${new URL('explorer/', url).href}\n\nTry, without a token:\n\n${requests.map((request) => `  curl '${request.url}'\n`).join('')}\nCtrl+C stops it and deletes everything.\n`;
}

/** A temporary project. `end` removes whatever its steps have created, at any point. */
interface Trial {
  readonly folder: string;
  readonly make: (model: string, overlay: string | undefined, policy: Policy, onProgress?: OnProgress) => Generated;
  readonly load: () => Promise<ServedModel>;
  /** Creates a separate database with the model's schema. */
  readonly open: (model: ServedModel) => Promise<Database>;
  /** Serves without tokens, on a loopback address. */
  readonly serve: (model: ServedModel, database: Database) => Promise<RunningService>;
  readonly end: () => Promise<void>;
}

type Undo = () => Promise<void> | void;

/** Begins a trial with the settings of the environment; `port` is 0 for any. */
export function beginTrial(environment: Readonly<Record<string, string | undefined>>): Trial {
  const fixed = { ...environment, GABLE_CORS_ORIGINS: 'none' };
  // Invalid settings are reported before anything is created.
  readConfig({ ...fixed, GABLE_SECRET: environment['GABLE_SECRET'] ?? randomBytes(32).toString('base64url') });
  const place = mkdtempSync(join(tmpdir(), 'gable-try-'));
  // The account that PostgreSQL runs as for root must be able to enter; data elsewhere would not be removed.
  chmodSync(place, 0o711);
  const folder = join(place, 'project');
  const undo: Undo[] = [() => rmSync(place, { recursive: true, force: true, maxRetries: 5 })];
  const config = readConfig({ ...fixed, GABLE_DIRECTORY: join(place, 'database') });
  return {
    folder,
    make: (model, overlay, policy, onProgress) => {
      const generated = makeProject({ folder, model, overlay, policy, dependency: '*', onProgress });
      compileProject(folder, onProgress);
      writePages(join(folder, 'dist', 'docs'), emitPortal(generated.graph));
      return generated;
    },
    load: () => loadProject(folder),
    open: async (model) => {
      const databaseUrl = config.databaseUrl === undefined ? undefined : await ownDatabase(config.databaseUrl, config, undo);
      const database = await openDatabase({ ...config, ...(databaseUrl !== undefined && { databaseUrl }) });
      undo.push(() => database.stop());
      await migrate(database.pool, migrationsFolder(model.generated), serviceTables);
      return database;
    },
    serve: async (model, { pool }) => {
      const service = await serve(config, pool, {
        model,
        anonymous: { subject: 'anonymous', scopes: scopesOf(model.container) },
        pages: true,
      });
      undo.push(() => service.stop());
      return service;
    },
    end: () => takeAway(undo),
  };
}

// A failed removal does not prevent the others.
async function takeAway(undo: Undo[]): Promise<void> {
  const failures: unknown[] = [];
  for (let last = undo.pop(); last !== undefined; last = undo.pop())
    await Promise.resolve()
      .then(last)
      .catch((failure: unknown) => failures.push(failure));
  if (failures.length > 0) throw failures[0];
}

// An existing server may hold important data, so a new database is created on it.
async function ownDatabase(url: string, config: Config, undo: Undo[]): Promise<string> {
  const name = `gable_try_${randomBytes(6).toString('hex')}`;
  await execute(url, config, `create database ${quote(name)}`);
  undo.push(() => execute(url, config, `drop database ${quote(name)} with (force)`));
  // Not by URL, which knows no address of several hosts.
  return url.replace(/^(\w+:\/\/[^/?]*)[^?]*/, `$1/${name}`);
}

async function execute(url: string, config: Config, text: string): Promise<void> {
  const pool = connect(url, { ...config, statementTimeout: 0 });
  try {
    await withConnection(pool, (connection) => connection.run({ text, bind: [] }));
  } finally {
    await pool.close();
  }
}
