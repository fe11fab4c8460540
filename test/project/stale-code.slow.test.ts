import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { strictPolicy } from '../../generator/policy.js';
import { compileProject } from '../../generator/project/compile-project.js';
import { makeProject } from '../../generator/project/make-project.js';
import { generatedFile } from '../../runtime/config/served-model.js';
import { listing } from '../../runtime/extensions/listing/listing.js';
import { loadProject } from '../../runtime/tools/cli/project.js';
import { runGableIn } from '../generator/run-gable.js';

test('code that was compiled before the last generation is refused', async (t) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'gable-stale-')), 'towns');
  t.teardown(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
  makeProject({ folder, model: 'test/project/towns.xml', overlay: undefined, policy: strictPolicy, dependency: '0.1.0' });
  compileProject(folder);
  const source = join(folder, 'generated/index.ts');
  t.regex((await loadProject(folder)).revision ?? '', /^[0-9a-f]{16}$/);
  appendFileSync(source, '\n');
  await t.notThrowsAsync(loadProject(folder), 'only the hash counts');
  writeFileSync(source, readFileSync(source, 'utf8').replace(/revision = '\w+'/, "revision = '0123456789abcdef'"));
  await t.throwsAsync(loadProject(folder), {
    message: `${source} was generated after the project was compiled; run npm run build first.`,
  });
});

test("the package's own code has the hash of its sources", (t) => {
  t.true(readFileSync(generatedFile('index.ts'), 'utf8').includes(`revision = '${listing.revision}'`));
});

test('gable start finds its port taken before it makes a database', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gable-port-'));
  const other = createServer().listen(0, '127.0.0.1');
  t.teardown(() => (other.close(), rmSync(folder, { recursive: true, force: true })));
  await new Promise((ready) => other.once('listening', ready));
  const { port } = other.address() as AddressInfo; // The address of a TCP server is never a string.
  const { code, err } = await runGableIn(folder, ['start', '--port', String(port)], { PATH: process.env['PATH'], HOST: '127.0.0.1' });
  t.is(code, 2, err);
  t.is(err, `gable: Port ${port} is in use by another program; choose another one, for example --port ${port + 1}.\n`);
});
