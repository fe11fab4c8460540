import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { copyService } from '../../replicate/cli.js';
import { readOptions } from '../../replicate/options.js';
import { runAll } from './run-copies.js';

test.serial('an address of a target that is not encoded is refused', async (t) => {
  const said = await runAll('', ['--sets Things'], 'postgres://user:pa#ss@127.0.0.1/copy', () => []);
  t.regex(said, /^UsageError: --to must have the form postgres:.* special characters percent-encoded /m);
});

test.serial('a database that cannot be reached is an error in a sentence', async (t) => {
  const nowhere = await runAll('', ['--sets Things'], 'postgres://nobody@127.0.0.1:1/nowhere', () => []);
  t.regex(nowhere, /^ReplicationError: The target cannot be used: .*ECONNREFUSED/m);
});

// oxfmt-ignore
const mistakes: readonly (readonly [mistake: string, status: number, message: RegExp])[] = [
  ['a wrong token', 401, /\$metadata answers 401: the service needs a valid token, in GABLE_TOKEN\.$/],
  ['another address', 404, /\$metadata answers 404: name the service root, such as /],
];

for (const [mistake, status, message] of mistakes)
  test.serial(`a service that gives no document says why: ${mistake}`, async (t) => {
    const server = createServer((_, response) => response.writeHead(status).end('{"error":"invalid_client"}')).listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/odata`;
    await t.throwsAsync(copied(root), { name: 'UsageError', message });
    process.env['GABLE_CLIENT_SECRET'] = 'x';
    t.teardown(() => void delete process.env['GABLE_CLIENT_SECRET']);
    const credentials = ['--token-url', `${root}/token`, '--client-id', 'x'];
    await t.throwsAsync(copied(root, credentials), { name: 'UsageError', message: /^--token-url gives no token: .*invalid_client/ });
  });

test.serial('a service that cannot be reached is an error in a sentence', async (t) => {
  await t.throwsAsync(copied('http://127.0.0.1:1/odata'), { name: 'UsageError', message: /\$metadata cannot be reached: (?!Error).*\.$/ });
});

test.serial('a service that is addressed by the wrong scheme is named by the other', async (t) => {
  const [key, cert] = ['key', 'certificate'].map((part) => readFileSync(`test/webhooks/consumer-${part}.pem`));
  for (const [wrong, right, server] of [
    ['https', 'http', createServer()],
    ['http', 'https', createTlsServer({ key, cert })],
  ] as const) {
    server.listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const address = `://127.0.0.1:${(server.address() as AddressInfo).port}/odata`;
    await t.throwsAsync(copied(`${wrong}${address}`), {
      name: 'UsageError',
      message: new RegExp(`cannot be reached: .* speaks? https[;,] write ${right}${address}/\\$metadata\\.$`),
    });
  }
});

function copied(root: string, options: readonly string[] = []): Promise<number> {
  const report = { read: () => undefined, line: () => undefined };
  return copyService(readOptions([root, '--to', 'nowhere', ...options]), report, new AbortController().signal);
}

test('an address without a scheme is no service', (t) => {
  for (const root of ['localhost:4004/odata', 'ftp://localhost/odata'])
    t.throws(() => readOptions([root, '--to', 'copy']), {
      name: 'UsageError',
      message: `The address of a service begins with https:// or http://, and not '${root}'.`,
    });
});

test('a list without a name is no list of sets', (t) => {
  for (const sets of ['', ',', 'A,', ' '])
    t.throws(() => readOptions(['http://localhost/odata', '--to', 'copy', '--sets', sets]), {
      name: 'UsageError',
      message: `--sets is a list of names such as A,B, and not '${sets}'; omit it for all.`,
    });
});

test('a target with another scheme is no folder', (t) => {
  for (const to of ['postgre://localhost/copy', 'mysql://localhost/copy', 'https://other.example/odata'])
    t.throws(() => readOptions(['http://localhost/odata', '--to', to]), {
      name: 'UsageError',
      message: `Name the target: --to postgres://USER@HOST/DATABASE or --to FOLDER, and not '${to}'`,
    });
  for (const to of ['postgresql://localhost/copy', 'copy', './copy', 'C:\\copy'])
    t.is(readOptions(['http://localhost/odata', '--to', to]).to, to);
});
