import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { run } from '../../generator/cli/types.js';

const document = readFileSync('test/toy/album.xml');

// oxfmt-ignore
const requests: readonly (readonly [title: string, token: string | undefined, headers: readonly string[], authorization: string])[] = [
  ['the token of GABLE_TOKEN', 'abc', [], 'Bearer abc'],
  ['a header', undefined, ['--header', 'Authorization: Basic xyz'], 'Basic xyz'],
  ['a header that takes the place of the token', 'abc', ['--header', 'authorization: Basic xyz'], 'Basic xyz'],
];

for (const [title, token, headers, authorization] of requests)
  test.serial(`the document of a service is requested with ${title}`, async (t) => {
    const server = createServer((request, response) =>
      response.writeHead(request.headers.authorization === authorization ? 200 : 401).end(document),
    ).listen(0, '127.0.0.1');
    const folder = mkdtempSync(join(tmpdir(), 'gable-types-'));
    if (token !== undefined) process.env['GABLE_TOKEN'] = token;
    t.teardown(() => {
      server.close();
      rmSync(folder, { recursive: true });
      delete process.env['GABLE_TOKEN'];
    });
    await once(server, 'listening');
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/odata`;
    t.is(await run([root, '--out', folder, ...headers]), 0);
    t.true(existsSync(join(folder, 'client.ts')));
  });
