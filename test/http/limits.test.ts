import { connect, type AddressInfo } from 'node:net';
import test from 'ava';
import { createApp, createAppServer, mountService } from '../../runtime/app.js';
import { errors } from '../../runtime/errors/catalogue.js';
import type { Observer, Service } from '../../runtime/http/service.js';
import { errorResponse } from '../../runtime/http/respond.js';
import { exchangeRaw } from '../attack/raw.js';
import { codeOf, errorOf } from '../support/error-code.js';
import { startService } from '../support/service.js';

const largestBody = 256 * 1024;
const longestLine = 16 * 1024;

test('bodies and request lines end at their limits', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const headers = { Authorization: `Bearer ${await service.token('write')}`, 'Content-Type': 'application/json' };
  const post = async (size: number): Promise<string> =>
    codeOf(await fetch(`${service.root}/Property`, { method: 'POST', headers, body: bodyOf(size) }));
  t.is(await post(largestBody), '1111');
  t.is(await post(largestBody + 1), '1413');
  const get = async (length: number): Promise<string> => codeOf(await fetch(urlOf(service.root, length), { headers }));
  t.is(await get(longestLine), '1040');
  t.is(await get(longestLine + 1), '1414');
  const { message } = await errorOf(await fetch(urlOf(service.root, longestLine + 1), { headers }));
  t.is(message, 'The request line is longer than 16384 bytes; shorten the query, or send it as the body of POST .../$query.');
});

test('the query of a request in a batch may be as long as a body', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const headers = { Authorization: `Bearer ${await service.token('all')}`, 'Content-Type': 'application/json' };
  const answered = async (url: string): Promise<number | undefined> => {
    const body = JSON.stringify({ requests: [{ id: '1', method: 'GET', url }] });
    const response = await fetch(`${service.root}/$batch`, { method: 'POST', headers, body });
    const { responses } = (await response.json()) as { readonly responses: readonly { readonly status: number }[] };
    return responses[0]?.status;
  };
  const begin = "$top=1&$filter=City%20eq%20'";
  const query = (length: number): string => `${begin}${'x'.repeat(length - begin.length - 1)}'`;
  t.is(await answered(`Property?${query(largestBody)}`), 200);
  t.is(await answered(`Property?${query(largestBody + 1)}`), 414);
  t.is(await answered(`Property('${'x'.repeat(longestLine)}')`), 414);
});

// oxfmt-ignore
/** Requests that are answered before their body has arrived, after which the connection is closed. */
const unread: readonly { readonly title: string; readonly head: string; readonly status: number }[] = [
  { title: 'a body whose Content-Length is too large', head: 'POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nContent-Type: application/json\r\n', status: 413 },
  { title: 'a request without a token, of a client that keeps no connection', head: 'POST /odata/Property HTTP/1.1\r\nHost: a\r\nConnection: close\r\n', status: 401 },
  { title: 'an unknown resource', head: 'POST /elsewhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n', status: 404 },
  { title: 'a form that is too large', head: 'POST /oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n', status: 413 },
  { title: 'two hosts', head: 'POST /odata/Property HTTP/1.1\r\nHost: a\r\nHost: b\r\n', status: 400 },
];

test('a long text is not repeated without end by names that are replaced by it', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const headers = { Authorization: `Bearer ${await service.token('all')}`, 'Content-Type': 'text/plain' };
  const answered = async (query: string): Promise<string> => {
    const response = await fetch(`${service.root}/Property/$query`, { method: 'POST', headers, body: query.replaceAll(' ', '%20') });
    return response.ok ? 'found' : codeOf(response);
  };
  const long = `'${'x'.repeat(100_000)}'`;
  t.is(await answered(`@p=${long}&$filter=City eq @p or City eq ${joined(2)}`), 'found');
  t.is(await answered(`@p=${long}&$filter=City eq ${joined(14)}`), '1044');
  t.is(await answered(`$compute=concat(City,${long}) as A,concat(A,A) as B&$filter=City eq B&$select=ListingKey`), 'found');
  const doubled = ['B', 'C', 'D', 'E'].map((name, index) => `concat(${'ABCD'[index]},${'ABCD'[index]}) as ${name}`).join(',');
  t.is(await answered(`$compute=concat(City,${long}) as A,${doubled}&$filter=City eq E&$select=ListingKey`), '1044');
});

test('the answer arrives although its connection is closed before the body has been sent', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const token = `Authorization: Bearer ${await service.token('write')}`;
  const size = 8 * 1024 * 1024;
  for (const { title, head, status } of unread)
    for (const framed of [`Content-Length: ${size}\r\n\r\n${'x'.repeat(size)}`, chunked(size)])
      for (let round = 0; round < 5; round++) {
        const answer = await exchangeRaw(service.root, [head.replace('TOKEN', token) + framed]);
        t.regex(answer, new RegExp(`^HTTP/1\\.1 ${status} `), title);
        t.is(answer.split('HTTP/1.1 ').length, 2, title);
      }
});

function chunked(size: number): string {
  const chunk = 64 * 1024;
  return `Transfer-Encoding: chunked\r\n\r\n${`${chunk.toString(16)}\r\n${'x'.repeat(chunk)}\r\n`.repeat(size / chunk)}0\r\n\r\n`;
}

test('a connection with the rest of a body that nobody reads is closed, and serves no further request', async (t) => {
  const app = createApp();
  const server = createAppServer(app, {});
  t.teardown(() => server.close());
  const respond: Observer['respond'] = async (request) => {
    await request.chunks(largestBody)[Symbol.asyncIterator]().next();
    return errorResponse(errors.databaseUnavailable(), request);
  };
  mountService(app, {} as Service, { corsOrigins: [], observer: { respond } });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`PUT /odata/Streams(1)/$value HTTP/1.1\r\nHost: x\r\nContent-Length: ${largestBody}\r\n\r\nbegun`);
  const answer = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
  t.regex(answer, /^HTTP\/1\.1 503 .*\r\nConnection: close\r\n/s);
});

function bodyOf(size: number): string {
  const frame = '{"City":""}';
  return frame.replace('""', `"${'x'.repeat(size - frame.length)}"`);
}

// The line is `GET <path> HTTP/1.1`; the filter at its end is one unfinished string.
function urlOf(root: string, length: number): string {
  const path = `${new URL(root).pathname}/Property?$filter=%27`;
  return new URL(root).origin + path + 'x'.repeat(length - `GET ${path} HTTP/1.1`.length);
}

function joined(times: number): string {
  return `${'concat(@p,'.repeat(times)}@p${')'.repeat(times)}`;
}
