import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { sendStream, type Sending } from '../../runtime/http/send-response.js';
import { bodyOf, waitingBytes, type TakeChunk } from '../../runtime/response/chunked-body.js';
import { until } from '../operation/until.js';
import { sendRaw } from './raw-client.js';

const chunk = Buffer.alloc(64 * 1024, 'x');

/** Makes chunks for as long as somebody takes them, and counts. */
async function make(take: TakeChunk, chunks: number, made: { chunks: number }): Promise<Buffer> {
  for (; made.chunks < chunks; made.chunks += 1) await take(chunk);
  return Buffer.from('end');
}

test('what is made without a chunk is whole', async (t) => {
  t.deepEqual(await bodyOf(() => Promise.resolve(Buffer.from('all'))), Buffer.from('all'));
  await t.throwsAsync(
    bodyOf(() => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
});

test('no more is made than may wait, and all of it arrives in order', async (t) => {
  const made = { chunks: 0 };
  const body = (await bodyOf((take) => make(take, 100, made))) as Readable;
  for (let turns = 0; turns < 100; turns += 1) await turn();
  t.true(made.chunks * chunk.length <= waitingBytes, `${made.chunks} chunks wait`);
  let length = 0;
  let most = 0;
  let last: Buffer = Buffer.alloc(0);
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += (last = piece).length;
    most = Math.max(most, made.chunks * chunk.length - length);
  }
  t.is(length, 100 * chunk.length + 3);
  t.is(last.toString('utf8', last.length - 3), 'end');
  t.true(most <= waitingBytes + chunk.length, `${most} bytes were waiting`);
});

test('a failure after the first chunk destroys the stream', async (t) => {
  const body = (await bodyOf(async (take) => {
    await take(chunk);
    throw new Error('half-way');
  })) as Readable;
  await t.throwsAsync(body.toArray(), { message: 'half-way' });
});

test('the maker of what nobody reads any more comes to its end', async (t) => {
  const made = { chunks: 0 };
  const body = (await bodyOf((take) => make(take, 100, made))) as Readable;
  body.destroy();
  for (let turns = 0; turns < 200 && made.chunks < 100; turns += 1) await turn();
  t.is(made.chunks, 100);
});

const sending = (readerTimeout: number, logFailure: (failure: unknown) => void): Sending => ({
  service: { readerTimeout, logFailure },
  requestId: 'id',
  sent: () => undefined,
});

async function serveStream(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('a client that takes nothing for too long is cut off, and the log says so', async (t) => {
  const endless = new Readable({ read: () => void endless.push(chunk) });
  let log: ((failure: unknown) => void) | undefined;
  const logged = new Promise<{ readonly code?: string }>((resolve) => (log = resolve as typeof log));
  const url = await serveStream(t, (_, response) =>
    sendStream(
      endless,
      response,
      sending(200, (failure) => log?.(failure)),
    ),
  );
  const client = await sendRaw('GET', url, 'x');
  await client.begun;
  t.is((await logged).code, '1498');
  t.true(endless.destroyed);
  t.false((await client.rest()).whole);
});

// A pause that the machine lengthens beyond the limit says nothing; then the limit is longer.
test('a client that reads slowly, but reads, is not', async (t) => {
  let read = await readSlowly(t, 300);
  for (const limit of [1_200, 4_800]) if (read.longest >= read.limit) read = await readSlowly(t, limit);
  const { limit, paused, whole, length, failures, cuts } = read;
  t.true(paused > limit, 'all pauses together are longer than the limit');
  t.true(whole);
  t.is(length, 400 * chunk.length + 3);
  t.deepEqual([failures, cuts], [[], [undefined]]);
});

// Pauses for a third of the limit after every 4 MB, which is more than the buffers of both sides hold.
async function readSlowly(t: ExecutionContext, limit: number) {
  const made = { chunks: 0 };
  const failures: unknown[] = [];
  const cuts: (string | undefined)[] = [];
  const url = await serveStream(t, (_, response) => {
    void bodyOf((take) => make(take, 400, made)).then((body) =>
      sendStream(body as Readable, response, {
        ...sending(limit, (failure) => void failures.push(failure)),
        sent: (by) => void cuts.push(by),
      }),
    );
  });
  const client = await sendRaw('GET', url, 'x');
  await client.begun;
  const pauses = pauseEvery(client.socket, 4 * 1024 * 1024, limit / 3);
  const { whole, body } = await client.rest();
  return { limit, ...pauses, whole, length: body.length, failures, cuts };
}

function pauseEvery(socket: Socket, bytes: number, milliseconds: number): { readonly paused: number; readonly longest: number } {
  const pauses = { paused: 0, longest: 0 };
  let taken = 0;
  let last = performance.now();
  socket.on('data', (piece: Buffer) => {
    const passed = performance.now() - last;
    last += passed;
    pauses.longest = Math.max(pauses.longest, passed);
    taken += piece.length;
    if (taken < bytes) return;
    taken = 0;
    pauses.paused += milliseconds;
    setTimeout(() => socket.resume(), milliseconds);
    socket.pause();
  });
  return pauses;
}

test('what is begun for a client who has gone is dropped, without a word in the log', async (t) => {
  const made = { chunks: 0 };
  const failures: unknown[] = [];
  let end: ((by?: string) => void) | undefined;
  const cut = new Promise<string | undefined>((resolve) => (end = resolve));
  const url = await serveStream(t, (_, response) => {
    void bodyOf((take) => make(take, 100, made)).then(async (body) => {
      response.destroy();
      await once(response, 'close');
      sendStream(body as Readable, response, {
        ...sending(10_000, (failure) => void failures.push(failure)),
        sent: (by) => end?.(by),
      });
    });
  });
  await t.throwsAsync(fetch(url));
  t.is(await cut, 'client');
  for (let turns = 0; turns < 200 && made.chunks < 100; turns += 1) await turn();
  t.is(made.chunks, 100, 'the maker has come to its end');
  t.deepEqual(failures, []);
});

test('a client that goes while a chunk waits for it is no failure', async (t) => {
  const failures: unknown[] = [];
  const made = { chunks: 0, seen: -1 };
  const endless = new Readable({ read: () => void (made.chunks++, endless.push(chunk)) });
  let end: ((by?: string) => void) | undefined;
  const cut = new Promise<string | undefined>((resolve) => (end = resolve));
  const url = await serveStream(t, (_, response) =>
    sendStream(endless, response, { ...sending(10_000, (failure) => void failures.push(failure)), sent: (by) => end?.(by) }),
  );
  const client = await sendRaw('GET', url, 'x');
  await client.begun;
  // Nothing more is made once the buffers between both are full.
  await until(async () => made.seen === (made.seen = made.chunks));
  client.socket.destroy();
  t.is(await cut, 'client');
  t.deepEqual(failures, []);
});

test("a reader's time limit ends with its page", async (t) => {
  const url = await serveStream(t, (request, response) => {
    if (request.url === '/late') response.end(String(request.socket.timeout));
    else
      void bodyOf((take) => make(take, 10, { chunks: 0 })).then((body) =>
        sendStream(
          body as Readable,
          response,
          sending(10_000, (failure) => t.fail(String(failure))),
        ),
      );
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const page = await answerTo(url, agent);
  t.is(page.text.length, 10 * chunk.length + 3);
  t.deepEqual(await answerTo(`${url}late`, agent), { text: '0', port: page.port });
  agent.destroy();
});

/** An answer, and the port of the client's connection. */
async function answerTo(url: string, agent: Agent): Promise<{ readonly text: string; readonly port: number | undefined }> {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  const port = response.socket.localPort;
  return { text: Buffer.concat((await response.toArray()) as Buffer[]).toString('utf8'), port };
}
