// Depends on PostgreSQL: DDL.

import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { connect } from '../../runtime/database/connect.js';
import type { FailedStepError } from '../../runtime/tools/migrations/apply-migration.js';
import { blockingMigrations, migrate } from '../../runtime/tools/migrations/migrate.js';
import { withConnection } from '../../runtime/database/run.js';
import { startProxy } from '../fault/proxy.js';
import { testDatabase } from '../support/database.js';

interface Scene {
  readonly url: string;
  readonly folder: string;
  readonly pool: ConnectionPool;
  readonly write: (name: string, text: string) => void;
  readonly tables: () => Promise<string>;
}

/** Runs a scene with a separate database and folder. */
async function play(scene: (parts: Scene) => Promise<void>): Promise<void> {
  const database = await testDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'gable-migrations-'));
  const pool = connect(database.url);
  const text = "SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_tables WHERE schemaname = 'public'";
  const tables = async (): Promise<string> => (await withConnection(pool, (one) => one.run({ text, bind: [] })))[0]?.[0] ?? '';
  try {
    await scene({ url: database.url, folder, pool, tables, write: (name, sql) => writeFileSync(join(folder, name), sql) });
  } finally {
    await pool.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  }
}

test('files are applied in the order of their names, each once', (t) =>
  play(async ({ pool, folder, write, tables }) => {
    write('0002_room.sql', 'CREATE TABLE room (listing integer REFERENCES listing); INSERT INTO room VALUES (1);');
    write('0001_listing.sql', 'CREATE TABLE listing (id integer PRIMARY KEY); INSERT INTO listing VALUES (1);');
    t.deepEqual(await blockingMigrations(pool, folder), ['0001_listing.sql', '0002_room.sql']);
    t.is(await tables(), '', 'asking what is missing changes nothing');
    t.deepEqual(await migrate(pool, folder), ['0001_listing.sql', '0002_room.sql']);
    t.deepEqual(await migrate(pool, folder), []);
    t.deepEqual(await blockingMigrations(pool, folder), []);
    t.is(await tables(), 'gable_migration gable_migration_step listing room');
  }));

test('processes that start at once apply every file once', (t) =>
  play(async ({ url, folder, write, tables }) => {
    write('0001_listing.sql', 'SELECT pg_sleep(0.3); CREATE TABLE listing (id integer PRIMARY KEY);');
    write('0002_room.sql', 'CREATE TABLE room (id integer PRIMARY KEY);');
    const applied = await Promise.all([migrateElsewhere(url, folder), migrateElsewhere(url, folder)]);
    t.deepEqual(applied.flat().sort(), ['0001_listing.sql', '0002_room.sql']);
    t.is(await tables(), 'gable_migration gable_migration_step listing room');
  }));

test('who waits for another migrator is told so once', (t) =>
  play(async ({ pool, folder, write }) => {
    write('0001_listing.sql', 'SELECT pg_sleep(0.5); CREATE TABLE listing (id integer PRIMARY KEY);');
    const told: string[] = [];
    const once = (name: string): Promise<readonly string[]> => migrate(pool, folder, [], { onWait: () => void told.push(name) });
    const applied = await Promise.all([once('one'), once('other')]);
    t.deepEqual(applied.flat(), ['0001_listing.sql']);
    t.is(told.length, 1);
  }));

test('a file that was changed after it was applied is refused', (t) =>
  play(async ({ pool, folder, write, tables }) => {
    write('0001_listing.sql', 'CREATE TABLE listing (id integer);\n');
    await migrate(pool, folder);
    write('0001_listing.sql', 'CREATE TABLE listing (id integer);\r\n');
    t.deepEqual(await migrate(pool, folder), [], 'line ends are no change');
    write('0001_listing.sql', 'CREATE TABLE listing (id bigint);\n');
    write('0002_room.sql', 'CREATE TABLE room (id integer);');
    const expected =
      /^MIGR008 0001_listing\.sql has changed since it was applied to this database, or this is the database of another project \(DATABASE_URL\)\..*delete \.gable/s;
    await t.throwsAsync(migrate(pool, folder), { message: expected });
    await t.throwsAsync(blockingMigrations(pool, folder), { message: expected });
    t.is(await tables(), 'gable_migration gable_migration_step listing');
  }));

