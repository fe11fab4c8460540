import type { ConnectionPool, DatabaseClient } from '../runtime/database/pool.js';
import { connect } from '../runtime/database/connect.js';
import { copyCell, copyLines, type CopyValue } from '../runtime/database/copy.js';
import { withClient } from '../runtime/database/run.js';
import { databaseText, quote, quoteList } from '../runtime/schema/identifier.js';
import type { Changed } from './changed-records.js';
import type { CopiedColumn, CopiedSet } from './copied-set.js';
import { openTables, roundColumn, run, stateTable } from './copy-tables.js';
import { holdSets } from './hold-sets.js';
import { keyOf, keyText, roundedPart, type Key, type ServiceRecord } from './key.js';
import type { SetState, Target } from './target.js';

/** A PostgreSQL database: a table for each set, and one with the states, which each page's transaction updates. */
export function postgresTarget(url: string): Target {
  const pool = connect(url, { poolSize: 5, statementTimeout: 0, lockTimeout: 0, idleInTransactionTimeout: 0, acquireTimeout: 60_000 });
  // Texts, so that a state is compared as it was stored.
  const states = new Map<string, string>();
  let release: (() => Promise<void>) | undefined;
  return {
    open: async (sets) => {
      release = await holdSets(
        pool,
        sets.map(({ name }) => name),
      );
      await withClient(pool, (client) => inTransaction(client, () => openTables(client, sets, states)));
    },
    state: ({ name }) => (states.has(name) ? (JSON.parse(states.get(name) ?? '') as SetState) : undefined),
    write: (set, page, next) => write(pool, set, page, { states, next }),
    keys: (set, before) => withClient(pool, (client) => readKeys(client, set, before)),
    settle: () => Promise.resolve(),
    close: async () => {
      await release?.();
      await pool.close();
    },
  };
}

/** The states of the target, and that after a page. */
interface Step {
  readonly states: Map<string, string>;
  readonly next: SetState;
}

async function write(pool: ConnectionPool, set: CopiedSet, page: Changed, { states, next }: Step): Promise<number> {
  const text = JSON.stringify(next);
  for (const record of page.records) requireExact(set, keyOf(set, record));
  // Only exact keys are in the table.
  const gone = page.removed.filter((key) => roundedPart(set, key) === undefined);
  const removed = await withClient(pool, (client) =>
    inTransaction(client, async () => {
      for (const { columns, records } of groupsOf(set, page)) await upsert(client, set, { columns, records, round: next.round });
      const count = gone.length > 0 ? await remove(client, set, gone) : 0;
      await saveState(client, set, states.get(set.name), text);
      return count;
    }),
  );
  states.set(set.name, text);
  return removed;
}

function requireExact(set: CopiedSet, key: Key): void {
  const part = roundedPart(set, key);
  if (part === undefined) return;
  const value = String(key[set.key.findIndex(({ name }) => name === part)]);
  throw new Error(
    `the key ${part} of a record is ${value}, and PostgreSQL keeps no digits after the microseconds: it could become the key of another record; copy the set to a folder.`,
  );
}

// The state is compared as it is replaced: of two processes that copy one set, after the first has lost its lock, one fails.
async function saveState(client: DatabaseClient, { name }: CopiedSet, former: string | undefined, text: string): Promise<void> {
  const table = quote(stateTable);
  const rows =
    former === undefined
      ? await run(client, `insert into ${table} values ($1, $2) on conflict do nothing returning 1`, [name, text])
      : await run(client, `update ${table} set "#state" = $2 where "#set" = $1 and "#state" = $3 returning 1`, [name, text, former]);
  if (rows.length === 0) throw new Error(`Another process copies ${name} to this database; stop one of the two.`);
}

/** Records with values for the same columns. */
interface Group {
  readonly columns: readonly CopiedColumn[];
  readonly records: readonly ServiceRecord[];
}

// Of several copies of a record in a page, the last is the newest.
function groupsOf(set: CopiedSet, { records, isPartial = false }: Changed): readonly Group[] {
  const newest = [...new Map(records.map((record) => [keyText(set, keyOf(set, record)), record])).values()];
  if (!isPartial) return newest.length === 0 ? [] : [{ columns: set.columns, records: newest }];
  const groups = new Map<string, { columns: readonly CopiedColumn[]; records: ServiceRecord[] }>();
  for (const record of newest) {
    const columns = set.columns.filter(({ name }) => record[name] !== undefined);
    const signature = columns.map(({ column }) => column).join('\0');
    const group = groups.get(signature) ?? { columns, records: [] };
    group.records.push(record);
    groups.set(signature, group);
  }
  return [...groups.values()];
}

