import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileProject } from '../../generator/project/compile-project.js';
import { makeProject } from '../../generator/project/make-project.js';
import type { Generated } from '../../generator/generate.js';
import type { Policy } from '../../generator/policy.js';
import { readConfig, type Config } from '../config.js';
import { connect } from '../database/connect.js';
import { migrate } from '../database/migrate.js';
import { openDatabase, type Database } from '../database/open.js';
import { withConnection } from '../database/run.js';
import { migrationsFolder } from '../files.js';
import { clientTable } from '../identity/client-store.js';
import { serve, type RunningService } from '../main.js';
import type { ServedModel } from '../served-model.js';
import { requestTable } from '../store/request-table.js';
import { identifier } from '../sql/builder.js';
import { loadProject } from './project.js';
import type { OnProgress } from './progress.js';
import { scopesOf } from './scopes.js';

/** A project for a while. Each of its steps leaves something, and `end` takes all of it away, whatever step was reached. */
export interface Trial {
  readonly folder: string;
  readonly make: (model: string, overlay: string | undefined, policy: Policy, onProgress?: OnProgress) => Generated;
  readonly load: () => Promise<ServedModel>;
  /** A database of its own, with the model's schema. */
  readonly open: (model: ServedModel) => Promise<Database>;
  /** Serves without tokens, to this machine alone. */
  readonly serve: (model: ServedModel, database: Database) => Promise<RunningService>;
  readonly end: () => Promise<void>;
}

type Undo = () => Promise<void> | void;

/** Begins a trial under the settings of the environment; `port` is 0 for any. */
export function beginTrial(environment: Readonly<Record<string, string | undefined>>): Trial {
  const fixed = { ...environment, GABLE_CORS_ORIGINS: 'none' };
  // What is wrong with the settings is told before there is anything to take away.
  readConfig({ ...fixed, GABLE_SECRET: environment['GABLE_SECRET'] ?? randomBytes(32).toString('base64url') });
  const place = mkdtempSync(join(tmpdir(), 'gable-try-'));
  // The account that PostgreSQL runs as where we are root has to enter; data that lay elsewhere would be left behind.
  chmodSync(place, 0o711);
  const folder = join(place, 'project');
  const undo: Undo[] = [() => rmSync(place, { recursive: true, force: true, maxRetries: 5 })];
  const config = readConfig({ ...fixed, GABLE_DIRECTORY: join(place, 'database') });
  return {
    folder,
    make: (model, overlay, policy, onProgress) => {
      const generated = makeProject({ folder, model, overlay, policy, dependency: '*', onProgress });
      compileProject(folder, onProgress);
      return generated;
    },
    load: () => loadProject(folder),
    open: async (model) => {
      const databaseUrl = config.databaseUrl === undefined ? undefined : await ownDatabase(config.databaseUrl, config, undo);
      const database = await openDatabase({ ...config, ...(databaseUrl !== undefined && { databaseUrl }) });
      undo.push(() => database.stop());
      await migrate(database.sequelize, migrationsFolder(model.generated), [clientTable, requestTable]);
      return database;
    },
    serve: async (model, { sequelize }) => {
      const service = await serve(config, sequelize, { model, anonymous: { subject: 'anonymous', scopes: scopesOf(model.container) } });
      undo.push(() => service.stop());
      return service;
    },
    end: () => takeAway(undo),
  };
}

// What cannot be taken away keeps nothing else from it.
async function takeAway(undo: Undo[]): Promise<void> {
  const failures: unknown[] = [];
  for (let last = undo.pop(); last !== undefined; last = undo.pop())
    await Promise.resolve()
      .then(last)
      .catch((failure: unknown) => failures.push(failure));
  if (failures.length > 0) throw failures[0];
}

// A server that is there may hold what somebody needs, so nothing is ever written to its databases.
async function ownDatabase(url: string, config: Config, undo: Undo[]): Promise<string> {
  const name = `gable_try_${randomBytes(6).toString('hex')}`;
  await execute(url, config, `create database ${identifier(name)}`);
  undo.push(() => execute(url, config, `drop database ${identifier(name)} with (force)`));
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

async function execute(url: string, config: Config, text: string): Promise<void> {
  const sequelize = connect(url, { ...config, statementTimeout: 0 });
  try {
    await withConnection(sequelize, (connection) => connection.run({ text, bind: [] }));
  } finally {
    await sequelize.close();
  }
}
