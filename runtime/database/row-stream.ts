import type { OnRow, RowBytes, Statement } from '../sql/statement.js';
import type { Pace } from './pace.js';
import { statementPacket } from './packet.js';
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

// One packet for all messages, like the driver's own queries; it keeps account of the names itself.
function send({ stream, parsedStatements, submittedNamedStatements }: DriverConnection, { text, bind, reusable }: Statement, { name, pace }: Reading): void {
  const known = name !== undefined && (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined;
  if (!known && name !== undefined) submittedNamedStatements[name] = text;
  const isPlannedAnew = name !== undefined && !reusable;
  stream.write(statementPacket({
    text,
    name: name ?? '',
    bind,
    known,
    before: [...(isPlannedAnew ? [customPlan] : []), ...(pace ? [pace.before] : [])],
    after: [...(isPlannedAnew ? [usualPlan] : []), ...(pace ? [pace.after] : [])],
  }));
}

// A filter that comes again is parsed once and planned for its values each time: the plan for any values can cost
// thousands of times as much. After an error the server forgets the first SET, as both are in one implicit transaction.
const customPlan = 'SET plan_cache_mode TO force_custom_plan';
const usualPlan = 'SET plan_cache_mode TO auto';

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