const page = quote('#page');

async function upsert(
  client: DatabaseClient,
  set: CopiedSet,
  { columns, records, round }: Group & { readonly round: number },
): Promise<void> {
  const names = columns.map(({ column }) => quote(column));
  const list = names.join(', ');
  const changes = [...names, quote(roundColumn)].map((name) => `${name} = excluded.${name}`);
  await fill(client, set, columns, records);
  const inserted = `insert into ${quote(set.name)} (${list}, ${quote(roundColumn)}) select ${list}, ${round} from ${page}`;
  await run(client, `${inserted} on conflict ${quoteList(set.key.map(({ column }) => column))} do update set ${changes.join(', ')}`);
  await run(client, `drop table ${page}`);
}

async function remove(client: DatabaseClient, set: CopiedSet, keys: readonly Key[]): Promise<number> {
  await fill(
    client,
    set,
    set.key,
    keys.map((values) => Object.fromEntries(set.key.map(({ name }, index) => [name, values[index]]))),
  );
  const same = set.key.map(({ column }) => `copy.${quote(column)} = page.${quote(column)}`).join(' and ');
  const gone = await run(client, `delete from ${quote(set.name)} copy using ${page} page where ${same} returning 1`);
  await run(client, `drop table ${page}`);
  return gone.length;
}

// A temporary table with columns of the right types, so that the database reads each value once.
async function fill(client: DatabaseClient, { name }: CopiedSet, columns: Group['columns'], records: Group['records']): Promise<void> {
  const list = columns.map(({ column }) => quote(column)).join(', ');
  await run(client, `create temporary table ${page} on commit drop as select ${list} from ${quote(name)} with no data`);
  const cells = columns.map(({ name: member, type }) => ({ member, cell: cellOf(type) }));
  const lines = function* (): Generator<string> {
    for (const record of records) {
      let line = '';
      for (const { member, cell } of cells) line += `\t${cell(record[member] ?? null)}`;
      yield `${line.slice(1)}\n`;
    }
  };
  await copyLines(client, `copy ${page} (${list}) from stdin`, lines());
}

type Cell = (value: unknown) => string;

// Called for each value, so that most are copied as they are. PostgreSQL stores no NUL character.
function cellOf(type: CopiedColumn['type']): Cell {
  if (type === 'Edm.ComplexType') return (value) => copyCell(value === null ? null : withoutNul(JSON.stringify(value)));
  if (type === 'Edm.Duration' || type === 'Edm.Binary')
    return (value) => copyCell(value === null ? null : databaseText(type, String(value)));
  return (value) => copyCell(typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : (value as CopyValue));
}

function withoutNul(json: string): string {
  return json.includes('\\u0000') ? json.replace(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1\\ufffd') : json;
}

// As JSON, whose texts have the form of the service's, except for numbers that JavaScript would round.
async function readKeys(client: DatabaseClient, { name, key }: CopiedSet, before: number | undefined): Promise<readonly Key[]> {
  const values = key.map(({ column, type }) => `${quote(column)}${/Int64|Decimal/.test(type) ? '::text' : ''}`).join(', ');
  const unseen = before === undefined ? '' : ` where ${quote(roundColumn)} < ${before}`;
  const rows = await run(client, `select json_build_array(${values}) from ${quote(name)}${unseen}`);
  return rows.map(([text]) => (JSON.parse(String(text)) as Key).map((value, index) => keyValue(key[index]?.type, value)));
}

// PostgreSQL has a minus in front of each part of a duration, the standard one in front of the P.
function keyValue(type: CopiedColumn['type'] | undefined, value: unknown): unknown {
  const isNegative = type === 'Edm.Duration' && String(value).includes('-');
  return isNegative ? `-${String(value).replaceAll('-', '')}` : value;
}

async function inTransaction<T>(client: DatabaseClient, work: () => Promise<T>): Promise<T> {
  await run(client, 'begin');
  try {
    const result = await work();
    await run(client, 'commit');
    return result;
  } catch (error) {
    // Of a lost connection the server rolls back itself.
    await run(client, 'rollback').catch(() => undefined);
    throw error;
  }
}
