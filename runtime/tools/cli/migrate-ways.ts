import { abandonMigration, migrate, withOwnConnection } from '../migrations/migrate.js';
import { findDrift, printDifference } from '../migrations/drift.js';
import { findLateSequences } from '../migrations/sequences.js';
import { readSchema } from '../migrations/schema-watch.js';
import { readStatus, rowEstimates, type MigrationStatus } from '../migrations/migration-status.js';
import type { OnProgress } from '../migrations/apply-migration.js';
import { progressOf } from './progress.js';
import type { MigrationStep, Phase } from '../migrations/migration-files.js';
import type { Database } from '../embedded/open.js';
import { serviceTables } from '../../features/service-tables.js';

/** The parsed options of `gable migrate`. */
export interface Ways {
  readonly folder: string;
  readonly json: boolean;
  /** The migration to apply the option to, by name. */
  readonly name: string | undefined;
  /** The last phase that is run. */
  readonly until: Phase | undefined;
}

/** The exit code for a database that is not up to date. */
const stale = 4;

/** Prints the pending steps. */
export async function planPending({ pool }: Database, { folder, json }: Ways): Promise<number> {
  const open = (await readStatus(pool, folder)).filter(({ state }) => state === 'pending' || state === 'begun');
  const rows = await rowEstimates(pool);
  if (json)
    print(
      JSON.stringify({
        pending: open.map(({ name, state, steps }) => ({
          name,
          state,
          steps: steps.map((step) => ({ ...step, rows: rowsOf(step, rows) })),
        })),
      }),
    );
  else print(open.length === 0 ? upToDate : open.map((status) => printPlan(status, rows)).join('\n'));
  return 0;
}

/** Applies pending migrations. */
export async function applyPending({ pool }: Database, { folder, json, until }: Ways): Promise<number> {
  const applied = await migrate(pool, folder, serviceTables, {
    onProgress: stepReporter(process.stderr),
    onWait: reportWaiting,
    until,
  });
  const begun = (await readStatus(pool, folder)).find(({ state }) => state === 'begun');
  const lines = [
    ...applied.map((name) => `applied ${name}`),
    ...(begun === undefined ? [] : [`started ${begun.name}, ${stepsLeft(begun.steps.length)}`]),
  ];
  if (json) print(JSON.stringify({ applied, begun: begun?.name ?? null }));
  else print(lines.length === 0 ? upToDate : lines.join('\n'));
  return 0;
}

/** Prints to stderr that it waits for another process. */
export function reportWaiting(): void {
  process.stderr.write('Another process is migrating this database; waiting for it to end.\n');
}

/** Prints the state of each migration. */
export async function showStatus({ pool }: Database, { folder, json }: Ways): Promise<number> {
  const all = await readStatus(pool, folder);
  if (json)
    print(
      JSON.stringify({
        migrations: all.map(({ name, state, appliedAt, steps }) => ({
          name,
          state,
          appliedAt: appliedAt ?? null,
          stepsLeft: steps.length,
        })),
      }),
    );
  else print(all.map(printStatus).join('\n'));
  if (all.some(({ state }) => state === 'changed')) return 2;
  return all.every(({ state }) => state === 'applied') ? 0 : stale;
}

/** Compares the database with the schema of the migrations. */
export async function verifyDatabase({ pool }: Database, { folder, json }: Ways): Promise<number> {
  const open = (await readStatus(pool, folder)).filter(({ state }) => state !== 'applied');
  const schema = readSchema(folder);
  const differences = await withOwnConnection(pool, async (client) => [
    ...(await findDrift(client, schema)),
    ...(await findLateSequences(client)),
  ]);
  const lines = [...open.map(printStatus), ...differences.map(printDifference)];
  if (json) print(JSON.stringify({ migrations: open.map(({ name, state }) => ({ name, state })), differences }));
  else print(lines.length === 0 ? 'The database matches the migrations.' : lines.join('\n'));
  return lines.length === 0 ? 0 : stale;
}

/** Forgets an abandoned migration, and prints its leftovers. */
export async function abandonBegun(database: Database, ways: Ways): Promise<number> {
  const abandoned = await abandonMigration(database.pool, ways.folder, ways.name, reportWaiting);
  if (!ways.json) print(`abandoned ${abandoned}`);
  return verifyDatabase(database, ways);
}

/** Prints each step, and the progress of batches. */
export function stepReporter(output: Parameters<typeof progressOf>[0]): OnProgress {
  let current: { readonly step: string; readonly progress: ReturnType<typeof progressOf> } | undefined;
  return (file, { number, phase, manner }, batches) => {
    if (phase === undefined) return;
    const step = `${file} step ${number}, ${phase} ${manner}`;
    if (batches === undefined) return void output.write(`${step}\n`);
    const { done, end } = batches;
    if (current?.step !== step) current = { step, progress: progressOf(output, { total: end, what: 'rows', before: `${step}: ` }) };
    current.progress.show(done);
    if (done === end) current.progress.end();
  };
}

const upToDate = 'Nothing to apply; the database is up to date.';

function printStatus({ name, state, appliedAt, steps }: MigrationStatus): string {
  switch (state) {
    case 'applied':
      return `applied  ${name}  ${appliedAt}`;
    case 'begun':
      return `started  ${name}  ${stepsLeft(steps.length)}`;
    case 'pending':
      return `pending  ${name}`;
    case 'changed':
      return `changed  ${name}  differs from the file that was applied`;
    case 'unknown':
      return `unknown  ${name}  is ${appliedAt === undefined ? 'started in' : 'in'} the database but not in the folder`;
  }
}

function printPlan({ name, state, steps }: MigrationStatus, rows: ReadonlyMap<string, number>): string {
  const blocks = steps.map((step) => {
    const { number, phase, manner, costs, text } = step;
    if (phase === undefined) return '  in one transaction, on tables that it creates\n';
    const counts = rowsOf(step, rows).map(({ table, count }) => `${table} has about ${count} rows`);
    const statements = text
      .trim()
      .split('\n')
      .map((line) => `      ${line}`);
    return [`  step ${number}, ${phase} ${manner}`, `    ${[costs, ...counts].join('; ')}`, ...statements, ''].join('\n');
  });
  return [`${name}${state === 'begun' ? ' (started)' : ''}`, ...blocks].join('\n');
}

function rowsOf(
  { costs }: MigrationStep,
  rows: ReadonlyMap<string, number>,
): readonly { readonly table: string; readonly count: number }[] {
  const named = [...costs.matchAll(/"((?:[^"]|"")+)"/g)].map(([, name = '']) => name.replace(/""/g, '"'));
  return [...new Set(named)].flatMap((table) => (rows.has(table) ? [{ table, count: rows.get(table) ?? 0 }] : []));
}

function print(text: string): void {
  process.stdout.write(`${text.replace(/\n*$/, '')}\n`);
}

function stepsLeft(count: number): string {
  return count === 1 ? '1 step left' : `${count} steps left`;
}
