import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import test from 'ava';
import { until } from '../operation/until.js';
import { codeOf } from '../support/error-code.js';
import { fc } from '../support/fast-check.js';
import { withConnection } from '../../runtime/database/run.js';
import { createUploadPlaces, type UploadPlaces } from '../../runtime/http/gate.js';
import { chunkBytes } from '../../runtime/features/media-streams/stream-store.js';
import { seedSamples } from '../../runtime/tools/samples/seed-samples.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

let service: ToyService;

test.before(async () => {
  service = await startToy('test/toy/album.xml');
});

test.after.always(() => service.stop());

const png = { 'Content-Type': 'image/png' };

// Every byte says where it is, so that one that is out of place is seen.
function bytesFrom(from: number, length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, index) => ((from + index) * 2654435761) >>> 24));
}

async function createPhoto(body: Buffer): Promise<string> {
  const created = await fetch(`${service.root}/Photos`, { method: 'POST', headers: png, body: new Uint8Array(body) });
  const { Id } = (await created.json()) as { readonly Id: number };
  return `${service.root}/Photos(${Id})`;
}

async function count(where = 'true', of = service): Promise<number> {
  const [row] = await withConnection(of.pool, (connection) =>
    connection.run({ text: `select count(*) from "#stream" where ${where}`, bind: [] }),
  );
  return Number(row?.[0]);
}

test.serial('any range of a stream of several chunks is its bytes', async (t) => {
  const length = 2 * chunkBytes + 1000;
  const url = `${await createPhoto(bytesFrom(0, length))}/$value`;
  const edges = fc.constantFrom(0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes - 1, 2 * chunkBytes, length - 1);
  const offsets = fc.tuple(fc.oneof(edges, fc.nat({ max: length - 1 })), fc.oneof(edges, fc.nat({ max: length - 1 })));
  await fc.assert(
    fc.asyncProperty(offsets, async ([one, other]) => {
      const [first, last] = [Math.min(one, other), Math.max(one, other)];
      const answer = await fetch(url, { headers: { Range: `bytes=${first}-${last}` } });
      const body = Buffer.from(await answer.arrayBuffer());
      return (
        answer.status === 206 &&
        answer.headers.get('content-range') === `bytes ${first}-${last}/${length}` &&
        answer.headers.get('content-length') === String(last - first + 1) &&
        body.equals(bytesFrom(first, last - first + 1))
      );
    }),
    { numRuns: 60 },
  );
  const head = await fetch(url, { method: 'HEAD', headers: { Range: 'bytes=0-1' } });
  t.deepEqual([head.status, head.headers.get('content-length')], [200, String(length)]);
  const beyond = await fetch(url, { headers: { Range: `bytes=${length}-` } });
  t.deepEqual([beyond.status, beyond.headers.get('content-range'), await codeOf(beyond)], [416, `bytes */${length}`, '1416']);
});

test.serial('50 MB go in and out, and memory stays flat', async (t) => {
  const [pieces, piece] = [800, bytesFrom(0, 64 * 1024)];
  const hash = createHash('sha256');
  const url = `${await createPhoto(Buffer.from('small'))}/$value`;
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  t.teardown(() => clearInterval(watch));
  const upload = openRequest('PUT', url, png);
  await pipeline(Readable.from(repeat(piece, pieces, hash), { highWaterMark: 1 }), upload.request);
  t.is((await upload.answer).statusCode, 204);
  const received = createHash('sha256');
  const answer = await send('GET', url);
  t.is(answer.headers['content-length'], String(pieces * piece.length));
  for await (const chunk of answer) received.update(chunk as Buffer); // No encoding was set.
  t.is(received.digest('hex'), hash.digest('hex'));
  const growth = (most - before) / 2 ** 20;
  t.log(`${growth.toFixed(1)} MB more at most`);
  // In one process with the client; held whole it would be 100 MB and more.
  t.true(growth < 60, `${growth} MB`);
});

function* repeat(piece: Buffer, times: number, hash: ReturnType<typeof createHash>): Generator<Buffer> {
  for (let index = 0; index < times; index++) {
    hash.update(piece);
    yield piece;
  }
}

function openRequest(
  method: string,
  url: string,
  headers: Record<string, string> = {},
): { readonly request: ReturnType<typeof httpRequest>; readonly answer: Promise<IncomingMessage> } {
  const request = httpRequest(url, { method, headers });
  return { request, answer: once(request, 'response').then(([answer]) => answer as IncomingMessage) };
}

async function send(method: string, url: string): Promise<IncomingMessage> {
  const { request, answer } = openRequest(method, url);
  request.end();
  return answer;
}

