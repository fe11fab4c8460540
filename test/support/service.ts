import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readConfig, type Config } from '../../runtime/config/config.js';
import { connect } from '../../runtime/database/connect.js';
import { migrate } from '../../runtime/tools/migrations/migrate.js';
import { migrationsFolder } from '../../runtime/config/served-model.js';
import { serviceTables } from '../../runtime/features/service-tables.js';
import { issueToken } from '../../runtime/identity/authenticate.js';
import { serve } from '../../runtime/main.js';
import { openDatabase } from '../../runtime/tools/embedded/open.js';
import type { PgBouncer } from '../database/pgbouncer.js';
import { patient, patientSettings, testDatabase } from './database.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

/** The application with a separate database. */
export interface TestService {
  /** URL of the service root. */
  readonly root: string;
  /** The service root at the address that is listened on, where links have another one. */
  readonly listening: string;
  readonly databaseUrl: string;
  /** A token by the name that `.http` files use. */
  readonly token: (name: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** The secret of the tests' tokens. */
export const secret = 'a secret of the tests, long enough to be one';
const full = ['listing.read.all', 'listing.write'];

/** Who may ask in the tests, and for how many seconds. */
const callers: { readonly [name: string]: { readonly scopes: readonly string[]; readonly lifetime?: number; readonly secret?: string } } = {
  read: { scopes: ['listing.read'] },
  all: { scopes: ['listing.read.all'] },
  write: { scopes: full },
  writeOnly: { scopes: ['listing.write'] },
  hooks: { scopes: [...full, 'gable.hooks'] },
  admin: { scopes: [...full, 'gable.admin'] },
  otherHooks: { scopes: ['gable.hooks'] },
  none: { scopes: [] },
  expired: { scopes: full, lifetime: -3600 },
  foreign: { scopes: full, secret: 'a secret that is not the one of this service' },
};

/** Starts the listing service on a fresh database that holds the fixture's records, through a pooler where one is given. */
export async function startService(
  settings: Partial<Record<string, string>> = {},
  startPooler?: (databaseUrl: string) => Promise<PgBouncer>,
): Promise<TestService> {
  const fixture = readFileSync('test/support/listing.sql', 'utf8');
  const database = await testDatabase({ template: 'listing', hash: contentHash(fixture), prepare: (url) => prepare(url, fixture) });
  const pooler = await startPooler?.(database.url);
  const config = readConfig({
    PORT: '0',
    GABLE_SECRET: secret,
    // They would look into the database twice a second.
    GABLE_WEBHOOKS: 'false',
    // Failures that a test does not expect.
    GABLE_LOG_LEVEL: 'error',
    ...patientSettings,
    ...settings,
    DATABASE_URL: pooler?.url ?? database.url,
  });
  const { pool, stop } = await openDatabase({ ...config, poolSize: settings['GABLE_POOL_SIZE'] === undefined ? 4 : config.poolSize });
  const service = await serve(config, pool);
  return {
    root: `${service.url}/odata`,
    listening: `http://127.0.0.1:${(service.server.address() as AddressInfo).port}/odata`,
    databaseUrl: database.url,
    token: (name) => tokenOf(name, config),
    stop: async () => {
      await service.stop();
      await stop();
      await pooler?.stop();
      await database.drop();
    },
  };
}

// The template is as old as the newest of what makes it.
function contentHash(fixture: string): string {
  const migrations = readdirSync(migrationsFolder()).map((name) => readFileSync(join(migrationsFolder(), name), 'utf8'));
  return createHash('sha256')
    .update([fixture, ...serviceTables, ...migrations].join('\0'))
    .digest('hex')
    .slice(0, 16);
}

async function prepare(url: string, fixture: string): Promise<void> {
  const pool = connect(url, { ...patient, poolSize: 1 });
  await migrate(pool, migrationsFolder(), serviceTables);
  await sequelizeOf(pool).query(fixture);
  await pool.close();
}

/** The scopes of a caller. */
export function scopesOf(name: string): readonly string[] {
  return callers[name]?.scopes ?? [];
}

async function tokenOf(name: string, { token }: Config): Promise<string> {
  const caller = callers[name];
  if (caller === undefined) throw new Error(`There is no caller ${name} in test/support/service.ts.`);
  const { scopes, lifetime = 3600, secret: other = token.secret } = caller;
  return issueToken({ subject: name, scopes, member: 'M1', lifetime }, { ...token, secret: other });
}
