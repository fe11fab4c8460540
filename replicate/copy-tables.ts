import type { DatabaseClient } from '../runtime/database/pool.js';
import { runStatement } from '../runtime/database/run.js';
import { primitives } from '../runtime/edm/index.js';
import { quote } from '../runtime/schema/identifier.js';
import { printTable } from '../runtime/schema/print-schema.js';
import type { CopiedColumn, CopiedSet } from './copied-set.js';

/** The column with the round that wrote a record last. */
export const roundColumn = '#round';

/** Bytes of the longest name that PostgreSQL keeps. */
const longestName = 63;

/** The table with the states. */
export const stateTable = '#replicated';

/** Creates what is missing, and reads the states of the sets. A set without a table has none: it is copied again. */
export async function openTables(client: DatabaseClient, sets: readonly CopiedSet[], states: Map<string, string>): Promise<void> {
  await run(client, `create table if not exists ${quote(stateTable)} ("#set" text primary key, "#state" text not null)`);
  for (const set of sets) await requireCopy(client, set);
  const missing = `"#set" = any($1) and to_regclass(quote_ident("#set")) is null`;
  await run(client, `delete from ${quote(stateTable)} where ${missing}`, [sets.map(({ name }) => name)]);
  for (const set of sets) for (const text of tableStatements(set)) await run(client, text);
  const rows = await run(client, `select "#set", "#state" from ${quote(stateTable)}`);
  for (const [name, state] of rows) states.set(String(name), String(state));
}

// A table of the same name may hold data of another program, be the one of the service itself, or of a former model.
async function requireCopy(client: DatabaseClient, set: CopiedSet): Promise<void> {
  const { name } = set;
  // Its primary key would have the name of the table; PostgreSQL cuts both, as it would those of another set.
  if (Buffer.byteLength(name) >= longestName)
    throw new Error(
      `The name of ${name} has ${Buffer.byteLength(name)} bytes, too many for a table; copy it to a folder, or omit it by --sets.`,
    );
  const isCopy = `exists (select from pg_attribute where attrelid = to_regclass($1) and attname = '${roundColumn}')`;
  const [[answer] = []] = await run(client, `select to_regclass($1) is null or ${isCopy}`, [quote(name)]);
  if (answer !== 't') throw new Error(`The database has a table ${name} that is no copy; name another database, or rename the table.`);
  const difference = (await otherType(client, set)) ?? (await otherKey(client, set));
  if (difference !== undefined)
    throw new Error(`${difference}; drop the table, so that ${name} is copied again, or name another database.`);
}

async function otherType(client: DatabaseClient, { name, columns }: CopiedSet): Promise<string | undefined> {
  const wanted = columns.map((each) => ({ name: each.column, type: sqlType(each) }));
  const [[column, former, type] = []] = await run(
    client,
    `select name, format_type(atttypid, null), type from json_to_recordset($2) wanted(name text, type text)
       join pg_attribute on attrelid = to_regclass($1) and attname = name::name where atttypid <> type::regtype limit 1`,
    [quote(name), JSON.stringify(wanted)],
  );
  return column === undefined
    ? undefined
    : `The column ${column} of the table ${name} has the type ${former}, but its property needs ${type}`;
}

async function otherKey(client: DatabaseClient, { name, key }: CopiedSet): Promise<string | undefined> {
  const [[former, now] = []] = await run(
    client,
    `select string_agg(attname, ', ' order by attname),
         (select string_agg(name::name, ', ' order by name::name) from json_array_elements_text($2) name)
       from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
       where conrelid = to_regclass($1) and contype = 'p'`,
    [quote(name), JSON.stringify(key.map(({ column }) => column))],
  );
  return former === null || former === now ? undefined : `The table ${name} has the key ${former}, but the set has ${now}`;
}

// Properties that a set has gained since are added; those that it has lost stay, without new values.
function tableStatements({ name, key, columns }: CopiedSet): readonly string[] {
  const created = printTable({
    name,
    columns: [...key.map((each) => ({ name: each.column, type: sqlType(each) })), { name: roundColumn, type: 'integer' }],
    constraints: [{ kind: 'primary key', name: `${name}_pkey`, columns: key.map(({ column }) => column) }],
    indexes: [],
  }).replace('create table', 'create table if not exists');
  const added = columns.map((each) => `add column if not exists ${quote(each.column)} ${sqlType(each)}`);
  return [created, `alter table ${quote(name)} ${added.join(', ')}`];
}

function sqlType({ type }: CopiedColumn): string {
  return primitives[type].sql;
}

/** Runs a statement on a client of the target. */
export function run(
  client: DatabaseClient,
  text: string,
  bind: Parameters<typeof runStatement>[1]['bind'] = [],
): ReturnType<typeof runStatement> {
  return runStatement(client, { text, bind });
}
