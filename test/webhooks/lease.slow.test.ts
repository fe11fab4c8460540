// Depends on PostgreSQL: locks.
import test, { type ExecutionContext } from 'ava';
import { listing } from '../../runtime/extensions/listing/listing.js';
import { networkList } from '../../runtime/features/webhooks/address.js';
import { deliver, type DeliveryParts } from '../../runtime/features/webhooks/deliver.js';
import { addHook, changeHook, findHook, removeHook, resumeHook } from '../../runtime/features/webhooks/hook-store.js';
import type { Hook, HookOptions } from '../../runtime/features/webhooks/hook.js';
import { endDelivery, keepBatch, leaseHook, type LeasedHook } from '../../runtime/features/webhooks/lease.js';
import type { Connection } from '../../runtime/sql/statement.js';
import { openSessions } from '../streaming/sessions.js';
import { secret, startService } from '../support/service.js';

interface Scene {
  readonly connection: Connection;
  readonly parts: DeliveryParts;
  readonly lease: () => Promise<LeasedHook | undefined>;
  readonly hook: () => Promise<Hook | undefined>;
}

const crm = { id: 'crm' };
const options: HookOptions = { ...crm, address: 'https://localhost/', format: 'reso', scopes: ['listing.read.all'] };

// Its address is of this machine, and refused.
async function startScene(t: ExecutionContext): Promise<Scene> {
  const service = await startService();
  const sessions = openSessions(service.databaseUrl);
  t.teardown(async () => {
    await sessions.close();
    await service.stop();
  });
  const run: Connection['run'] = ({ text, bind }) => sessions.rows(text, ...(bind as readonly string[]));
  const connection = { run } as Connection; // Hooks use nothing else of it.
  await addHook(options, { from: '0', secret }, connection);
  await sessions.rows(`insert into "#changes" ("#set", "#operation", "#key") values ('Property', 'u', '1'), ('Office', 'd', 'O1')`);
  const parts: DeliveryParts = {
    root: service.root,
    container: listing.container,
    secret,
    sending: { allowed: networkList([]), timeout: 1_000 },
    tries: [0.001, 0.001],
    onDatabase: (work) => work(connection),
  };
  return { connection, parts, lease: () => leaseHook(60_000, connection), hook: () => findHook(crm, connection) };
}

async function leased({ lease }: Scene): Promise<LeasedHook> {
  const hook = await lease();
  if (hook === undefined) throw new Error('The hook is not due.');
  return hook;
}

test('a hook is leased once, and its lease is lost by resuming', async (t) => {
  const scene = await startScene(t);
  const { connection, lease } = scene;
  await changeHook('confirm', crm, connection);
  const hook = await leased(scene);
  t.is(await lease(), undefined);
  t.true(await keepBatch(hook, { message: 'msg_1', to: '2' }, 60_000, connection));
  await resumeHook('0', crm, connection);
  t.false(await keepBatch(hook, { message: 'msg_1', to: '2' }, 60_000, connection));
  t.false(await endDelivery(hook, { kind: 'delivered', position: '2', pause: 0 }, connection));
  t.is(await lease(), undefined, 'the request of the former lease may still be under way');
});

test('a hook that is not due, paused or removed is not leased', async (t) => {
  const scene = await startScene(t);
  const { connection, lease, hook } = scene;
  await changeHook('confirm', crm, connection);
  await endDelivery(await leased(scene), { kind: 'failed', reason: 'r', failures: 1, delay: 60_000 }, connection);
  t.is(await lease(), undefined);
  await changeHook('pause', crm, connection);
  t.is((await hook())?.state, 'paused');
  await resumeHook('2', crm, connection);
  t.is(await lease(), undefined, 'there is nothing behind the last number');
  await resumeHook(undefined, crm, connection);
  t.is((await hook())?.position, '2');
  t.true(await removeHook(crm, connection));
  t.is(await lease(), undefined);
});

test('a clock of the database that is set back holds up no hook', async (t) => {
  const scene = await startScene(t);
  const { connection, lease } = scene;
  await changeHook('confirm', crm, connection);
  const set = (text: string): Promise<unknown> => connection.run({ text: `update gable_hook set ${text}`, bind: [] });
  await set(`next_try = now() + interval '1 hour'`);
  t.not(await lease(), undefined, 'the pause between two deliveries');
  await set(`leased_until = now() + interval '1 hour'`);
  t.not(await lease(), undefined, 'the lease of a process that has ended');
  await set(`leased_until = null, failing_since = now(), next_try = now() + interval '24 hours'`);
  t.is(await lease(), undefined);
  await set(`next_try = now() + interval '2 days'`);
  t.not(await lease(), undefined);
});

test('after its last try a hook stops, with the reason', async (t) => {
  const scene = await startScene(t);
  const kinds: string[] = [];
  while ((await scene.hook())?.state === 'active') {
    const hook = await scene.lease();
    const delivered = hook && (await deliver(hook, scene.parts));
    if (hook !== undefined && delivered !== undefined) await endDelivery(hook, delivered.ending, scene.connection);
    kinds.push(...(delivered === undefined ? [] : [delivered.ending.kind]));
  }
  t.deepEqual(kinds, ['failed', 'failed', 'stopped']);
  const hook = await scene.hook();
  t.is(hook?.failures, 3);
  t.regex(hook?.reason ?? '', /is of this machine$/);
  t.is(hook?.position, '0');
});

// oxfmt-ignore
/** Hooks, and how many of two changes they get. */
const selected: readonly (readonly [title: string, options: Partial<HookOptions>, changes: number | undefined])[] = [
  ['another set', { sets: ['Media'] }, undefined],
  ['another operation', { operations: ['create'] }, undefined],
  ['no scope for any set', { scopes: [] }, undefined],
  ['one of two sets', { sets: ['Office'] }, 1],
  ['one of two operations', { operations: ['update'] }, 1],
  ['all', {}, 2],
];

test('a hook gets what its sets, operations and scopes select', async (t) => {
  const scene = await startScene(t);
  const { connection } = scene;
  for (const [title, more, changes] of selected) {
    await removeHook(crm, connection);
    await addHook({ ...options, ...more }, { from: '0', secret }, connection);
    await changeHook('confirm', crm, connection);
    const delivered = await deliver(await leased(scene), scene.parts);
    t.is(delivered?.changes, changes, title);
    if (changes === undefined) t.like(delivered?.ending, { kind: 'passed', position: '2' }, title);
    else t.is(delivered?.ending.kind, 'failed', title);
  }
});
