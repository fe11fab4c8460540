import type { Bind, OnRow, RowBytes, Statement } from '../sql/statement.js';
import type { Pace } from './pace.js';
import { openRows, type RowFlow } from './row-flow.js';

/** What the driver's client offers to a query object of one's own (a "submittable"). */
export interface SubmittingClient {
  readonly query: (submittable: object) => unknown;
}

/** The driver's connection, as far as a query object needs it. */
export interface DriverConnection {
  readonly stream: NodeJS.ReadWriteStream & { readonly cork: () => void; readonly uncork: () => void };
  readonly parsedStatements: { readonly [name: string]: string | undefined };
  readonly submittedNamedStatements: { [name: string]: string | undefined };
  readonly parse: (query: { readonly text: string; readonly name?: string | undefined }) => void;
  readonly bind: (query: { readonly statement?: string | undefined; readonly values: readonly Bind[]; readonly valueMapper: (value: Bind) => string | null }) => void;
  readonly execute: (query: object) => void;
  readonly sync: () => void;
}

/** How the rows of a statement are read. */
export interface Reading {
  readonly name: string | undefined;
  readonly onRow: OnRow;
  readonly pace?: Pace;
}

/**
 * Runs a statement through the driver's client and hands each row over as bytes. The result's description is not
 * asked for: the plan knows its columns. Where the socket cannot be tapped, rows come through the driver as text.
 */
export function streamRows(client: SubmittingClient, statement: Statement, reading: Reading): Promise<void> {
  return new Promise((resolve, reject) => {
    let rows: RowFlow | undefined;
    client.query({
      text: statement.text,
      name: reading.name,
      submit: (connection: DriverConnection) => {
        rows = openRows(connection.stream, reading);
        send(connection, statement, reading);
      },
      handleRowDescription: () => undefined,
      handleDataRow: ({ fields }: { readonly fields: readonly (string | null)[] }) => rows?.take(rowOfText(fields)),
      handleCommandComplete: () => undefined,
      handleEmptyQuery: () => undefined,
      handlePortalSuspended: () => undefined,
      // The driver has let go of the query then, and calls nothing more of it.
      handleError: (reason: unknown) => {
        const failed = rows?.close();
        reject(failed === undefined ? reason : failed.reason);
      },
      handleReadyForQuery: () => {
        const failed = rows?.close();
        if (failed === undefined) resolve();
        else reject(failed.reason);
      },
    });
  });
}

// One packet for all messages, like the driver's own queries; it keeps account of the names itself. It takes the first
// statement that is parsed for the named one, so that has to be it.
function send(connection: DriverConnection, { text, bind }: Statement, { name, pace }: Reading): void {
  const known = name !== undefined && (connection.parsedStatements[name] ?? connection.submittedNamedStatements[name]) !== undefined;
  connection.stream.cork();
  if (!known && (name !== undefined || pace === undefined)) connection.parse({ text, name });
  if (!known && name !== undefined) connection.submittedNamedStatements[name] = text;
  if (pace) execute(connection, pace.before);
  if (pace && name === undefined) connection.parse({ text });
  connection.bind({ statement: name, values: bind, valueMapper: bindText });
  connection.execute({});
  if (pace) execute(connection, pace.after);
  connection.sync();
  connection.stream.uncork();
}

function execute(connection: DriverConnection, text: string): void {
  connection.parse({ text });
  connection.bind({ values: [], valueMapper: bindText });
  connection.execute({});
}

/** A bind in PostgreSQL's text form; an array becomes an array literal. */
export function bindText(value: Bind): string | null {
  if (value === null || typeof value === 'string') return value;
  return `{${value.map((item) => (item === null ? 'NULL' : `"${item.replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`;
}

function rowOfText(fields: readonly (string | null)[]): RowBytes {
  const bytes = Buffer.from(fields.map((field) => field ?? '').join(''), 'utf8');
  const starts = new Int32Array(fields.length);
  const ends = new Int32Array(fields.length);
  let at = 0;
  for (const [index, field] of fields.entries()) {
    starts[index] = field === null ? -1 : at;
    at += field === null ? 0 : Buffer.byteLength(field);
    ends[index] = at;
  }
  return { bytes, starts, ends };
}
