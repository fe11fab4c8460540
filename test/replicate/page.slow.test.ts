import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { createClient } from '../../client/index.js';
import { service as table } from '../../generated/client.js';
import { draft } from '../client/draft.js';
import { testDatabase } from '../support/database.js';
import { secret, startService } from '../support/service.js';

const run = promisify(execFile);
const page = readFileSync('KEEP-A-COPY.md', 'utf8');

test('every command of KEEP-A-COPY.md works as it is written', async (t) => {
  t.timeout(60_000);
  const [service, copy, folder] = [await startService(), await testDatabase(), mkdtempSync(join(tmpdir(), 'gable-copy-'))];
  t.teardown(async () => {
    rmSync(folder, { recursive: true });
    await service.stop();
    await copy.drop();
  });
  const api = createClient(table, { baseUrl: service.root, token: await service.token('write') });
  for (let count = 0; count < 3; count++) await api.Property.create(draft);
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? '');
  const script = [`gable() { node '${resolve('dist/gable.js')}' "$@"; }`, ...blocks]
    .join('\n')
    .replaceAll('http://localhost:4004/odata', service.root);
  const env = { ...process.env, GABLE_SECRET: secret, COPY_URL: copy.url };
  const { stdout, stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: folder, env });
  const [header, delta = '', events = '', ...more] = stdout.replaceAll('\r', '').split(/\n|(?<=\})(?=\{"@odata\.context)/);
  t.regex(stderr, /^Property: 3 records .* changes by delta links$/m);
  t.is(header, 'ListingKey,City,ListPrice,ModificationTimestamp,Media');
  t.regex(delta, /\$delta","value":\[\],"@odata\.deltaLink"/);
  t.is((JSON.parse(events) as { readonly value: readonly unknown[] }).value.length, 2);
  t.deepEqual(more, []);
});
