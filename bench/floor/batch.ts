import type { ServerResponse } from 'node:http';
import { type Body, rowsOf, send } from './answers.js';
import type { Pool, Run } from './pool.js';
import { floorStatement, type FloorStatement } from './protocol.js';

/** The body of a batch. */
export interface BatchBody {
  readonly requests: readonly { readonly id: string; readonly url: string; readonly body?: Body }[];
}

/** A statement with its values, for one request of a batch. */
export type Bound = readonly [FloorStatement, readonly string[]];

/** Answers a batch of reads by key, all at once. */
export async function answerReads(
  { run }: Pool,
  response: ServerResponse,
  { requests }: BatchBody,
  read: FloorStatement,
  json: boolean,
): Promise<void> {
  const answers = requests.map(({ id, url }) => rowsOf(run, read, [/'(.*)'/.exec(url)?.[1] ?? ''], { before: memberOf(id, 200), json }));
  sendBatch(response, await Promise.all(answers));
}

/** Answers a batch of creates in one transaction. */
export async function answerCreates(
  pool: Pool,
  response: ServerResponse,
  { requests }: BatchBody,
  create: (body: Body) => Bound,
): Promise<void> {
  const answers = await pool.lend(async (run) => {
    const done: Buffer[] = [];
    await runCommand(run, begin);
    for (const { id, body = {} } of requests) done.push(await rowsOf(run, ...create(body), { before: memberOf(id, 201), json: false }));
    await runCommand(run, commit);
    return done;
  });
  sendBatch(response, answers);
}

const begin = floorStatement('begin', 'start transaction');
const commit = floorStatement('commit', 'commit');

function runCommand(run: Run, command: FloorStatement): Promise<Buffer> {
  return rowsOf(run, command, [], { before: '', json: false });
}

function memberOf(id: string, status: number): string {
  return `{"id":"${id}","status":${status},"body":`;
}

function sendBatch(response: ServerResponse, answers: readonly Buffer[]): void {
  const parts = answers.flatMap((answer, index) => [Buffer.from(index === 0 ? '{"responses":[' : '},'), answer]);
  const bytes = Buffer.concat([...parts, Buffer.from('}]}')]);
  send(response, 200, { bytes, length: bytes.length });
}
