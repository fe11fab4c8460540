import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { fetchWithin } from '../../generator/cli/fetch-within.js';

test('a request without an answer fails in time, as one whose connection is lost', async (t) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const error = await t.throwsAsync(fetchWithin(0.05)(address), { instanceOf: TypeError });
  t.is((error?.cause as Error | undefined)?.message, 'no answer within 0.05 s');
});
