import { createServer, type AddressInfo, type Server } from 'node:net';
import test from 'ava';
import { redactedUrl, serversOf } from '../../runtime/database/address.js';
import { connect } from '../../runtime/database/connect.js';
import { ConnectionError } from '../../runtime/database/failures.js';
import { findPrimary } from '../../runtime/database/connect.js';
import type { DatabaseClient } from '../../runtime/database/pool.js';
import { withConnection } from '../../runtime/database/run.js';
import type { Row } from '../../runtime/sql/statement.js';
import { testDatabase } from '../support/database.js';

// oxfmt-ignore
const addresses: { readonly [address: string]: readonly string[] | undefined } = {
  'postgres://a/x': ['postgres://a/x'],
  'postgresql://u:p%2C@a:1,b,[::1]:3/x?sslmode=require': ['postgresql://u:p%2C@a:1/x?sslmode=require', 'postgresql://u:p%2C@b/x?sslmode=require', 'postgresql://u:p%2C@[::1]:3/x?sslmode=require'],
  'postgres:///x?host=/run/postgresql': ['postgres:///x?host=/run/postgresql'],
  'postgres://a,b:99999/x': undefined, 'postgres://a/x?target_session_attrs=any': undefined, 'mysql://a/x': undefined, 'a,b': undefined,
};

test('an address of several hosts is that of each', (t) => {
  t.deepEqual(Object.fromEntries(Object.keys(addresses).map((address) => [address, serversOf(address)])), addresses);
});

test('messages name the hosts and no password', (t) => {
  t.is(redactedUrl('postgres://u:p%40@a:1,b/x?sslmode=require'), 'postgres://u@a:1,b/x');
});

test('a host that is silent and one that refuses are passed over, and are not tried again', async (t) => {
  const [database, silent] = await Promise.all([testDatabase(), listenSilently()]);
  const { port } = silent.address() as AddressInfo;
  const pool = connect(
    database.url.replace(/@[^/]*|(?<=:\/\/)(?=[^@]*$)/, (own) => `@127.0.0.1:1,127.0.0.1:${port},${own.slice(1)}`),
    {
      poolSize: 2,
    },
  );
  let attempts = 0;
  silent.on('connection', () => attempts++);
  const run = (): Promise<readonly Row[]> => withConnection(pool, (one) => one.run({ text: 'SELECT 1', bind: [] }));
  t.deepEqual(await run(), [['1']]);
  t.is(attempts, 1);
  t.deepEqual(await Promise.all([run(), run()]), [[['1']], [['1']]]);
  t.is(attempts, 1);
  await pool.close();
  silent.close();
  await database.drop();
});

test('a failover is reported, the first connection not', async (t) => {
  const down = new Set<string>();
  const said: string[] = [];
  const servers = [
    { host: 'a', port: 1 },
    { host: 'b', port: 2 },
  ];
  const { open } = findPrimary(servers, { onPrimary: (sentence) => said.push(sentence) }, ({ host }) =>
    down.has(host ?? '') ? Promise.reject(new ConnectionError(new Error('down'))) : Promise.resolve(primary),
  );
  await open();
  down.add('a');
  await open();
  await open();
  t.deepEqual(said, ['Connections lead to b:2 now, not to a:1.']);
});

// Answers the question for its state as a primary of cluster 1 does.
const primary = { query: async () => ({ rows: [['off', '1']] }) } as unknown as DatabaseClient;

async function listenSilently(): Promise<Server> {
  const server = createServer(() => undefined);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return server;
}
