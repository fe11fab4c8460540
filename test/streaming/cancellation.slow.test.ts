// Depends on PostgreSQL: cancelled statements.

import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { startService, type TestService } from '../support/service.js';
import { sendRaw, type RawClient } from './raw-client.js';
import { openSessions, type Sessions } from './sessions.js';

interface Scene {
  readonly service: TestService;
  readonly sessions: Sessions;
  readonly send: (method: string, path: string, body?: string) => Promise<RawClient>;
}

// Time limits of the server must not interfere with the test.
const patient = { GABLE_STATEMENT_TIMEOUT: '60000', GABLE_LOCK_TIMEOUT: '60000', GABLE_ACQUIRE_TIMEOUT: '60000' };
const waiting = "wait_event_type = 'Lock'";

const scene = test.macro(async (t, poolSize: number, act: (scene: Scene) => Promise<void>) => {
  const service = await startService({ ...patient, GABLE_POOL_SIZE: String(poolSize) });
  const sessions = openSessions(service.databaseUrl);
  const token = await service.token('write');
  const send: Scene['send'] = (method, path, text) => sendRaw(method, `${service.root}${path}`, token, text);
  try {
    await act({ service, sessions, send });
    const answer = await fetch(`${service.root}/Property('3')`, { headers: { Authorization: `Bearer ${token}` } });
    t.is(answer.status, 200, 'the pool is as it was');
  } finally {
    await sessions.close();
    await service.stop();
  }
});

const change = JSON.stringify({ ListPrice: 510000, ChangedByMemberKey: 'M1' });

test('a statement that nobody waits for any more is cancelled', scene, 1, async ({ sessions, send }) => {
  const { release } = await sessions.hold('lock table "Media"');
  const client = await send('GET', '/Media');
  await sessions.waitFor(waiting, 1);
  client.socket.destroy();
  await sessions.waitFor(waiting, 0);
  await release();
});

test('so is that of a batch', scene, 1, async ({ sessions, send }) => {
  const { release } = await sessions.hold('lock table "Media"');
  const client = await send(
    'POST',
    '/$batch',
    JSON.stringify({
      requests: [
        { id: '1', method: 'GET', url: 'Media' },
        { id: '2', method: 'GET', url: 'Media?$top=1', dependsOn: ['1'] },
      ],
    }),
  );
  await sessions.waitFor(waiting, 1);
  client.socket.destroy();
  await sessions.waitFor(waiting, 0, 5);
  await release();
});

test('a cancelled statement leaves its connection in the pool', scene, 1, async ({ sessions, send }) => {
  const pid =
    "select pid from pg_stat_activity where datname = current_database() and (query like '%\"Media\"%' or query like 'SET plan_cache_mode%') and pid <> pg_backend_pid()";
  await (await send('GET', '/Media')).rest();
  const before = await sessions.rows(pid);
  const { release } = await sessions.hold('lock table "Media"');
  const client = await send('GET', '/Media');
  await sessions.waitFor(waiting, 1);
  client.socket.destroy();
  await sessions.waitFor(waiting, 0);
  await release();
  const answer = await (await send('GET', '/Media')).rest();
  if (answer.status !== 200 || !answer.whole) throw new Error(`The next request was answered with ${answer.status}.`);
  const after = await sessions.rows(pid);
  if (before.length !== 1 || String(before) !== String(after))
    throw new Error(`The session ${String(before)} has become ${String(after)}.`);
});

test('a request that waits for a connection, and whose client goes, never runs', scene, 1, async ({ sessions, send }) => {
  const { release } = await sessions.hold('lock table "Media"');
  const holder = await send('GET', '/Media');
  await sessions.waitFor(waiting, 1);
  const writer = await send('PATCH', "/Property('3')", change);
  const last = await send('GET', "/Property('4')");
  writer.socket.destroy();
  // The service hears of it before it is the write's turn.
  await delay(200);
  await release();
  await Promise.all([holder.rest(), last.rest()]);
  const [row] = await sessions.rows(`select "ListPrice", "#version" from "Property" where "ListingKey" = '3'`);
  if (row?.[0] !== '500000.00') throw new Error(`The write was done: ${String(row)}.`);
});

test('a write that has begun is done wholly, though its client goes', scene, 2, async ({ sessions, send }) => {
  const { release } = await sessions.hold(`select 1 from "Property" where "ListingKey" = '3' for update`);
  const client = await send('PATCH', "/Property('3')", change);
  await sessions.waitFor(waiting, 1);
  client.socket.destroy();
  await release();
  await sessions.waitFor("state in ('active', 'idle in transaction')", 0);
  const [row] = await sessions.rows(`select "ListPrice",
    (select count(*) from "HistoryTransactional" where "ResourceRecordKey" = '3' and "FieldName" = 'ListPrice' and "NewValue" like '510000%'),
    (select count(*) from "#changes" where "#key" = '3')
    from "Property" where "ListingKey" = '3'`);
  if (String(row) !== '510000.00,1,1') throw new Error(`Of the write there is ${String(row)}.`);
});
