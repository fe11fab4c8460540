import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { commandOf, parseDockerfile, textsOf, variablesOf } from '../operation/dockerfile.js';
import { secret } from '../support/service.js';
import { packAndInstall, root, runNode } from '../package/packed.js';
import { serveInJson, serveWith } from './gable-process.js';
import { testDatabase } from '../support/database.js';

const packed = packAndInstall();
test.after.always(() => packed.remove());

const model = resolve('test/project/towns.xml');
const project = join(packed.consumer, 'towns');
const gable = join(project, 'node_modules/gable/dist/gable.js');

test.serial('gable init of the packed program makes a project', (t) => {
  // The program runs where it was unpacked; its dependencies are linked instead of installed.
  symlinkSync(join(root, 'node_modules'), join(packed.installed, 'node_modules'), 'junction');
  const resolved = `file:${relative(packed.consumer, packed.tarball)}`;
  writeFileSync(
    join(packed.installed, '../.package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/gable': { version: '0.1.0', resolved } } }),
  );
  const { code, output } = runNode(join(packed.installed, 'dist/gable.js'), ['init', project, '--model', model], packed.consumer);
  t.is(code, 0, output);
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { readonly dependencies: { readonly gable: string } };
  t.is(
    resolve(project, manifest.dependencies.gable.replace('file:', '')),
    packed.tarball,
    'a project depends on the tarball that the program was installed from',
  );
  rmSync(join(packed.installed, 'node_modules'));
  t.deepEqual(readdirSync(project).sort(), [
    '.dockerignore',
    '.github',
    '.gitignore',
    'Dockerfile',
    'README.md',
    'compose.yaml',
    'extensions',
    'gable.config.ts',
    'generated',
    'model',
    'package.json',
    'requests.http',
    'test',
    'tsconfig.json',
  ]);
  t.regex(readFileSync(join(project, 'model/overlay.jsonc'), 'utf8'), /^\/\/ The gaps of model\/metadata\.xml\./);
  t.is(readFileSync(join(project, 'model/metadata.xml'), 'utf8'), readFileSync(model, 'utf8'));
  t.regex(readFileSync(join(project, 'generated/town/fields.ts'), 'utf8'), /from 'gable\/edm';/);
  const again = runNode(join(root, 'dist/gable.js'), ['init', project, '--model', model], packed.consumer);
  t.is(again.code, 2);
  t.regex(again.output, /is not empty/);
});

