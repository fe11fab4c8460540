import type { Bind, RowBytes, Statement } from '../sql/statement.js';
import { tapOf } from './row-tap.js';

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

/**
 * Runs a statement through the driver's client and hands each row over as bytes. The result's description is not
 * asked for: the plan knows its columns. Where the socket cannot be tapped, rows come through the driver as text.
 */
export function streamRows(client: SubmittingClient, statement: Statement, name: string | undefined, onRow: (row: RowBytes) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: unknown;
    const deliver = guarded(onRow, (reason) => (failure ??= reason));
    let release = notOpen;
    client.query({
      text: statement.text,
      name,
      submit: (connection: DriverConnection) => {
        release = tapOf(connection.stream).open(deliver);
        send(connection, statement, name);
      },
      handleRowDescription: () => undefined,
      handleDataRow: ({ fields }: { readonly fields: readonly (string | null)[] }) => deliver(rowOfText(fields)),
      handleCommandComplete: () => undefined,
      handleEmptyQuery: () => undefined,
      handlePortalSuspended: () => undefined,
      // The driver has let go of the query then, and calls nothing more of it.
      handleError: (reason: unknown) => {
        release();
        reject(failure ?? reason);
      },
      handleReadyForQuery: () => {
        release();
        if (failure === undefined) resolve();
        else reject(failure);
      },
    });
  });
}

const notOpen = (): void => undefined;

// An error thrown into the socket's listener would take the process along.
function guarded(onRow: (row: RowBytes) => void, fail: (reason: unknown) => void): (row: RowBytes) => void {
  let failed = false;
  return (row) => {
    if (failed) return;
    try {
      onRow(row);
    } catch (reason) {
      failed = true;
      fail(reason);
    }
  };
}

// One packet for all messages, like the driver's own queries; it keeps account of the names itself.
function send(connection: DriverConnection, { text, bind }: Statement, name: string | undefined): void {
  const known = name !== undefined && (connection.parsedStatements[name] ?? connection.submittedNamedStatements[name]) !== undefined;
  connection.stream.cork();
  if (!known) connection.parse({ text, name });
  if (!known && name !== undefined) connection.submittedNamedStatements[name] = text;
  connection.bind({ statement: name, values: bind, valueMapper: bindText });
  connection.execute({});
  connection.sync();
  connection.stream.uncork();
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
