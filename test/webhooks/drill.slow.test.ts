import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { startProcess, type ServeProcess } from '../operation/serve-process.js';
import { until } from '../operation/until.js';
import { openSessions, type Sessions } from '../streaming/sessions.js';
import { secret, startService, type TestService } from '../support/service.js';
import { certificateFile, startConsumer, type Consumer } from './consumer.js';

// `HOOK_TIMES=real` plays the first drill with the usual times: a consumer that is down for ten minutes gets its events with
// the fourth try, after 36 minutes.
const isReal = process.env['HOOK_TIMES'] === 'real';

/** Tries within seconds, for what takes days otherwise. */
const shortTimes = {
  GABLE_WEBHOOK_TIMEOUT: '700',
  GABLE_WEBHOOK_TRIES: '0.1,0.2,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,60',
};
/** For deliveries that must not time out, however busy the machine is; a lease takes twice as long. */
const patience = { GABLE_WEBHOOK_TIMEOUT: '5000' };
const environment = {
  GABLE_SECRET: secret,
  GABLE_WEBHOOK_NETWORKS: '127.0.0.1,::1',
  ...(isReal ? {} : shortTimes),
  NODE_EXTRA_CA_CERTS: certificateFile,
};

/** Milliseconds: of a consumer that is down, of an answer that is too slow, and until a delivery. */
const times = isReal ? { down: 600_000, slow: 16_000, most: 2_700_000 } : { down: 0, slow: 1_500, most: 30_000 };

/** Two services on one database, a consumer, and its hook. */
interface Drill {
  readonly consumer: Consumer;
  readonly services: readonly [ServeProcess, ServeProcess];
  readonly sessions: Sessions;
  readonly headers: Readonly<Record<string, string>>;
  readonly hook: string;
  readonly post: (action: string, body?: object) => Promise<Readonly<Record<string, unknown>>>;
}

async function startDrill(t: ExecutionContext, options: object, settings: Readonly<Record<string, string>> = {}): Promise<Drill> {
  const database = await startService();
  const consumer = await startConsumer();
  const sessions = openSessions(database.databaseUrl);
  const serve = (args: readonly string[]): Promise<ServeProcess> =>
    startProcess(args, { ...environment, ...settings, DATABASE_URL: database.databaseUrl });
  const services = [await serve(['--workers', '2']), await serve([])] as const;
  t.teardown(async () => {
    services.forEach(({ child }) => child.kill('SIGTERM'));
    await Promise.all(services.map(({ ended }) => ended));
    await consumer.turn('off');
    await sessions.close();
    await database.stop();
  });
  const headers = { Authorization: `Bearer ${await tokenOf(database)}`, 'Content-Type': 'application/json' };
  const send = async (url: string, body: object = {}): Promise<Readonly<Record<string, unknown>>> => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    t.true(response.ok, `${url} ${response.status}`);
    return (await response.json()) as Readonly<Record<string, unknown>>;
  };
  const hooks = `${services[0].url}/hooks`;
  const added = await send(hooks, { address: consumer.url, ...options });
  consumer.secrets.push(String(added['secret']));
  return {
    consumer,
    services,
    sessions,
    headers,
    hook: `${hooks}/${String(added['id'])}`,
    post: (action, body) => send(`${hooks}/${String(added['id'])}/${action}`, body),
  };
}

function tokenOf(database: TestService): Promise<string> {
  return database.token('hooks');
}

/** Changes a listing so often, by both services. */
async function change({ services, headers }: Drill, times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    const { url } = services[index % 2] ?? services[0];
    const body = JSON.stringify({ ChangedByMemberKey: 'M3', ListPrice: 500_000 + index });
    const response = await fetch(`${url}/odata/Property('${['1', '4'][index % 3 === 0 ? 0 : 1]}')`, { method: 'PATCH', headers, body });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }
}

/** The numbers of the acknowledged deliveries, in the order of their first acknowledgement. */
function acknowledged({ consumer }: Drill): readonly string[] {
  const first = new Map(
    consumer.received.filter(({ status = 0 }) => status >= 200 && status < 300).map((delivery) => [delivery.id, delivery]),
  );
  return [...first.values()].flatMap(({ body }) => [...body.matchAll(/"EntityEventSequence":(\d+)/g)].map(([, number]) => number ?? ''));
}

async function logged({ sessions }: Drill): Promise<readonly string[]> {
  return (await sessions.rows(`select "#id" from "#changes" order by "#id"`)).map(([number]) => number ?? '');
}

async function untilDelivered(drill: Drill): Promise<void> {
  const end = performance.now() + times.most;
  while (acknowledged(drill).length < (await logged(drill)).length && performance.now() < end) await delay(100);
}

async function failuresOf({ hook, headers }: Drill): Promise<number> {
  const { failures } = (await (await fetch(hook, { headers })).json()) as { readonly failures: number };
  return failures;
}

