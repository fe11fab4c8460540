import type { Socket } from 'node:net';
import pg from 'pg';
import { bindAndExecute, errorText, type FloorStatement } from './protocol.js';
import type { RowBuffer } from './row-buffer.js';
import { cellsAt, rowShape, writeJsonCell, writeRow, type RowShape } from './row-writer.js';

/** One statement to run, and where its rows go. */
export interface Job {
  readonly statement: FloorStatement;
  readonly values: readonly string[];
  readonly answer: RowBuffer;
  /** Rows of one JSON text, passed on as they are. */
  readonly json: boolean;
  /** Columns whose values in the last row are wanted, to find the next page. */
  readonly places: readonly number[];
  readonly done: (result: JobResult) => void;
}

/** The result of a statement. */
export interface JobResult {
  readonly rows: number;
  readonly last: readonly string[];
  readonly failure: string | undefined;
}

/** A connection that writes rows as bytes. */
export interface FloorConnection {
  /** Runs a job; `onIdle` is called when the connection can take the next one. */
  readonly run: (job: Job, onIdle: OnIdle) => void;
}

type OnIdle = (connection: FloorConnection) => void;

const session = `set "TimeZone" to 'UTC'; set "DateStyle" to 'ISO, YMD'; set client_min_messages to 'warning'`;

// The same at every connection, and known after the first Describe of a statement.
const shapes = new Map<FloorStatement, RowShape>();

/** Lets the driver connect and log in, then takes its socket over: the driver's parser would make a string of every cell. */
export async function openConnection(url: string): Promise<FloorConnection> {
  const client = new pg.Client({ connectionString: url, application_name: 'gable_floor' });
  await client.connect();
  await client.query(session);
  // Not in the driver's declaration.
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.removeAllListeners('data');
  return takeOver(stream);
}

interface Progress {
  readonly job: Job;
  readonly onIdle: OnIdle;
  rows: number;
  /** Where the last row lies, to be read when it is known to be the last. */
  last: readonly [source: Buffer, from: number] | undefined;
  failure: string | undefined;
}

function takeOver(stream: Socket): FloorConnection {
  const known = new Set<string>();
  let progress: Progress | undefined;
  let rest: Buffer = Buffer.alloc(0);
  const connection: FloorConnection = {
    run: (job, onIdle) => {
      progress = { job, onIdle, rows: 0, last: undefined, failure: undefined };
      stream.write(request(job, known));
    },
  };
  stream.on('data', (chunk: Buffer) => {
    rest = eachMessage(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), (type, source, from, to) => {
      if (progress === undefined) return;
      if (type !== readyForQuery) return take(progress, type, source, from, to);
      const { job, onIdle, rows, last, failure } = progress;
      progress = undefined;
      onIdle(connection);
      job.done({ rows, last: last === undefined ? [] : cellsAt(...last, job.places), failure });
    });
  });
  return connection;
}

function request({ statement, values }: Job, known: Set<string>): Buffer {
  const bound = bindAndExecute(statement, values);
  const isKnown = statement.name !== '' && known.has(statement.name);
  if (isKnown) return bound;
  known.add(statement.name);
  return Buffer.concat(shapes.has(statement) ? [statement.parse, bound] : [statement.parse, statement.describe, bound]);
}

type OnMessage = (type: number, source: Buffer, from: number, to: number) => void;

const dataRow = 0x44;
const rowDescription = 0x54;
const readyForQuery = 0x5a;
const errorResponse = 0x45;

/** Passes on every complete message, and returns the rest, the beginning of the next one. */
function eachMessage(chunk: Buffer, onMessage: OnMessage): Buffer {
  let at = 0;
  while (chunk.length - at >= 5) {
    const end = at + 1 + chunk.readInt32BE(at + 1);
    if (end > chunk.length) break;
    onMessage(chunk[at] as number, chunk, at + 5, end);
    at = end;
  }
  return chunk.subarray(at);
}

function take(progress: Progress, type: number, source: Buffer, from: number, to: number): void {
  const { job } = progress;
  if (type === dataRow) {
    const shape = shapes.get(job.statement);
    if (job.json) writeJsonCell(source, from, to, job.answer, progress.rows === 0);
    else if (shape) writeRow(shape, source, from, to, job.answer, progress.rows === 0);
    progress.rows += 1;
    if (job.places.length > 0) progress.last = [source, from];
  } else if (type === rowDescription) shapes.set(job.statement, rowShape(source.subarray(from, to)));
  else if (type === errorResponse) progress.failure = errorText(source.subarray(from, to));
}
