import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { strictPolicy } from '../../generator/policy.js';
import { compileProject } from '../../generator/project/compile-project.js';
import { makeProject } from '../../generator/project/make-project.js';
import { builtFolder, generatedFolder } from '../../runtime/config/served-model.js';
import { loadProject } from '../../runtime/tools/cli/project.js';
import { runGableIn } from '../support/run-gable.js';

test('code that was compiled before the last generation is refused', async (t) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'gable-stale-')), 'towns');
  t.teardown(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
  makeProject({ folder, model: 'test/project/towns.xml', overlay: undefined, policy: strictPolicy, dependency: '0.1.0' });
  compileProject(folder);
  const lock = join(folder, 'generated/.lock.json');
  const written = readFileSync(lock, 'utf8');
  writeFileSync(lock, written.replace(/("metadata.xml": ")./, '$1x'));
  await t.notThrowsAsync(loadProject(folder), 'only code counts');
  writeFileSync(lock, written.replace(/(fields.ts": ")./, '$1x'));
  await t.throwsAsync(loadProject(folder), {
    message: `${join(folder, 'generated')} was generated after the project was compiled; run npm run build first.`,
  });
});

test("the compiler copies the lock of the package's own code", (t) => {
  const [compiled, written] = [join(builtFolder, 'generated/.lock.json'), join(generatedFolder, '.lock.json')].map((path): unknown =>
    JSON.parse(readFileSync(path, 'utf8')),
  );
  t.deepEqual(compiled, written);
});

test('gable start finds that its HOST is another machine before it makes a database', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gable-host-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  // Of a network for documentation.
  const { code, err } = await runGableIn(folder, ['start', '--port', '0'], { PATH: process.env['PATH'], HOST: '192.0.2.1' });
  t.is(code, 2, err);
  t.is(err, "gable: HOST is '192.0.2.1', which is no address of this machine; 0.0.0.0 stands for all of them.\n");
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
