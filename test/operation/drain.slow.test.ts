import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { QueryTypes } from 'sequelize';
import { connect } from '../../runtime/database/connect.js';
import { sendRaw } from '../streaming/raw-client.js';
import { openSessions } from '../streaming/sessions.js';
import { startService } from '../support/service.js';
import { patient, read, requests, type Answer } from './patient-client.js';
import { startProcess } from './serve-process.js';
import { until } from './until.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

const poolSize = 10;

test('SIGTERM lets two hundred requests under way end, says so in every answer, and turns readiness off', async (t) => {
  const service = await startService();
  const database = connect(service.databaseUrl, { poolSize: 1, idleInTransactionTimeout: 0 });
  t.teardown(async () => {
    await database.close();
    await service.stop();
  });
  const authorization = `Bearer ${await service.token('read')}`;
  const served = await startProcess([], { ...patient, DATABASE_URL: service.databaseUrl, GABLE_DRAIN_DELAY: '3000' });
  const agent = new Agent({ keepAlive: true, maxSockets: requests });
  const ask = (): Promise<Answer> => read(`${served.url}/odata/Office?$top=1`, agent, authorization);
  // A connection that was used before and is idle when the end begins.
  t.is((await ask()).status, 200);

  const lock = await sequelizeOf(database).transaction();
  await sequelizeOf(database).query('LOCK TABLE "Office" IN ACCESS EXCLUSIVE MODE', { transaction: lock });
  const underWay = Array.from({ length: requests }, ask);
  // The delivery of webhooks may wait, too.
  await until(async () => waitingIn(await (await fetch(`${served.url}/metrics`)).text()) >= requests - poolSize);
  served.child.kill('SIGTERM');
  // The signal arrives when the process comes to it. While all connections are busy readiness is 503 for that, too.
  await until(async () => {
    const ready = await fetch(`${served.url}/health/ready`);
    return ready.status === 503 && (await ready.text()).includes('"draining":true');
  });
  // Within the delay new requests are still answered.
  const late = read(`${served.url}/odata/Office?$top=1`, new Agent(), authorization);
  await delay(3500);
  await lock.commit();
  const answers = await Promise.all([...underWay, late]);

  t.deepEqual(
    answers.filter(({ status, whole }) => status !== 200 || !whole),
    [],
  );
  t.deepEqual(
    answers.filter(({ connection }) => connection !== 'close'),
    [],
  );
  t.is(await served.ended, 0);
  agent.destroy();
});

test('what does not end in time is cut, and a second signal ends the process at once', async (t) => {
  const service = await startService();
  const database = connect(service.databaseUrl, { poolSize: 1, idleInTransactionTimeout: 0 });
  t.teardown(async () => {
    await database.close();
    await service.stop();
  });
  const authorization = `Bearer ${await service.token('read')}`;
  const lock = await sequelizeOf(database).transaction();
  await sequelizeOf(database).query('LOCK TABLE "Office" IN ACCESS EXCLUSIVE MODE', { transaction: lock });
  const endings: (number | NodeJS.Signals)[] = [];
  const logs: string[] = [];
  for (const { timeout, signals } of [
    { timeout: '300', signals: 1 },
    { timeout: '60000', signals: 2 },
  ]) {
    const served = await startProcess([], {
      ...patient,
      DATABASE_URL: service.databaseUrl,
      GABLE_DRAIN_TIMEOUT: timeout,
      GABLE_LOG_REQUESTS: 'all',
    });
    const asked = t.throwsAsync(read(`${served.url}/odata/Office`, new Agent(), authorization));
    await until(async () => (await sequelizeOf(database).query(waitingForLock, { type: QueryTypes.SELECT, transaction: lock })).length > 0);
    for (let sent = 0; sent < signals; sent++) {
      served.child.kill('SIGTERM');
      // Sooner it would be taken for an echo of the first.
      await delay(1_300);
    }
    endings.push(await served.ended);
    await asked;
    logs.push(served.log());
  }
  t.deepEqual(endings, [0, 'SIGTERM']);
  t.regex(
    logs[0] ?? '',
    /"connections":1,"msg":"the drain has ended: [^]*"path":"\/Office","query":"","status":499,"ms":[\d.]+,"cut":true,/,
  );
  await lock.rollback();
});

// The lock is released after the process has ended.
for (const { title, isGone } of [
  { title: 'a write that waits for a lock is given up at the end of the drain', isGone: false },
  { title: 'so is one whose client has gone', isGone: true },
])
  test(title, async (t) => {
    const service = await startService();
    const sessions = openSessions(service.databaseUrl);
    t.teardown(async () => {
      await sessions.close();
      await service.stop();
    });
    const limits = { GABLE_LOCK_TIMEOUT: '60000', GABLE_STATEMENT_TIMEOUT: '60000', GABLE_DRAIN_TIMEOUT: '300' };
    const served = await startProcess([], { ...patient, ...limits, DATABASE_URL: service.databaseUrl, GABLE_LOG_REQUESTS: 'failures' });
    const { release } = await sessions.hold(`select from "Property" where "ListingKey" = '3' for update`);
    const change = JSON.stringify({ ListPrice: 510000, ChangedByMemberKey: 'M1' });
    const client = await sendRaw('PATCH', `${served.url}/odata/Property('3')`, await service.token('write'), change);
    await sessions.waitFor("wait_event_type = 'Lock'", 1);
    if (isGone) client.socket.destroy();
    served.child.kill('SIGTERM');
    t.is(await served.ended, 0);
    t.false((await client.rest()).whole);
    t.regex(served.log(), new RegExp(`"statements":1,"connections":${isGone ? 0 : 1},"msg":"the drain has ended: `));
    t.regex(served.log(), /"path":"\/Property\('3'\)","query":"","status":503,"ms":[\d.]+,"cut":true,"msg":"request failed"/);
    await release();
    t.deepEqual(await sessions.rows(`select "ListPrice" from "Property" where "ListingKey" = '3'`), [['500000.00']]);
  });

test('SIGTERM ends the wait of a reader of changes, who gets an answer', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const served = await startProcess([], { ...patient, DATABASE_URL: service.databaseUrl, GABLE_DRAIN_TIMEOUT: '10000' });
  const headers = { Authorization: `Bearer ${await service.token('read')}`, Prefer: 'wait=60' };
  const latest = await fetch(`${served.url}/odata/Office?$select=OfficeKey&$deltatoken=latest`, { headers });
  const { '@odata.deltaLink': link = '' } = (await latest.json()) as { readonly '@odata.deltaLink'?: string };
  const waiting = fetch(link, { headers });
  await delay(1_000);
  served.child.kill('SIGTERM');
  const answer = await waiting;
  t.is(answer.status, 200);
  t.is(answer.headers.get('connection'), 'close');
  t.like(await answer.json(), { value: [] });
  t.is(await served.ended, 0);
});

const waitingForLock =
  'select pid from pg_locks where not granted and database in (0, (select oid from pg_database where datname = current_database()))';

function waitingIn(metrics: string): number {
  return Number(/^gable_database_connections\{state="waiting"\} (\d+)$/m.exec(metrics)?.[1]);
}