test.serial('its tests pass, also a further one: it compiles, and what is generated is current', (t) => {
  install();
  writeFileSync(join(project, 'test/further.test.ts'), "import test from 'node:test';\n\ntest('further', () => {});\n");
  const { status, stdout, stderr } = spawnSync('npm', ['test', '--no-update-notifier'], {
    cwd: project,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  t.is(status, 0, `${stdout}${stderr}`);
  t.regex(stdout, /Up to date\./);
  t.regex(stdout, /pass 3\b/);
  rmSync(join(project, 'test/further.test.ts'));
});

test.serial('what its Dockerfile copies builds and serves it, with the settings of its compose file', async (t) => {
  const [first = [], final = []] = parseDockerfile(readFileSync(join(project, 'Dockerfile'), 'utf8'));
  const [build, image] = [join(packed.consumer, 'build'), join(packed.consumer, 'image')];
  const allowed = readFileSync(join(project, '.dockerignore'), 'utf8').split('\n');
  t.is(allowed[0], '**');
  const sources = textsOf(first, 'COPY').flatMap((text) => text.split(' ').slice(0, -1));
  for (const path of sources) t.true(allowed.includes(`!${path}`), path);
  // There is no lock file, and its packages are linked.
  copyAll(project, build, [...sources.filter((path) => path !== 'package-lock.json'), 'node_modules']);
  const [ci, own, prune, ...others] = textsOf(first, 'RUN');
  t.regex(`${ci}; ${prune}; ${others.join()}`, /^npm ci .*; npm prune .*; $/);
  const built = spawnSync(own ?? '', { cwd: build, encoding: 'utf8', shell: true, env: { ...process.env, NODE_OPTIONS: '' } });
  t.is(built.status, 0, `${built.stdout}${built.stderr}`);
  copyAll(
    build,
    image,
    textsOf(final, 'COPY').map((text) => text.replace('--from=build /build/', '').split(' ')[0] ?? ''),
  );
  const { services } = parse(readFileSync(join(project, 'compose.yaml'), 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, { readonly command?: readonly string[]; readonly environment?: object }>>;
  };
  const database = await testDatabase();
  t.teardown(() => database.drop());
  const env = { ...process.env, ...variablesOf(final), DATABASE_URL: database.url, GABLE_SECRET: secret, GABLE_DRAIN_DELAY: '0' };
  t.deepEqual(Object.keys(services['service']?.environment ?? {}), ['DATABASE_URL', 'GABLE_SECRET', 'GABLE_PUBLIC_URL']);
  const [, ...entry] = textsOf(final, 'ENTRYPOINT').flatMap(commandOf);
  const migrated = spawnSync(process.execPath, [...entry, ...(services['migrate']?.command ?? [])], { cwd: image, encoding: 'utf8', env });
  t.is(migrated.status, 0, migrated.stderr);
  const served = await serveInJson(join(image, entry[0] ?? ''), [...(services['service']?.command ?? []), '--port', '0'], {
    cwd: image,
    env,
  });
  t.is((await fetch(`${served.root}/Towns`)).status, 401);
  t.is(await served.interrupt(), 0);
});

test.serial('its requests name its sets, and its workflow runs its test', (t) => {
  t.regex(
    readFileSync(join(project, 'requests.http'), 'utf8'),
    /^GET \{\{service\}\}\/Towns\?\$top=10&\$count=true\nAuthorization: Bearer \{\{token\}\}$/m,
  );
  const { jobs } = parse(readFileSync(join(project, '.github/workflows/ci.yml'), 'utf8')) as {
    readonly jobs: { readonly test: { readonly steps: readonly { readonly run?: string }[] } };
  };
  t.deepEqual(
    jobs.test.steps.flatMap(({ run }) => run ?? []),
    ['npm ci', 'npm test'],
  );
});

test.serial('it serves its own model, with samples and a token', async (t) => {
  const database = await testDatabase();
  t.teardown(() => database.drop());
  const service = await serveWith(gable, ['start', '--port', '0', '--samples', '2'], {
    cwd: project,
    env: { ...process.env, DATABASE_URL: database.url },
  });
  const [, token = ''] = /TOKEN=(\S+)/.exec(service.output()) ?? [];
  const answer = await fetch(`${service.root}/Towns?$expand=Country($select=Code)&$select=Id,Name&$orderby=Id`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { value } = (await answer.json()) as { readonly value: unknown };
  t.deepEqual(value, [
    { Id: 1, Name: 'Berlin', Country: { Code: '1' } },
    { Id: 2, Name: 'Boston', Country: { Code: '2' } },
  ]);
  t.is((await fetch(`${service.root}/Towns`)).status, 401);
  // Its model has no permissions, so that there is no scope to name.
  const { status, stdout: another } = spawnSync(process.execPath, [gable, 'token'], { cwd: project, encoding: 'utf8' });
  t.is(status, 0);
  t.is((await fetch(`${service.root}/Towns`, { headers: { Authorization: `Bearer ${another.trim()}` } })).status, 200);
  t.is(await service.interrupt(), 0);
  for (const [args, code, told] of [
    [[], 2, 'The sets are not empty, but sample data needs an empty database. Nothing was written.'],
    [['--reset'], 2, '--reset is no option of a project; write --samples N.'],
    [['--listings', '5'], 2, '--listings is no option of a project; write --samples N.'],
  ] as const) {
    const seeded = spawnSync(process.execPath, [gable, 'seed', ...args], {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: database.url },
    });
    t.is(seeded.status, code, seeded.stderr);
    t.deepEqual([seeded.stdout, seeded.stderr], ['', `gable: ${told}\n`]);
  }
});

test.serial('it tells its address and a token in JSON, started or served', async (t) => {
  const database = await testDatabase();
  t.teardown(() => database.drop());
  const options = { cwd: project, env: { ...process.env, DATABASE_URL: database.url } };
  const started = await serveInJson(gable, ['start', '--port', '0', '--samples', '2'], options);
  const { token, requests, samples } = started.told as {
    readonly token: string;
    readonly requests: readonly { readonly url: string }[];
    readonly samples: { readonly rows: object };
  };
  t.deepEqual(Object.keys(started.told), ['url', 'token', 'expires', 'requests', 'explorer', 'pages', 'samples']);
  t.deepEqual(Object.values(samples.rows), [2, 2, 2]);
  for (const { url } of requests) t.is((await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status, 200, url);
  t.is(await started.interrupt(), 0);
  const served = await serveInJson(gable, ['serve', '--port', '0', '--workers', '2'], options);
  t.deepEqual(served.told, { url: served.root, workers: 2 });
  t.is((await fetch(`${served.root}/Towns`)).status, 401);
  // The stub, which the project imports from gable/edm, is the one that the program knows.
  const asked = await fetch(`${served.root}/Then`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
  t.is(asked.status, 501, await asked.text());
  t.is(await served.interrupt(), 0);
});

test.serial('it serves from where its configuration says that the output goes', async (t) => {
  renameSync(join(project, 'generated'), join(project, 'served'));
  for (const name of ['tsconfig.json', 'test/model.test.ts', 'extensions/operations/then.ts'])
    edit(name, (text) => text.replace('generated', 'served'));
  edit('gable.config.ts', (text) => text.replace('export default {', "export default {\n  output: 'served',"));
  rmSync(join(project, 'dist'), { recursive: true });
  const database = await testDatabase();
  t.teardown(() => database.drop());
  const env = { ...process.env, DATABASE_URL: database.url };
  const before = spawnSync(process.execPath, [gable, 'start'], { cwd: project, encoding: 'utf8', env });
  t.is(before.status, 2);
  t.regex(before.stderr, /dist\/served\/index\.js is missing\. Run npm run build first, with served in the include of tsconfig\.json\./);
  t.is(
    spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: project, encoding: 'utf8' }).stdout,
    '',
  );
  t.is(spawnSync(process.execPath, [gable, 'generate', '--check'], { cwd: project, encoding: 'utf8' }).status, 0);
  const migrated = spawnSync(process.execPath, [gable, 'migrate'], { cwd: project, encoding: 'utf8', env });
  t.is(migrated.status, 0, migrated.stderr);
  const service = await serveWith(gable, ['start', '--port', '0', '--samples', '2'], { cwd: project, env });
  t.is((await fetch(`${service.root}/Towns`)).status, 401);
  t.is(await service.interrupt(), 0);
});

function copyAll(from: string, to: string, paths: readonly string[]): void {
  for (const path of paths) cpSync(join(from, path), join(to, path), { recursive: true, verbatimSymlinks: true });
}

function edit(name: string, change: (text: string) => string): void {
  writeFileSync(join(project, name), change(readFileSync(join(project, name), 'utf8')));
}

// The layout of npm install, from local packages and the tarball.
function install(): void {
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => !each.startsWith('.')))
    symlinkSync(join(root, 'node_modules', name === 'typescript' ? 'typescript-7' : name), join(modules, name), 'junction');
  cpSync(packed.installed, join(modules, 'gable'), { recursive: true });
  chmodSync(join(modules, 'gable/dist/gable.js'), 0o755);
  symlinkSync('../typescript/bin/tsc', join(modules, '.bin/tsc'));
  symlinkSync('../gable/dist/gable.js', join(modules, '.bin/gable'));
}
