import type { ConnectionPool, DatabaseClient } from '../../database/pool.js';
import { adaptSession, sessionOf, type Session } from '../../database/pool.js';
import { streamRows } from '../../database/row-stream.js';
import { namedText, type StatementNames } from '../../database/statement-names.js';
import { runStatement, withClient } from '../../database/run.js';
import { textsInto, type Row, type Statement } from '../../sql/statement.js';

/** The server at the end of a pool's connections, as far as it limits what the pool can do. */
export interface ReachedServer {
  /** Whether it accepts no changes: a standby, or a server that is set to be read-only. */
  readonly isReadOnly: boolean;
  /** Sentences for the operator about a pooler on the way that lacks a setting. */
  readonly poolerFaults: readonly string[];
}

/** Examines the server of a pool and adapts the pool to a pooler on the way; `openTwo` opens a pool of two connections. */
export async function examineServer(pool: ConnectionPool, openTwo: () => ConnectionPool): Promise<ReachedServer> {
  const { isDirect, passesNames, isReadOnly, encoding, noSchema } = await withClient(pool, askServer);
  if (encoding !== 'UTF8') throw new Error(otherEncoding(encoding));
  if (noSchema !== undefined) throw new Error(noSchema);
  if (isDirect || !(await sharesServers(openTwo()))) return { isReadOnly, poolerFaults: [] };
  const given = sessionOf(pool).names;
  const names = passesNames ? undefined : given;
  const missing = await missingDefaults(pool);
  adaptSession(pool, { isShared: true, names, preamble: preambleOf(missing, names) });
  return {
    isReadOnly,
    poolerFaults: [...(given !== names ? [noNames] : []), ...(missing.length === 0 ? [] : [noDefaults(missing)])],
  };
}

// Other encodings lack characters, and SQL_ASCII counts bytes.
function otherEncoding(encoding: string): string {
  return `its encoding is ${encoding}, and must be UTF8: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0`;
}

const noNames =
  'The connection pooler does not support named prepared statements, so statements are sent without names. PgBouncer 1.21 and later support them with max_prepared_statements; GABLE_PREPARE=false accepts that they are missing.';

function noDefaults(missing: readonly MissingDefault[]): string {
  const commands = missing.map(({ command }) => command).join(' ');
  return `The connection pooler shares server connections between transactions, so every transaction sets its time limits and other settings. To save that, make them defaults of the role (gable database prepare), renew the server connections (RECONNECT in PgBouncer) and start again: ${commands}`;
}

// Until the end of the transaction, so that other clients of the pooler do not inherit the settings.
function preambleOf(missing: readonly MissingDefault[], names: StatementNames | undefined): Session['preamble'] {
  if (missing.length === 0) return [];
  const calls = missing.map(({ name, value }) => `set_config('${name}', '${value}', true)`);
  const statement: Statement = { text: `select ${calls.join(', ')}`, bind: [], unfiltered: true, repeated: true, lockless: true };
  return [{ statement, name: namedText(statement, names)?.name }];
}

interface Answer {
  /** Whether the process that answers is the one that the connection was opened to; a pooler has separate cancel keys. */
  readonly isDirect: boolean;
  /** Whether the name of a prepared statement reaches the server unchanged; a pooler that supports names has its own. */
  readonly passesNames: boolean;
  readonly isReadOnly: boolean;
  readonly encoding: string;
  /** Says that there is no schema that the role may use; PostgreSQL then finds no table, whatever its rights. */
  readonly noSchema: string | undefined;
}

const probe = 'gable_probe';
const question = `select pg_backend_pid(), exists (select from pg_prepared_statements where name = '${probe}'),
  current_setting('transaction_read_only') = 'on', current_setting('server_encoding'),
  case when current_schema() is null then format('the role %s has USAGE on no schema of its search_path, which is %s', current_user, current_setting('search_path')) end`;

async function askServer(client: DatabaseClient): Promise<Answer> {
  const rows: Row[] = [];
  await streamRows(client, { text: question, bind: [] }, { name: probe, modes: [], onRow: textsInto(rows) });
  const [[pid, passesNames, isReadOnly, encoding, noSchema] = []] = rows;
  return {
    isDirect: Number(pid) === client.processID,
    passesNames: passesNames === 't',
    isReadOnly: isReadOnly === 't',
    encoding: encoding ?? '',
    noSchema: noSchema ?? undefined,
  };
}

const rounds = 5;

// A pooler in session mode leaves each of two connections with its own server process; in transaction mode, they share all.
async function sharesServers(two: ConnectionPool): Promise<boolean> {
  adaptSession(two, { isShared: true });
  try {
    return await withClient(two, (first) => withClient(two, (second) => takeTurns(first, second)));
  } finally {
    await two.close();
  }
}

async function takeTurns(first: DatabaseClient, second: DatabaseClient): Promise<boolean> {
  const known = new Map<DatabaseClient, string>();
  for (let round = 0; round < rounds; round++) {
    // Twice in a row, since two processes that serve in turns would seem to belong to the connections.
    for (const client of [first, first, second, second]) {
      const process = await processOf(client);
      if (process !== (known.get(client) ?? process)) return true;
      known.set(client, process);
    }
    if (known.get(first) === known.get(second)) return true;
  }
  return false;
}

async function processOf(client: DatabaseClient): Promise<string> {
  const [row] = await runStatement(client, { text: 'select pg_backend_pid()', bind: [] });
  return row?.[0] ?? '';
}

/** A setting of sessions that is not a default of the role. */
interface MissingDefault {
  readonly name: string;
  readonly value: string;
  /** Makes it a default of the role. */
  readonly command: string;
}

/** The settings that a new server connection would not have. `reset_val` ignores what the pool itself has set. */
export async function missingDefaults(pool: ConnectionPool): Promise<readonly MissingDefault[]> {
  const text = `select wanted.key, wanted.value, format('ALTER ROLE %I IN DATABASE %I SET %s = %L;', session_user, current_database(), wanted.key, wanted.value)
    from json_each_text($1) as wanted join pg_settings on lower(pg_settings.name) = lower(wanted.key)
    where pg_settings.reset_val <> wanted.value`;
  const rows = await withClient(pool, (client) => runStatement(client, { text, bind: [JSON.stringify(sessionOf(pool).settings)] }));
  return rows.map(([name, value, command]) => ({ name: name ?? '', value: value ?? '', command: command ?? '' }));
}
