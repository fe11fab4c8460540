import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test from 'ava';
import { serveInJson, serveWith } from './gable-process.js';

const gable = resolve('dist/gable.js');
const model = 'test/project/towns.xml';
const folder = mkdtempSync(join(tmpdir(), 'gable-try-test-'));
const env = { ...process.env, TMPDIR: folder, TEMP: folder };
// As root, PostgreSQL runs as an account that has to enter.
chmodSync(folder, 0o711);
test.after.always(() => rmSync(folder, { recursive: true, force: true }));

test.serial('gable try serves samples of every type without a token, and leaves nothing behind', async (t) => {
  const service = await serveWith(gable, ['try', model, '--port', '0', '--samples', '3'], { cwd: process.cwd(), env });
  t.teardown(() => service.interrupt());
  const read = async (
    path: string,
    init: RequestInit = {},
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> => {
    const response = await fetch(`${service.root}/${path}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  t.regex(service.output(), /Wrote 9 sample records of 3 types/);
  const { body: towns } = await read('Towns?$count=true&$expand=Country&$orderby=Id');
  t.is(towns['@odata.count'], 3);
  t.deepEqual((towns['value'] as readonly object[])[1], {
    Id: 2,
    Name: 'Boston',
    Size: 'Large',
    Hall: { Street: '2 Main Street', Zip: '10002' },
    Tags: ['Tags 2'],
    CountryCode: '2',
    Country: { Code: '2', Area: 953 },
  });
  t.deepEqual((await read('Towns(2)/Hall')).body, {
    '@odata.context': `${service.root}/$metadata#Towns(2)/Hall`,
    Street: '2 Main Street',
    Zip: '10002',
  });
  const created = await read('Countries', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"Code":"NL"}' });
  t.is(created.status, 201);
  const foreign = await fetch(`${service.root}/Straßen`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"Länge":9,"Name":"ö"}',
  });
  t.is(
    foreign.headers.get('Location'),
    `${service.root}/${encodeURIComponent('Straßen')}(${encodeURIComponent('Länge')}=9,Name='${encodeURIComponent('ö')}')`,
  );
  t.deepEqual(((await (await fetch(foreign.headers.get('Location') ?? '')).json()) as { readonly Name: string }).Name, 'ö');
  t.is((await read('Countries', { headers: { Authorization: 'Bearer wrong' } })).status, 401);
  t.is((await read('Countries', { headers: { Authorization: 'Bearer ' } })).status, 200);
  t.is((await read('Then', { method: 'POST' })).status, 501, 'a handler that is called like the continuation of a promise');
  t.notRegex(service.output(), /The database's data is in/, 'data elsewhere stay there');
  t.is(await service.interrupt(), 0);
  t.deepEqual(readdirSync(folder), []);
});

test.serial('gable try --json tells in a line where it serves, what to try, and what was filled', async (t) => {
  const service = await serveInJson(gable, ['try', 'test/generator/cases/lenient-gaps/model.xml', '--port', '0', '--samples', '2'], {
    cwd: process.cwd(),
    env,
  });
  t.teardown(() => service.interrupt());
  const { url, requests, gaps, samples } = service.told as {
    readonly url: string;
    readonly requests: readonly { readonly method: string; readonly url: string }[];
    readonly gaps: readonly { readonly severity: string }[];
    readonly samples: object;
  };
  t.is(service.output(), `${JSON.stringify(service.told)}\n`, 'nothing else is said');
  t.true(gaps.length > 0 && gaps.every(({ severity }) => severity === 'warning'));
  t.deepEqual(Object.keys(samples), ['rows', 'refused']);
  t.true(requests.length > 1 && requests.every((request) => request.method === 'GET' && request.url.startsWith(url)));
  for (const request of requests) t.is((await fetch(request.url)).status, 200, request.url);
});

test.serial('gable try --json tells why a model is refused', (t) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [gable, 'try', 'test/generator/cases/malformed/model.xml', '--json'], {
    encoding: 'utf8',
    env,
  });
  t.is(status, 2, stderr);
  const { url, exitCode, refused } = JSON.parse(stdout) as {
    readonly url: null;
    readonly exitCode: number;
    readonly refused: readonly { readonly code: string }[];
  };
  t.deepEqual([url, exitCode, refused.map(({ code }) => code.slice(0, 4))], [null, 2, ['CSDL']]);
});

test.serial('gable try serves this machine only, and a model with faults not at all', (t) => {
  const attempts = [
    { args: ['try', model], variables: { HOST: '0.0.0.0' }, says: /Without tokens, HOST must be 127\.0\.0\.1/ },
    { args: ['try', 'test/generator/cases/malformed/model.xml'], variables: {}, says: /error CSDL0/ },
    { args: ['try', 'nowhere.xml'], variables: {}, says: /There is no file nowhere.xml/ },
    { args: ['try', 'nowhere/town.xml'], variables: {}, says: /There is no file nowhere\/town.xml\.\n/ },
    {
      args: ['try', 'test/project/town.xml'],
      variables: {},
      says: /There is no file test\/project\/town\.xml\. Did you mean test\/project\/towns\.xml\?/,
    },
    { args: ['try', model], variables: { GABLE_POOL_SIZE: 'many' }, says: /GABLE_POOL_SIZE: must be a whole number/ },
  ];
  for (const { args, variables, says } of attempts) {
    const { status, stderr } = spawnSync(process.execPath, [gable, ...args, '--port', '0'], {
      encoding: 'utf8',
      env: { ...env, ...variables },
    });
    t.is(status, 2, stderr);
    t.regex(stderr, says);
    t.deepEqual(readdirSync(folder), []);
  }
});
