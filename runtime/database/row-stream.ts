import type { OnRow, Refusal, RowBytes, Statement } from '../sql/statement.js';
import { brakeOf, type Pace, type Brake } from './row-flow.js';
import { tapOf } from './row-tap.js';
import { packetOf, type PacketStatement } from './packet.js';
import { notePlanMode, type PlanMode, planModeOf, planModesFor, setPlanMode } from './plan-choice.js';
import { noteUse, preparedOn, takeSurplus } from './statement-names.js';

/** The driver's interface for custom query objects ("submittables"). */
interface SubmittingClient {
  readonly query: (submittable: object) => unknown;
}

/** The part of the driver's connection that a query object uses. */
interface DriverConnection {
  readonly stream: NodeJS.ReadWriteStream;
}

/** The options for reading a statement's rows. */
export interface Reading {
  readonly name: string | undefined;
  readonly onRow: OnRow;
  /** The plan modes in which it may run; by default those of its kind. */
  readonly modes?: readonly PlanMode[] | undefined;
  readonly pace?: Pace | undefined;
  /** Whether the plan mode is restored: in a transaction, which may be rolled back, and in a session that others share. */
  readonly restoresMode?: boolean;
  readonly around?: Around | undefined;
}

/** Commands and statements sent in the same packet. */
export interface Around {
  readonly before: readonly (string | NamedStatement)[];
  readonly after: readonly string[];
  /** Whether the packet is a transaction by itself. */
  readonly alone?: true;
}

/** A statement sent in the same packet, with its prepared name and the handlers of its failure and rows. */
export interface NamedStatement {
  readonly statement: Statement;
  readonly name: string | undefined;
  readonly refusal?: Refusal;
  readonly onRow?: (row: RowBytes) => void;
  readonly onEnd?: () => void;
}

const alone: Around = { before: [], after: [] };

/**
 * Runs a statement through the driver's client, passes each row as bytes, and returns the tag of the last command. No
 * row description is requested, since the plan knows the columns. Prepared names are tracked here, since the driver assumes one per packet.
 */
export function streamRows(client: SubmittingClient, statement: Statement, reading: Reading): Promise<string> {
  const { before } = reading.around ?? alone;
  return new Promise((resolve, reject) => {
    let endRows: EndRows | undefined;
    let committed: (() => void) | undefined;
    let completed = 0; // Of the statements; negative while the commands before them run.
    let tag = '';
    const onRow: OnRow =
      before.length === 0 ? reading.onRow : (row) => (completed < before.length ? takeOf(before[completed])?.(row) : reading.onRow(row));
    client.query({
      text: statement.text,
      submit: (connection: DriverConnection) => {
        endRows = openRows(connection.stream, onRow, reading.pace);
        ({ committed, completed } = send(connection, statement, reading));
      },
      handleRowDescription: () => undefined,
      handleCommandComplete: ({ text }: { readonly text: string }) => {
        endOf(before[completed])?.();
        completed += 1;
        tag = text;
      },
      handleEmptyQuery: () => undefined,
      handlePortalSuspended: () => undefined,
      // The driver has released the query by then.
      handleError: (reason: unknown) => {
        const failed = endRows?.();
        reject(failed === undefined ? refused(reason, before[completed]) : failed.reason);
      },
      handleReadyForQuery: () => {
        committed?.();
        const failed = endRows?.();
        if (failed === undefined) resolve(tag);
        else reject(failed.reason);
      },
    });
  });
}

function endOf(piece: string | NamedStatement | undefined): NamedStatement['onEnd'] {
  return typeof piece === 'object' ? piece.onEnd : undefined;
}

function takeOf(piece: string | NamedStatement | undefined): NamedStatement['onRow'] {
  return typeof piece === 'object' ? piece.onRow : undefined;
}

// The first statement without a result is the one that failed.
function refused(reason: unknown, piece: string | NamedStatement | undefined): unknown {
  return typeof piece === 'object' && piece.refusal ? piece.refusal(reason) : reason;
}

interface Sent {
  /** Called after the server has executed the packet. */
  readonly committed: () => void;
  /** Less than zero by the commands that precede its statements. */
  readonly completed: number;
}

// All messages in one packet, like the driver's own queries. In a packet that is a transaction by itself, the plan mode
// is set for all of its statements.
function send(connection: DriverConnection, statement: Statement, reading: Reading): Sent {
  const { name, pace, around = alone } = reading;
  const prepared = preparedOn(connection);
  const surplus = takeSurplus(prepared);
  const { before, after, committed } = planChanges(connection, statement, reading);
  const isFirst = around.alone === true;
  const pieceOf = pieceMaker(prepared);
  const pieces = [
    ...(isFirst ? before : []),
    ...around.before.map((piece) => (typeof piece === 'string' ? piece : pieceOf(piece.statement, piece.name))),
    ...(isFirst ? [] : before),
    ...(pace ? [pace.before] : []),
    pieceOf(statement, name),
    ...after,
    ...(pace ? [pace.after] : []),
    ...around.after,
  ];
  connection.stream.write(packetOf(pieces, surplus));
  return {
    committed: () => {
      committed();
      for (const piece of pieces) if (typeof piece === 'object' && piece.name !== '') noteUse(prepared, piece.name);
    },
    completed: isFirst ? -before.length : 0,
  };
}

// The first piece with a name prepares it for the later ones.
function pieceMaker(prepared: ReadonlySet<string>): (statement: Statement, name: string | undefined) => PacketStatement {
  const preparing = new Set<string>();
  return ({ text, bind }, name = '') => {
    const known = name !== '' && (prepared.has(name) || preparing.has(name));
    if (!known) preparing.add(name);
    return { text, bind, name, known };
  };
}

interface PlanChanges {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly committed: () => void;
}

const unchanged: PlanChanges = { before: [], after: [], committed: () => undefined };

// Statements of one kind come in succession, so the mode stays until another is needed. A failure undoes the SET with
// the statement, as both are in one implicit transaction; within an outer transaction the mode is restored.
function planChanges(connection: DriverConnection, statement: Statement, reading: Reading): PlanChanges {
  const { name, modes = planModesFor(statement, name, false), restoresMode } = reading;
  const current = planModeOf(connection);
  const [needed] = modes;
  if (needed === undefined || modes.includes(current)) return unchanged;
  if (restoresMode)
    return needed === 'auto' && name !== undefined
      ? unchanged
      : { ...unchanged, before: [setPlanMode(needed)], after: [setPlanMode(current)] };
  return { ...unchanged, before: [setPlanMode(needed)], committed: () => notePlanMode(connection, needed) };
}

/** Ends the flow of a statement's rows and resumes the socket; returns the error thrown at a row. */
type EndRows = () => { readonly reason: unknown } | undefined;

/** Passes the rows of a socket to `onRow`, and pauses the socket while that is busy. */
function openRows(socket: NodeJS.ReadWriteStream, onRow: OnRow, pace: Pace | undefined): EndRows {
  let failed: { readonly reason: unknown } | undefined;
  let brake: Brake | undefined;
  const watch = pace?.watch();
  const take = (row: RowBytes): void => {
    watch?.onRow();
    if (failed !== undefined) return;
    try {
      const pending = onRow(row);
      if (pending !== undefined) (brake ??= brakeOf(socket, watch)).until(pending);
    } catch (reason) {
      // An exception in the socket's listener would end the process.
      failed = { reason };
    }
  };
  const closeTap = tapOf(socket).open(take);
  return () => {
    closeTap();
    watch?.stop();
    brake?.release();
    return failed;
  };
}
