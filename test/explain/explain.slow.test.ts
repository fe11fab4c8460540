// Depends on PostgreSQL: plans.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import '../support/features.js';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { container } from '../../generated/index.js';
import { connect } from '../../runtime/database/connect.js';
import { migrate } from '../../runtime/tools/migrations/migrate.js';
import { withConnection } from '../../runtime/database/run.js';
import { migrationsFolder } from '../../runtime/config/served-model.js';
import { planPath } from '../../runtime/plan/read/plan-path.js';
import { keysetValues } from '../../runtime/plan/keyset-value.js';
import { planCollection, planCount, planEntity } from '../../runtime/plan/read/plan-read.js';
import type { ReadPlan } from '../../runtime/plan/read-plan.js';
import { createAliases } from '../../runtime/plan/scope.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { compileEvents } from '../../runtime/features/changes/event-set.js';
import { seedDatabase } from '../../runtime/extensions/listing/samples/seed-database.js';
import { compileCountOf, compilePage, compileRead, rowOrder } from '../../runtime/sql/compile-read.js';
import type { Statement } from '../../runtime/sql/statement.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { parseResourcePath } from '../../runtime/uri/parse-resource-path.js';
import { checkCases, type Producers } from '../support/cases.js';
import { patient, testDatabase, type TestDatabase } from '../support/database.js';
import { queryPlan } from './query-plan.js';
import { until } from '../operation/until.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

/** Enough that PostgreSQL would rather use an index than read a table, where it can. */
const listings = 20_000;
let database: TestDatabase;
let pool: ConnectionPool;

test.before(async (t) => {
  t.timeout(300_000);
  database = await testDatabase({ template: 'explain', hash: contentHash(), prepare });
  pool = connect(database.url, { ...patient, poolSize: 2 });
});

test.after.always(async () => {
  await pool.close();
  await database.drop();
});

const producers: Producers = {
  rows: async (input) =>
    explained(
      await readOf(input),
      ({ limit }) => limit !== 1,
      (read) => compilePage(read).rows,
    ),
  further: async (input) => furtherOf(await readOf(input)),
  count: async (input) => explained(await readOf(input), ({ count }) => count, compileCountOf),
};

for (const file of readdirSync('test/explain').filter((name) => name.endsWith('.case'))) {
  test.serial(`${file}: each statement is run along the index that the model has for it`, (t) =>
    checkCases(t, `explain/${file}`, producers),
  );
}

test.serial('each index of the schema is the way of one of these workloads', (t) => {
  const plans = readdirSync('test/explain')
    .filter((name) => name.endsWith('.case'))
    .map((name) => readFileSync(join('test/explain', name), 'utf8'))
    .join('\n');
  const used = new Set([...plans.matchAll(/using (\S+?)(?= from |$)/gm)].map(([, name]) => name));
  const {
    schema: { tables },
  } = JSON.parse(readFileSync(join(migrationsFolder(), 'schema.json'), 'utf8')) as { readonly schema: Schema };
  const names = tables.flatMap(({ indexes }) => indexes.map(({ name }) => name));
  t.true(names.length > 30);
  t.deepEqual(
    names.filter((name) => !used.has(name)),
    [],
  );
});

function explained(
  read: ReadPlan,
  applies: (read: ReadPlan) => boolean,
  compile: (read: ReadPlan) => Statement,
): Promise<string> | undefined {
  return applies(read) ? withConnection(pool, (connection) => queryPlan(withLog(compile(read)), connection)) : undefined;
}

// Events are read from the log.
function withLog(statement: Statement): Statement {
  const type = container.entityTypes['EntityEvent'];
  const isOfEvents = type !== undefined && statement.text.includes('"EntityEvent"');
  return isOfEvents
    ? compileEvents(statement, { type, container, caller: undefined, root: 'http://localhost/odata' }, '9999999')
    : statement;
}

function furtherOf(read: ReadPlan): Promise<string> | undefined {
  const { further } = compilePage(read);
  return further && withConnection(pool, (connection) => queryPlan(further, connection));
}

// `page 7 of /Property?...` is the page after six nextLinks.
async function readOf(input: string): Promise<ReadPlan> {
  const [, page = '1', url = input] = /^page (\d+) of (.*)$/.exec(input) ?? [];
  const first = planOf(url);
  if (page === '1') return first;
  const offset = (Number(page) - 1) * ((first.limit ?? 1) - 1) - 1;
  const [last = []] = await withConnection(pool, (connection) => connection.run(withLog(compileRead({ ...first, offset, limit: 1 }))));
  return { ...first, after: keysetValues(rowOrder(first).cells.map((cell) => last[cell] ?? null)) };
}

function planOf(url: string): ReadPlan {
  const [path = '', query = ''] = url.split('?');
  const aliases = createAliases();
  const caller = { subject: 'test', scopes: new Set(['listing.read.all']) };
  const target = planPath(parseResourcePath(path), { container, caller, aliases });
  const { options } = parseQueryOptions(query.replaceAll(' ', '%20'));
  const context = { container, caller, aliases, settings: { overTop: 'reject' } } as const;
  if (target.kind === 'entity') return planEntity(target, options, context);
  if (target.kind !== 'collection') throw new Error(`${path} is neither a record nor a collection.`);
  return target.suffix === '$count'
    ? { ...planCount(target, options, context), limit: 1, count: true }
    : planCollection(target, options, context).read;
}

// The template is as old as the newest of what makes it.
function contentHash(): string {
  const seed = join(dirname(fileURLToPath(import.meta.url)), '../../runtime/extensions/listing/samples');
  const files = [migrationsFolder(), seed].flatMap((folder) => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')));
  return createHash('sha256')
    .update([String(listings), ...files].join('\0'))
    .digest('hex')
    .slice(0, 16);
}

async function prepare(url: string): Promise<void> {
  const empty = connect(url, { ...patient, poolSize: 1 });
  await migrate(empty, migrationsFolder());
  await seedDatabase(empty, container, { listings, seed: 1 });
  // As autovacuum leaves a table that was loaded: what a count needs is in the index alone.
  // A busy machine may take longer than a request has.
  await sequelizeOf(empty).query('set statement_timeout to 0');
  await until(async () => vacuumed(empty));
  await empty.close();
}

// While autovacuum looks at one table, rows of the others count as perhaps not visible to it.
async function vacuumed(pool: ConnectionPool): Promise<boolean> {
  await sequelizeOf(pool).query('vacuum analyze');
  const text =
    "select 1 from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relpages > 0 and relallvisible = 0";
  return (await withConnection(pool, ({ run }) => run({ text, bind: [] }))).length === 0;
}
