import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Run } from './pool.js';
import type { FloorStatement } from './protocol.js';
import { rowBuffer, writeAscii, type RowBuffer } from './row-buffer.js';
import type { JobResult } from './connection.js';

/** The text around the rows of an answer. */
export interface Frame {
  readonly before: string;
  readonly after: (result: JobResult) => string;
  readonly json: boolean;
  readonly places?: readonly number[];
}

/** The text before the rows of an answer with one record, or one of a batch. */
export type Before = Pick<Frame, 'before' | 'json'>;

/** The sizes of previous answers, by which buffers for the same statement are allocated. */
const sizes = new WeakMap<FloorStatement, number>();

/** Runs one statement and sends its rows. */
export function answerRows(run: Run, response: ServerResponse, statement: FloorStatement, values: readonly string[], frame: Frame): void {
  const answer = rowBuffer(sizes.get(statement) ?? 0);
  writeAscii(answer, frame.before);
  run({
    statement,
    values,
    answer,
    json: frame.json,
    places: frame.places ?? [],
    done: (result) => {
      if (result.failure !== undefined) return sendFailure(response, result.failure);
      writeAscii(answer, frame.after(result));
      sizes.set(statement, answer.bytes.length);
      send(response, result.rows === 0 && frame.before === '' ? 404 : 200, answer);
    },
  });
}

/** The answer to one statement, after some text. */
export function rowsOf(run: Run, statement: FloorStatement, values: readonly string[], { before, json }: Before): Promise<Buffer> {
  const answer = rowBuffer(sizes.get(statement) ?? 0);
  writeAscii(answer, before);
  return new Promise((found, fail) =>
    run({
      statement,
      values,
      answer,
      json,
      places: [],
      done: ({ failure }) => {
        if (failure !== undefined) return fail(new Error(failure));
        sizes.set(statement, answer.bytes.length);
        found(answer.bytes.subarray(0, answer.length));
      },
    }),
  );
}

/** Runs one statement whose rows nobody wants: 204. */
export function answerNothing(run: Run, response: ServerResponse, statement: FloorStatement, values: readonly string[]): void {
  run({
    statement,
    values,
    answer: rowBuffer(0),
    json: false,
    places: [],
    done: ({ rows, failure }) => {
      if (failure !== undefined) return sendFailure(response, failure);
      response.writeHead(rows === 0 ? 404 : 204).end();
    },
  });
}

/** The body of a write. */
export type Body = { readonly [name: string]: string | undefined };

/** The whole body of a request. */
export async function readJson<Read = Body>(request: IncomingMessage): Promise<Read> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Read;
}

/** Sends a whole answer. */
export function send(response: ServerResponse, status: number, { bytes, length }: RowBuffer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length }).end(bytes.subarray(0, length));
}

function sendFailure(response: ServerResponse, failure: string): void {
  response.writeHead(500, { 'Content-Type': 'text/plain' }).end(failure);
}