test('a consumer that is down, busy, slow, without TLS, and behind a rotated secret gets every event, in order', async (t) => {
  t.timeout(120_000 + 2 * times.most);
  const drill = await startDrill(t, { from: '0' });
  const { consumer, services, post } = drill;
  // At the same time, so that greater numbers become visible before smaller ones.
  await Promise.all([1, 2, 3, 4].map(() => change(drill, 15)));
  await untilDelivered(drill);

  await consumer.turn('off');
  await change(drill, 10);
  await until(async () => (await failuresOf(drill)) > 1);
  await delay(times.down);
  await consumer.turn('on');
  await untilDelivered(drill);

  const before = consumer.received.length;
  consumer.answers.push({ status: 429, headers: { 'Retry-After': '1' } }, { status: 503 });
  const asked = performance.now();
  await change(drill, 10);
  await untilDelivered(drill);
  t.true(performance.now() - asked > 1_000);
  const [first, second] = consumer.received.slice(before);
  t.is(first?.status, 429);
  t.is(second?.id, first?.id, 'each try has the same id');

  consumer.answers.push({ status: 204, after: times.slow });
  await change(drill, 5);
  await untilDelivered(drill);

  await consumer.turn('plain');
  await change(drill, 5);
  await until(async () => (await failuresOf(drill)) > 0);
  await consumer.turn('on');
  await untilDelivered(drill);

  const { secret: newer } = await post('rotate');
  await change(drill, 3);
  await untilDelivered(drill);
  consumer.secrets.splice(0, 1, String(newer));
  await change(drill, 3);
  await untilDelivered(drill);

  consumer.answers.push({ status: 204, after: 600 });
  await change(drill, 4);
  services[1].child.kill('SIGKILL');
  await untilDelivered(drill);

  t.deepEqual(acknowledged(drill), await logged(drill));
  const requests = new Map<string, string>();
  for (const { id, body } of consumer.received) {
    // The service root is that of the process.
    const same = body.replace(/localhost:\d+/g, 'localhost');
    t.is(requests.get(id) ?? same, same, 'each try of a batch has the same body');
    requests.set(id, same);
  }
  const metrics = async (): Promise<string> => (await fetch(`${services[0].url}/metrics`)).text();
  // The gauges are read every five seconds.
  await until(async () => /gable_webhooks\{state="active"\} 1$[^]*\ngable_webhook_lag_seconds 0$/m.test(await metrics()));
  t.regex(await metrics(), /gable_webhook_deliveries_total\{outcome="delivered"\} \d/);
  t.regex(`${services[0].log()}${services[1].log()}`, /"status":429,.*"msg":"webhook failed"/);
});

test('410 stops a hook, which is resumed from any number; a process that ends finishes its delivery', async (t) => {
  const drill = await startDrill(t, { sets: ['Property'] }, patience);
  const { consumer, services, post, hook, headers } = drill;
  const state = async (): Promise<unknown> => ((await (await fetch(hook, { headers })).json()) as { readonly state: unknown }).state;
  await until(async () => consumer.received.some(({ status }) => status === 204));
  consumer.answers.push({ status: 410 });
  await change(drill, 3);
  await until(async () => (await state()) === 'stopped');
  const stopped = /"level":"error".*"reason":"the consumer answered 410".*"msg":"webhook stopped"/;
  await until(async () => stopped.test(`${services[0].log()}${services[1].log()}`));

  await post('resume');
  await untilDelivered(drill);
  t.deepEqual(acknowledged(drill), await logged(drill));

  await post('resume', { from: '1' });
  await until(async () => acknowledged(drill).length === 2 * (await logged(drill)).length - 1);
  t.deepEqual(acknowledged(drill), [...(await logged(drill)), ...(await logged(drill)).slice(1)]);

  await post('pause');
  await change(drill, 2);
  await delay(1_500);
  const count = consumer.received.length;
  consumer.answers.push({ status: 204, after: 400 });
  await post('resume');
  await until(async () => consumer.received.length > count);
  services.forEach(({ child }) => child.kill('SIGTERM'));
  await Promise.all(services.map(({ ended }) => ended));
  t.is(consumer.received.at(-1)?.status, 204);
  t.deepEqual(await drill.sessions.rows('select position = (select max("#id") from "#changes"), lease from gable_hook'), [['t', null]]);
});

test('a delivery that outlasts the end of its process is no failure, and keeps its batch', async (t) => {
  const drill = await startDrill(t, {}, { ...patience, GABLE_DRAIN_TIMEOUT: '100' });
  const { consumer, services, sessions } = drill;
  await until(async () => consumer.received.some(({ status }) => status === 204));
  consumer.answers.push({ status: 204, after: 20_000 });
  const count = consumer.received.length;
  await change(drill, 1);
  await until(async () => consumer.received.length > count);
  services.forEach(({ child }) => child.kill('SIGTERM'));
  await Promise.all(services.map(({ ended }) => ended));
  t.deepEqual(await sessions.rows('select position, failures, reason, lease, batch_to from gable_hook'), [['0', '0', null, null, '1']]);
  t.regex(`${services[0].log()}${services[1].log()}`, /"msg":"webhook interrupted"/);
});