test('a file that fails leaves nothing, and those before it stay', (t) =>
  play(async ({ pool, folder, write, tables }) => {
    write('0001_listing.sql', 'CREATE TABLE listing (id integer);');
    write('0002_room.sql', 'CREATE TABLE room (id integer);\nINSERT INTO room VALUES (1);\nINSERT INTO rooms VALUES (1);');
    write('0003_media.sql', 'CREATE TABLE media (id integer);');
    const expected = 'MIGR009 0002_room.sql:3: relation "rooms" does not exist. Nothing of this file was applied.';
    await t.throwsAsync(migrate(pool, folder), { message: expected });
    t.is(await tables(), 'gable_migration gable_migration_step listing');
    write('0002_room.sql', 'CREATE TABLE room (id integer);');
    t.deepEqual(await migrate(pool, folder), ['0002_room.sql', '0003_media.sql'], 'and it can be mended');
  }));

test('what rows or the file are to blame for ends with 2, what the server is to blame for with 1', (t) =>
  play(async ({ pool, folder, write }) => {
    for (const [code, exitCode] of [
      ['22001', 2],
      ['42P01', 2],
      ['57P01', 1],
      ['53100', 1],
    ] as const) {
      write('0001_listing.sql', `DO $$BEGIN RAISE 'told' USING ERRCODE = '${code}'; END$$;`);
      const error = await t.throwsAsync(
        migrate(pool, folder),
        { name: 'FailedStepError', message: /^MIGR009 0001_listing\.sql: told\. Nothing/ },
        code,
      );
      t.is((error as Partial<FailedStepError>).exitCode, exitCode, code);
    }
  }));

// A step of rows that may be too long, which fails for another reason.
const narrowing = (statement: string): string =>
  `-- step 1 expand, in one transaction: ACCESS EXCLUSIVE on "listing" while it is rewritten; "city": a longer string stops it\n${statement}\n`;

test('a step that the server fails does not blame the rows', (t) =>
  play(async ({ pool, folder, write }) => {
    const raise = "RAISE 'no space left' USING ERRCODE = '53100', HINT = 'Check free disk space.'";
    for (const [statement, expected, exitCode] of [
      [`DO $$BEGIN ${raise}; END$$;`, 'no space left. Check free disk space. STEP', 1],
      ['SELECT pg_terminate_backend(pg_backend_pid());', 'terminating connection due to administrator command. STEP', 1],
      [
        `DO $$BEGIN RAISE 'too long' USING ERRCODE = '22001'; END$$;`,
        'too long. Step 1 failed on "listing"; the steps before it are done. Correct the cause ("city": a longer string stops it), and migrate again: it resumes at this step.',
        2,
      ],
    ] as const) {
      write('0001_listing.sql', narrowing(statement));
      const error = await t.throwsAsync(migrate(pool, folder), { name: 'FailedStepError' }, statement);
      const step =
        'Step 1 failed on "listing"; the steps before it are done. Correct the cause, and migrate again: it resumes at this step.';
      t.is(error?.message.replace(/^MIGR009 0001_listing\.sql:2: /, ''), expected.replace('STEP', step));
      t.is((error as Partial<FailedStepError>).exitCode, exitCode, statement);
    }
  }));

test('a connection that is lost within a step is a failure of the server', (t) =>
  play(async ({ url, folder, write }) => {
    write('0001_listing.sql', narrowing('SELECT pg_sleep(2);'));
    const proxy = await startProxy(url);
    const pool = connect(proxy.url);
    const options = { onProgress: () => void setTimeout(proxy.end, 100) };
    const error = await t.throwsAsync(migrate(pool, folder, [], options), {
      name: 'FailedStepError',
      message: /unknown whether step 1 on "listing" was applied/,
    });
    t.is((error as Partial<FailedStepError>).exitCode, 1);
    await pool.close();
    proxy.stop();
  }));

test('a fault without a place in the text names the file', (t) =>
  play(async ({ pool, folder, write }) => {
    write('0001_listing.sql', 'CREATE TABLE listing (id integer PRIMARY KEY); INSERT INTO listing VALUES (1), (1);');
    const expected =
      'MIGR009 0001_listing.sql: duplicate key value violates unique constraint "listing_pkey". Key (id)=(1) already exists. Nothing of this file was applied.';
    await t.throwsAsync(migrate(pool, folder), { message: expected });
  }));

function migrateElsewhere(url: string, folder: string): Promise<readonly string[]> {
  const child = fork(fileURLToPath(new URL('./migrate-process.js', import.meta.url)), [url, folder]);
  return new Promise((resolve, reject) => {
    child.once('message', (names) => resolve(names as readonly string[]));
    child.once('exit', (code) => reject(new Error(`The process ended with ${code} and said nothing.`)));
  });
}
