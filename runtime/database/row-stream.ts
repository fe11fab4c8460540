import type { OnRow, RowBytes, Statement } from '../sql/statement.js';
import type { Pace } from './pace.js';
import { statementPacket } from './packet.js';
import { notePlanMode, planModeFor, planModeOf, setPlanMode } from './plan-mode.js';
import { openRows, type RowFlow } from './row-flow.js';

/** What the driver's client offers to a query object of one's own (a "submittable"). */
export interface SubmittingClient {
  readonly query: (submittable: object) => unknown;
}

/** The driver's connection, as far as a query object needs it. */
export interface DriverConnection {
  readonly stream: NodeJS.ReadWriteStream;
  readonly parsedStatements: { readonly [name: string]: string | undefined };
  readonly submittedNamedStatements: { [name: string]: string | undefined };
}

/** How the rows of a statement are read. */
export interface Reading {
  readonly name: string | undefined;
  readonly onRow: OnRow;
  readonly pace?: Pace;
  /** Within a transaction, which may be rolled back, and settings with it. */
  readonly inTransaction?: boolean;
}

/**
 * Runs a statement through the driver's client and hands each row over as bytes. The result's description is not
 * asked for: the plan knows its columns. Where the socket cannot be tapped, rows come through the driver as text.
 */
export function streamRows(client: SubmittingClient, statement: Statement, reading: Reading): Promise<void> {
  return new Promise((resolve, reject) => {
    let rows: RowFlow | undefined;
    let committed: (() => void) | undefined;
    client.query({
      text: statement.text,
      name: reading.name,
      submit: (connection: DriverConnection) => {
        rows = openRows(connection.stream, reading);
        committed = send(connection, statement, reading);
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
        committed?.();
        const failed = rows?.close();
        if (failed === undefined) resolve();
        else reject(failed.reason);
      },
    });
  });
}

// One packet for all messages, like the driver's own queries; it keeps account of the names itself. What is returned is
// to be called when the server has committed it.
function send(connection: DriverConnection, statement: Statement, reading: Reading): () => void {
  const { stream, parsedStatements, submittedNamedStatements } = connection;
  const { text, bind } = statement;
  const { name, pace } = reading;
  const known = name !== undefined && (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined;
  if (!known && name !== undefined) submittedNamedStatements[name] = text;
  const { before, after, committed } = planChanges(connection, statement, reading);
  stream.write(statementPacket({
    text,
    name: name ?? '',
    bind,
    known,
    before: pace ? [...before, pace.before] : before,
    after: pace ? [...after, pace.after] : after,
  }));
  return committed;
}

interface PlanChanges {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly committed: () => void;
}

const unchanged: PlanChanges = { before: [], after: [], committed: () => undefined };

// Statements of one kind come in a row, so the mode stays until another one is needed. A failure takes the SET back with
// the statement, as both are in one implicit transaction; a transaction of somebody else's is left as it was found.
function planChanges(connection: DriverConnection, statement: Statement, { name, inTransaction }: Reading): PlanChanges {
  const [current, needed] = [planModeOf(connection), planModeFor(statement)];
  if (name === undefined || current === needed) return unchanged;
  if (inTransaction) return needed === 'auto' ? unchanged : { ...unchanged, before: [setPlanMode(needed)], after: [setPlanMode(current)] };
  return { ...unchanged, before: [setPlanMode(needed)], committed: () => notePlanMode(connection, needed) };
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
