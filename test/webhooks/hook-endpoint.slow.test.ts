// Depends on PostgreSQL: SQL.
import test from 'ava';
import { leaseHook } from '../../runtime/features/webhooks/lease.js';
import type { Connection } from '../../runtime/sql/statement.js';
import { checkExchanges } from '../http/exchanges.js';
import { openSessions } from '../streaming/sessions.js';
import { startService } from '../support/service.js';

test('hooks over HTTP', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  await checkExchanges(t, '../webhooks/hooks.http', service);
});

test('a test says why the consumer was not reached', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const hooks = service.root.replace('/odata', '/hooks');
  const headers = { Authorization: `Bearer ${await service.token('hooks')}`, 'Content-Type': 'application/json' };
  const added = await fetch(hooks, { method: 'POST', headers, body: JSON.stringify({ address: 'https://localhost:8443/' }) });
  const { id } = (await added.json()) as { readonly id: string };
  const { headers: head } = await fetch(`${hooks}/${id}`, { method: 'HEAD', headers });
  t.is(head.get('cache-control'), 'no-store');
  const tested = await fetch(`${hooks}/${id}/test`, { method: 'POST', headers });
  const { accepted, status, reason } = (await tested.json()) as Readonly<Record<string, unknown>>;
  t.deepEqual({ accepted, status }, { accepted: false, status: null });
  t.regex(String(reason), /^(127\.0\.0\.1|::1) is of this machine$/);
});

test('an owner has at most 20 hooks, and a body at most 16 KiB', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const headers = { Authorization: `Bearer ${await service.token('hooks')}`, 'Content-Type': 'application/json' };
  const add = (address: string): Promise<Response> =>
    fetch(service.root.replace('/odata', '/hooks'), { method: 'POST', headers, body: JSON.stringify({ address }) });
  t.is((await add(`https://crm.invalid/${'x'.repeat(16 * 1024)}`)).status, 413);
  for (let count = 0; count < 20; count += 1) t.is((await add('https://crm.invalid/')).status, 201);
  const refused = await add('https://crm.invalid/');
  t.is(refused.status, 400);
  t.regex(await refused.text(), /"code":"1044","message":"There are 20 hooks of this token's subject, which is the limit; remove one."/);
});

test('the hooks of a revoked client are stopped', async (t) => {
  const service = await startService();
  const sessions = openSessions(service.databaseUrl);
  t.teardown(async () => {
    await sessions.close();
    await service.stop();
  });
  const headers = { Authorization: `Bearer ${await service.token('hooks')}`, 'Content-Type': 'application/json' };
  const hooks = service.root.replace('/odata', '/hooks');
  await fetch(hooks, { method: 'POST', headers, body: JSON.stringify({ address: 'https://crm.invalid/' }) });
  await sessions.rows(`insert into gable_client values ('hooks', '', '', null, now(), now())`);
  const { value } = (await (await fetch(hooks, { headers })).json()) as { readonly value: readonly object[] };
  t.like(value[0], { state: 'stopped', reason: 'the client that added it is revoked' });
  const run: Connection['run'] = ({ text, bind }) => sessions.rows(text, ...(bind as readonly string[]));
  t.is(await leaseHook(1_000, { run }), undefined);
  await sessions.rows('delete from gable_client');
  t.is((await leaseHook(1_000, { run }))?.owner, 'hooks');
});
