import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { driven } from '../client/drive.mjs';
import { startListings } from '../clients/harness.mjs';

/** The client's tests that need no service. */
const alone = ['batch', 'credentials', 'foreign', 'print-query', 'send', 'streams'].map((name) => `dist/test/client/${name}.test.js`);

let listings;
before(async () => {
  listings = await startListings();
});
after(() => listings?.stop());

for (const version of ['22', '24']) {
  const node = `test/nodes/node_modules/node-${version}/bin/node`;
  const skip = !existsSync(node) && `there is no Node ${version} for this platform`;

  test(`the client does the same in Node ${version}`, { skip }, async () => {
    assert.match(await run(node, ['--version']), new RegExp(`^v${version}\\.`));
    assert.deepEqual(JSON.parse(await run(node, ['test/nodes/drive.mjs', listings.root, listings.headers.Authorization.replace('Bearer ', '')])), driven);
  });

  test(`its tests pass in Node ${version}`, { skip }, async () => {
    assert.match(await run(node, ['node_modules/ava/entrypoints/cli.mjs', '--timeout=5m', ...alone]), /\d+ tests passed/);
  });
}

for (const version of ['5.4', '6', '7'])
  test(`its types are the same in TypeScript ${version}`, async () => {
    const tsc = `test/nodes/node_modules/typescript-${version}/bin/tsc`;
    assert.ok((await run(process.execPath, [tsc, '--version'])).startsWith(`Version ${version}.`));
    await run(process.execPath, [tsc, '-p', 'test/client/tsconfig.versions.json']);
  });

async function run(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((done) => child.once('close', done));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.equal(await ended, 0, output + errors);
  return output + errors;
}
