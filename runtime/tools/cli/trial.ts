import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileProject } from '../../../generator/project/compile-project.js';
import { makeProject } from '../../../generator/project/make-project.js';
import type { Generated } from '../../../generator/generate.js';
import type { Policy } from '../../../generator/policy.js';
import { readConfig, type Config } from '../../config/config.js';
import { connect } from '../../database/connect.js';
import { migrate } from '../migrations/migrate.js';
import { openDatabase, type Database } from '../embedded/open.js';
import { withConnection } from '../../database/run.js';
import { migrationsFolder, type ServedModel } from '../../config/served-model.js';
import { clientTable } from '../../identity/client-store.js';
import { serve, type RunningService } from '../../main.js';
import { requestTable } from '../../features/repeatable-requests/request-table.js';
import { identifier } from '../../sql/builder.js';
import { loadProject } from './project.js';
import type { OnProgress } from './progress.js';
import { scopesOf } from './scopes.js';

/** A temporary project. `end` removes whatever its steps have created, at any point. */
export interface Trial {
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
