import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import type { Mode } from '../../generator/config/types.js';
import { generate } from '../../generator/generate.js';
import { type MigrationOptions, noMigrations } from '../../generator/migrate/plan-migrations.js';
import type { OutputFile } from '../../generator/output/header.js';
import { createApp, createAppServer, mountService, rootPath } from '../../runtime/app.js';
import { connect } from '../../runtime/database/connect.js';
import { defineModels } from '../../runtime/database/define-models.js';
import { migrate } from '../../runtime/tools/migrations/migrate.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import { servedDocument } from '../../runtime/http/document.js';
import { outsidesOf } from '../../runtime/http/outside.js';
import type { Service } from '../../runtime/http/service.js';
import { createPlanCache } from '../../runtime/http/read/plan-cache.js';
import type { Caller } from '../../runtime/plan/caller.js';
import { createTokenSeal } from '../../runtime/paging/skiptoken.js';
import { requestTable } from '../../runtime/features/service-tables.js';
import { migrationsFolder, readMigrationTexts, type ServedModel } from '../../runtime/config/served-model.js';
import { createPooledStore } from '../../runtime/store/pooled-store.js';
import '../support/features.js';
import { registerFeatures } from '../../runtime/features/index.js';
import { patient, testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';

/** A service of another model, generated when the test runs. */
export interface ToyService extends TestService {
  readonly pool: ConnectionPool;
  readonly container: EntityContainer;
}

/** Who asks, by token. */
export type Callers = { readonly [token: string]: Caller };

/** The exports of the generated code. */
interface Generated {
  readonly container: EntityContainer;
}

/** From a model to a listening service: generated, compiled, migrated, served; every token will do, unless callers are named. */
export async function startToy(model: string, callers: Callers = {}, settings: Partial<Service> = {}): Promise<ToyService> {
  const folder = temporaryFolder();
  return startModel({ ...(await compileModel(model, folder)), extensions: {}, generated: folder }, folder, callers, settings);
}

/** A listening service of a compiled model; the folder goes when it stops. */
export async function startModel(
  model: ServedModel,
  folder: string,
  callers: Callers = {},
  settings: Partial<Service> = {},
): Promise<ToyService> {
  const database = await testDatabase();
  const pool = connect(database.url, { ...patient, poolSize: 4 });
  await migrate(pool, migrationsFolder(model.generated), [requestTable]);
  const { root, close } = await listenModel(model, pool, callers, settings);
  return {
    root,
    listening: root,
    databaseUrl: database.url,
    pool,
    container: model.container,
    token: (name) => Promise.resolve(name),
    stop: async () => {
      close();
      await pool.close();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Serves a compiled model from a database that has its tables. */
export async function listenModel(
  model: ServedModel,
  pool: ConnectionPool,
  callers: Callers = {},
  settings: Partial<Service> = {},
): Promise<{ readonly root: string; readonly close: () => void }> {
  const { container, operations = {}, generated } = model;
  defineModels(pool, container);
  await registerFeatures(container);
  const app = createApp();
  const server = createAppServer(app, {});
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}${rootPath}`;
  mountService(
    app,
    {
      ...serviceOf(container, pool, root, callers),
      metadata: documentsIn(generated),
      migrations: readMigrationTexts(model),
      operations,
      handlerTimeout: 30_000,
      ...settings,
    },
    {
      corsOrigins: '*',
      outsides: outsidesOf({ rootPath, pages: new Set(['explorer']), explainScope: 'gable.admin' }),
    },
  );
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { root, close };
}

/** A folder that no other test writes to, where the packages are found. */
export function temporaryFolder(): string {
  mkdirSync('dist/toy', { recursive: true });
  return mkdtempSync(resolve('dist/toy', 'model-'));
}

/** Generates a model's code into a folder, compiles and loads it. */
export async function compileModel(
  model: string,
  folder: string,
  mode: Mode = 'strict',
  migrations: MigrationOptions = noMigrations,
): Promise<Generated> {
  // Files created once outside of the output belong to a project.
  const files = generate({ path: model, bytes: readFileSync(model) }, { policy: { mode, choices: {} }, migrations }).files.filter(
    ({ path }) => !path.startsWith('..'),
  );
  await Promise.all(files.map((file) => writeCompiled(folder, file)));
  return (await import(pathToFileURL(join(folder, 'index.js')).href)) as Generated;
}

const compiler = { loader: 'ts', target: 'es2022', tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } } as const;

// The types are only removed: TypeScript takes longer to load than most models take to answer.
async function writeCompiled(folder: string, { path, text }: OutputFile): Promise<void> {
  const target = join(folder, path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, path.endsWith('.ts') ? (await transform(text, compiler)).code : text);
}

function documentsIn(folder: string): Service['metadata'] {
  const served = (file: string): ReturnType<typeof servedDocument> => servedDocument(readFileSync(join(folder, file), 'utf8'));
  return { xml: served('metadata.xml'), json: served('metadata.json'), vocabularies: new Map() };
}

function serviceOf(container: EntityContainer, pool: ConnectionPool, root: string, callers: Callers): Omit<Service, 'metadata'> {
  return {
    container,
    extensions: {},
    store: createPooledStore(pool),
    root,
    settings: { overTop: 'reject' },
    seal: createTokenSeal('a secret'),
    authenticate: (authorization = '') =>
      Promise.resolve(callers[authorization.replace('Bearer ', '')] ?? { subject: 'toy', scopes: new Set(['toy']) }),
    maxStream: 104_857_600,
    readerTimeout: 30_000,
    publicMetadata: true,
    plans: createPlanCache(),
    logFailure: (failure) => console.error(failure),
  };
}