test.serial('an upload that breaks off leaves nothing, and the old stream as it was', async (t) => {
  const url = await createPhoto(Buffer.from('old'));
  const before = await count();
  const { request, answer } = openRequest('PUT', `${url}/$value`, { ...png, 'Content-Length': String(10 * chunkBytes) });
  answer.catch(() => undefined);
  request.on('error', () => undefined);
  request.write(bytesFrom(0, 4 * chunkBytes));
  await until(async () => (await openTransactions()) > 0);
  request.destroy();
  await until(async () => (await openTransactions()) === 0);
  t.is(await count(), before);
  t.is(await (await fetch(`${url}/$value`)).text(), 'old');
});

async function openTransactions(): Promise<number> {
  const [row] = await withConnection(service.pool, (connection) =>
    connection.run({
      text: `select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      bind: [],
    }),
  );
  return Number(row?.[0]);
}

test.serial('one that is too large is refused while it comes, without a length too', async (t) => {
  const url = await createPhoto(Buffer.from('old'));
  const before = await count();
  const { request, answer } = openRequest('PUT', `${url}/Thumb`, png);
  request.on('error', () => undefined);
  request.write(Buffer.alloc(600));
  request.write(Buffer.alloc(600));
  t.is((await answer).statusCode, 413);
  request.destroy();
  const said = await fetch(`${url}/Thumb`, { method: 'PUT', headers: png, body: new Uint8Array(1001) });
  t.is(said.status, 413);
  t.is(await count(), before);
});

test.serial('of many PUTs at once one stays, whole, and the chunks of the others are gone', async (t) => {
  const url = `${await createPhoto(Buffer.from('first'))}/$value`;
  const before = await count();
  const bodies = Array.from({ length: 8 }, (_, index) => Buffer.alloc(chunkBytes + 10, index + 1));
  const answers = await Promise.all(bodies.map((body) => fetch(url, { method: 'PUT', headers: png, body: new Uint8Array(body) })));
  t.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 204),
  );
  const stored = Buffer.from(await (await fetch(url)).arrayBuffer());
  t.true(bodies.some((body) => body.equals(stored)));
  t.is(await count(), before + 1);
});

test.serial('each of many who write one thing at once is shown its own', async (t) => {
  const thumb = `${await createPhoto(Buffer.from('first'))}/Thumb`;
  const shown = { Prefer: 'return=representation' };
  const rounds = Array.from({ length: 40 }, (_, index) => String(index));
  const streams = await Promise.all(
    rounds.map(async (text) => {
      const answer = await fetch(thumb, { method: 'PUT', headers: { ...png, ...shown }, body: text });
      return [await answer.text(), answer.headers.get('etag')] as const;
    }),
  );
  t.deepEqual(
    streams.map(([text]) => text),
    rounds,
  );
  t.is(new Set(streams.map(([, etag]) => etag)).size, rounds.length);
  const scan = (await (await fetch(`${service.root}/Scans`, { method: 'POST', headers: png, body: 'scan' })).json()) as {
    readonly Id: string;
  };
  const titles = await Promise.all(
    rounds.map(async (value) => {
      const answer = await fetch(`${service.root}/Scans(${scan.Id})/Title`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', ...shown },
        body: JSON.stringify({ value }),
      });
      return ((await answer.json()) as { readonly value: string }).value;
    }),
  );
  t.deepEqual(titles, rounds);
  await fetch(`${service.root}/Scans(${scan.Id})`, { method: 'DELETE' });
});

test.serial('a refused stream is not taken to its end', async (t) => {
  const busy = await startToy('test/toy/album.xml', {}, { uploads: createUploadPlaces(0) });
  t.teardown(() => busy.stop());
  const { request, answer } = openRequest('POST', `${busy.root}/Photos`, { ...png, 'Content-Length': String(80 * chunkBytes) });
  request.on('error', () => undefined);
  for (let chunk = 0; chunk < 20; chunk++) request.write(bytesFrom(0, chunkBytes));
  const { statusCode, headers } = await answer;
  t.deepEqual([statusCode, headers.connection], [503, 'close']);
  request.destroy();
});

test.serial('with If-Match one of many PUTs is first, and the others are told', async (t) => {
  const url = `${await createPhoto(Buffer.from('first'))}/$value`;
  const etag = (await fetch(url)).headers.get('etag') ?? '';
  const answers = await Promise.all(
    [1, 2, 3, 4].map((index) => fetch(url, { method: 'PUT', headers: { ...png, 'If-Match': etag }, body: new Uint8Array([index]) })),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [204, 412, 412, 412]);
  const large = await fetch(url, { method: 'PUT', headers: { ...png, 'If-Match': etag }, body: new Uint8Array(5 * 2 ** 20) });
  t.is(large.status, 412, 'told before the bytes are taken');
});

test.serial('chunks go with their record, and with the one above it', async (t) => {
  await createPhoto(Buffer.from('x'));
  await fetch(`${service.root}/Albums`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"Name":"gone"}' });
  await fetch(`${service.root}/Albums('gone')/Photos`, { method: 'POST', headers: png, body: 'within' });
  await fetch(`${service.root}/Albums('gone')/Cover`, { method: 'PUT', headers: png, body: 'cover' });
  const before = await count();
  t.is((await fetch(`${service.root}/Albums('gone')`, { method: 'DELETE' })).status, 204);
  t.is(await count(), before - 2);
  t.is(await count('"Photo" is null and "Album" is null'), 0);
});

test.serial('who stops sending is not waited for, and of long streams there are only so many at once', async (t) => {
  const uploads = createUploadPlaces(1);
  const patient = await startToy('test/toy/album.xml', {}, { readerTimeout: 2_000, uploads });
  t.teardown(() => patient.stop());
  const leave = uploads.enter();
  const other = await fetch(`${patient.root}/Photos`, { method: 'POST', headers: png, body: new Uint8Array(3 * chunkBytes) });
  t.deepEqual([other.status, other.headers.get('retry-after')], [503, '1']);
  const short = await fetch(`${patient.root}/Photos`, { method: 'POST', headers: png, body: 'short' });
  t.is(short.status, 201);
  leave?.();
  const long = { ...png, 'Content-Length': String(3 * chunkBytes) };
  const stalled = openRequest('POST', `${patient.root}/Photos`, long);
  stalled.request.on('error', () => undefined);
  stalled.request.write(bytesFrom(0, 2 * chunkBytes));
  await until(async () => isTaken(uploads));
  t.is((await stalled.answer).statusCode, 408);
  const next = await fetch(`${patient.root}/Photos`, { method: 'POST', headers: png, body: new Uint8Array(3 * chunkBytes) });
  t.is(next.status, 201);
  t.is(await count('true', patient), 4);
});

function isTaken({ enter }: UploadPlaces): boolean {
  const leave = enter();
  leave?.();
  return leave === undefined;
}

test.serial('an empty stream is a stream', async (t) => {
  const url = `${await createPhoto(Buffer.alloc(0))}/$value`;
  const answer = await fetch(url);
  t.deepEqual([answer.status, answer.headers.get('content-length'), await answer.text()], [200, '0', '']);
});

test.serial('a reader whose stream is replaced on the way does not get a mixture', async (t) => {
  const url = `${await createPhoto(Buffer.alloc(40 * chunkBytes, 1))}/$value`;
  const answer = await send('GET', url);
  await once(answer, 'readable');
  t.is((await fetch(url, { method: 'PUT', headers: png, body: 'new' })).status, 204);
  let bytes = 0;
  await t.throwsAsync(async () => {
    for await (const chunk of answer) {
      if (!(chunk as Buffer).every((byte) => byte === 1)) t.fail('bytes of another stream');
      bytes += (chunk as Buffer).length;
    }
  });
  t.true(bytes < 40 * chunkBytes);
});

test.serial('a media entity gets a key and what stands for nothing, since its bytes say neither', async (t) => {
  const created = await fetch(`${service.root}/Scans`, { method: 'POST', headers: png, body: 'scan' });
  t.is(created.status, 201);
  const { Id, Title, Pages, Weight, Taken } = (await created.json()) as { readonly [name: string]: unknown };
  t.regex(String(Id), /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  t.deepEqual([Title, Pages, Weight], ['', 0, 1.5]);
  t.true(Math.abs(Date.parse(String(Taken)) - Date.now()) < 60_000);
});

test.serial('samples have something in their streams', async (t) => {
  const fresh = await startToy('test/toy/album.xml');
  t.teardown(() => fresh.stop());
  await seedSamples(fresh.pool, fresh.container, 2);
  const answers = await Promise.all(
    ['Photos(1)/$value', 'Photos(1)/Thumb', "Albums('1')/Song"].map((path) => fetch(`${fresh.root}/${path}`)),
  );
  t.deepEqual(
    answers.slice(0, 2).map(({ status, headers }) => [status, headers.get('content-type')]),
    [
      [200, 'image/png'],
      [200, 'image/png'],
    ],
  );
  t.is(Buffer.from(await (answers[0] as Response).arrayBuffer()).toString('latin1', 1, 4), 'PNG');
  t.is(await count('"Photo" is null and "Album" is null and "Clip" is null and "Scan" is null and "Stamp" is null', fresh), 0);
});
