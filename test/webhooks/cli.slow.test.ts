import { readFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { usageMistake } from '../../runtime/tools/cli/usage.js';
import { help, run } from '../../runtime/tools/cli/hook.js';
import { runCommand, spawnGable, type Ended } from '../support/run-command.js';
import { secret, startService, type TestService } from '../support/service.js';
import { certificateFile, type Consumer, startConsumer } from './consumer.js';

// oxfmt-ignore
/** Commands with mistakes, and their answers. */
const mistakes: readonly (readonly [typed: string, answer: string])[] = [
  ['', 'gable hook: name an action: add, list, show, pause, resume, rotate, remove or test.'],
  ['ad', "gable hook has no 'ad'. Did you mean add?"],
  ['restart', "gable hook has no 'restart'. Write add, list, show, pause, resume, rotate, remove or test."],
  ['constructor', "gable hook has no 'constructor'. Write add, list, show, pause, resume, rotate, remove or test."],
  ['list crm', 'gable hook: unexpected argument crm.'],
  ['show', 'gable hook show needs a name: gable hook show NAME.'],
  ['add', 'gable hook add needs a name: gable hook add NAME URL --scope "SCOPE ...".'],
  ['add https://crm.example', 'The name of a hook consists of at most 64 letters, digits, hyphens and underscores.'],
  ['show crm', 'There is no hook crm; gable hook list prints all.'],
  ['show crm --from 1', 'gable hook show has no option --from.'],
  ['resume crm --scope x', 'gable hook resume has no option --scope.'],
  ['resume crm --from=-1', "--from must be now, or the number of a change, not '-1'."],
  ['resume crm --from yesterday', "--from must be now, or the number of a change, not 'yesterday'."],
  ['add a.b https://crm.example', 'The name of a hook consists of at most 64 letters, digits, hyphens and underscores.'],
  ['add crm https://crm.example', '--scope is missing, for example --scope listing.read.'],
  ['add crm --scope listing.read', 'address is required.'],
  ['add crm http://crm.example --scope listing.read', "'http://crm.example' is not a valid value for address: it must begin with https://."],
  ['add crm https://10.0.0.1 --scope listing.read', "'https://10.0.0.1' is not a valid value for address: 10.0.0.1 is private."],
  ['add crm https://crm.example --scope listing.read --set Propety', "'Propety' is not a valid value for sets: it must be Property, Member, Office, Media, PropertyRooms or OpenHouse (did you mean Property?)."],
  ['add crm https://crm.example --scope listing.read --format rezo', "'rezo' is not a valid value for format: it must be reso, cloudevents or standard (did you mean reso?)."],
  ['add crm https://crm.example --scope listing.read --from 99999999', "'99999999' is not a valid value for from: the last change has the number 0."],
  ['add crm https://crm.example --scop listing.read', 'unknown option --scop; did you mean --scope?'],
];

/** A service, a consumer, and the environment of commands. */
interface Scene {
  readonly service: TestService;
  readonly consumer: Consumer;
  readonly environment: Readonly<Record<string, string>>;
}

async function startScene(t: ExecutionContext): Promise<Scene> {
  const service = await startService();
  const consumer = await startConsumer();
  t.teardown(async () => {
    await consumer.turn('off');
    await service.stop();
  });
  const environment = {
    DATABASE_URL: service.databaseUrl,
    GABLE_SECRET: secret,
    GABLE_WEBHOOK_NETWORKS: '127.0.0.0/8,::1',
    NODE_EXTRA_CA_CERTS: certificateFile,
  };
  return { service, consumer, environment };
}

test('hooks are managed by the command', async (t) => {
  const { consumer, environment } = await startScene(t);
  const hook = (...args: readonly string[]): Promise<Ended> => spawnGable(['hook', ...args], environment);
  Object.assign(process.env, environment);
  for (const [typed, answer] of mistakes) {
    const failure = await t.throwsAsync(run(typed.split(' ').filter(Boolean)));
    t.is(usageMistake(failure, help) ?? failure.message, answer, typed);
  }
  const added = await hook(
    'add',
    'crm',
    consumer.url,
    '--scope',
    'listing.read.all',
    '--set',
    'Property',
    '--bearer',
    'abc',
    '--from',
    '0',
  );
  t.is(added.status, 0, added.stderr);
  t.is(added.stderr, 'The secret that signs deliveries to crm:\n');
  t.notThrows(() => new Webhook(added.stdout.trim()));
  t.is(
    (await hook('add', 'crm', consumer.url, '--scope', 'listing.read')).stderr,
    'gable: There is a hook crm already; choose another name, or remove it.\n',
  );
  t.is((await hook('list')).stdout, `crm  not confirmed  0 behind  ${consumer.url}\n`);

  const refused = await hook('test', 'crm');
  t.is(refused.status, 1);
  t.is(refused.stdout, `${consumer.url} does not accept deliveries: the consumer answered 400.\n`);
  consumer.secrets.push(added.stdout.trim());
  const accepted = await hook('test', 'crm', '--json');
  t.deepEqual(
    { ...accepted, stdout: JSON.parse(accepted.stdout) as unknown },
    { status: 0, stderr: '', stdout: { accepted: true, status: 204, reason: null } },
  );
  t.is(consumer.received.at(-1)?.headers.authorization, 'Bearer abc');

  const { stdout: unreadable } = await spawnGable(['hook', 'test', 'crm'], { ...environment, GABLE_SECRET: `${secret}!` });
  t.regex(unreadable, /: its bearer token was stored with another GABLE_SECRET; remove the hook and add it again\.\n$/);

  t.is((await hook('pause', 'crm')).stdout, 'crm is paused at 0.\n');
  t.is((await hook('resume', 'crm', '--from', '0')).stdout, 'crm continues after 0.\n');
  const { stdout: shown } = await hook('show', 'crm');
  t.regex(shown, /^name {10}crm\naddress {7}https:\S+\nformat {8}reso\nsets {10}Property\noperations {4}all\n/);
  t.regex(shown, /\nbearer {8}\*+\nstate {9}active\nposition {6}0 of 0\n/);
  const { stdout: newer } = await hook('rotate', 'crm');
  t.not(newer, added.stdout);
  t.is((await hook('test', 'crm')).status, 0, 'the former secret signs, too');
  consumer.secrets.splice(0, 1, newer.trim());
  t.is((await hook('test', 'crm')).status, 0);
  t.is((await hook('remove', 'crm')).stdout, 'crm is removed.\n');
  t.is((await hook('remove', 'crm')).status, 2);
  t.deepEqual(JSON.parse((await hook('list', '--json')).stdout), { hooks: [] });
});

test('a hook that was behind for longer than deletions are kept says so', async (t) => {
  const { service, consumer, environment } = await startScene(t);
  const hook = (...args: readonly string[]): Promise<Ended> => spawnGable(['hook', ...args], environment);
  const pool = connect(service.databaseUrl);
  const log = `insert into "#changes" ("#set", "#operation", "#key") values ('Property', 'd', '1'), ('Property', 'd', '2'), ('Property', 'u', '3')`;
  for (const text of [log, 'update "#change_state" set "#floor" = 2']) await withConnection(pool, ({ run }) => run({ text, bind: [] }));
  await pool.close();
  await hook('add', 'crm', consumer.url, '--scope', 'listing.read.all', '--from', '1');
  t.is(
    (await hook('resume', 'crm')).stdout,
    'crm continues after 1, but the log no longer has deletions up to 2: the consumer has to compare its keys with those of the service.\n',
  );
  t.regex((await hook('show', 'crm')).stdout, /\nposition {6}1 of 3\ngap {11}the log no longer has deletions up to 2\n/);
  t.is((await hook('resume', 'crm', '--from', '2')).stdout, 'crm continues after 2.\n');
});

test('a consumer of CloudEvents consents by OPTIONS', async (t) => {
  const { consumer, environment } = await startScene(t);
  const here = { ...environment, GABLE_PUBLIC_URL: 'https://listings.example' };
  const hook = (args: string, more = {}): Promise<Ended> => spawnGable(['hook', ...args.split(' ')], { ...here, ...more });
  await hook(`add crm ${consumer.url} --scope listing.read --format cloudevents`);
  t.regex(
    (await hook('test crm', { NODE_EXTRA_CA_CERTS: '' })).stdout,
    / does not accept deliveries: self-signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.\n$/,
  );
  t.regex((await hook('test crm')).stdout, / its answer to OPTIONS has no WebHook-Allowed-Origin with \* or listings\.example\.\n$/);
  consumer.answers.push({ status: 302, headers: { Location: 'https://127.0.0.1/' } });
  t.regex((await hook('test crm')).stdout, / the consumer answered 302\.\n$/);
  consumer.answers.push({ status: 101, headers: { Connection: 'Upgrade', Upgrade: 'websocket' } });
  t.regex((await hook('test crm')).stdout, / the consumer switched to another protocol\.\n$/);
  consumer.answers.push({ status: 200, headers: { 'WebHook-Allowed-Origin': 'other.example, listings.example' } });
  t.is((await hook('test crm')).status, 0);
  t.is(consumer.received.at(-1)?.headers['webhook-request-origin'], 'listings.example');
  t.is((await hook('list')).stdout, `crm  active  0 behind  ${consumer.url}\n`);
});

test('the commands of WEBHOOKS.md work as they are written', async (t) => {
  const { service, consumer, environment } = await startScene(t);
  const [commands = '', request = ''] = [...readFileSync('WEBHOOKS.md', 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(
    ([, text]) => text ?? '',
  );
  const more = { PATH: process.env['PATH'], TOKEN: await service.token('hooks') };
  const script = (text: string): Promise<Ended> => {
    const here = text.replaceAll('gable ', 'node dist/gable.js ').replaceAll('http://localhost:4004', new URL(service.root).origin);
    return runCommand('bash', ['--norc', '-euo', 'pipefail', '-c', here], { env: { ...environment, ...more } });
  };
  const [add = '', check = ''] = commands.split('\n');
  consumer.secrets.push((await script(add.replace('https://crm.example/changes', consumer.url))).stdout.trim());
  t.is((await script(check)).stdout, `${consumer.url} accepts deliveries.\n`);
  const { stdout } = await script(request);
  t.like(JSON.parse(stdout), { address: 'https://crm.example/changes', operations: ['update', 'delete'], state: 'active' });
});
