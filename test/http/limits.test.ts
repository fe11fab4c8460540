import { connect, type AddressInfo } from 'node:net';
import test from 'ava';
import { createApp, createAppServer, mountService } from '../../runtime/app.js';
import { errors } from '../../runtime/errors/catalogue.js';
import type { Observer, Service } from '../../runtime/http/service.js';
import { errorResponse } from '../../runtime/http/respond.js';
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
});

test('a connection with the rest of a body that nobody reads is closed, and serves no further request', async (t) => {
  const app = createApp();
  const server = createAppServer(app, {});
  t.teardown(() => server.close());
  const respond: Observer['respond'] = async (request) => {
    await request.chunks(largestBody)[Symbol.asyncIterator]().next();
    return errorResponse(errors.databaseUnavailable(), request);
  };
  mountService(app, {} as Service, { requestsPerMinute: 0, corsOrigins: [], observer: { respond } });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`PUT /odata/Streams(1)/$value HTTP/1.1\r\nHost: x\r\nContent-Length: ${largestBody}\r\n\r\nbegun`);
  const answer = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
  t.regex(answer, /^HTTP\/1\.1 503 .*\r\nConnection: close\r\n/s);
});

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code;
}

function bodyOf(size: number): string {
  const frame = '{"City":""}';
  return frame.replace('""', `"${'x'.repeat(size - frame.length)}"`);
}

// The line is `GET <path> HTTP/1.1`; the filter at its end is one unfinished string.
function urlOf(root: string, length: number): string {
  const path = `${new URL(root).pathname}/Property?$filter=%27`;
  return new URL(root).origin + path + 'x'.repeat(length - `GET ${path} HTTP/1.1`.length);
}
