// Packs `gable-client`: the client, its types and its table under the entry points that `gable` has, without a dependency.
// Usage, after a build: node client/pack.mjs [FOLDER]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const target = resolve(process.argv[2] ?? '.');
const folder = resolve('dist/gable-client');
const { version, license, type, sideEffects, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = ['./types', './client', './service', './values'];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync('dist/client', `${folder}/dist/client`, { recursive: true, filter: (path) => !path.endsWith('.map') });
cpSync('dist/generated', `${folder}/dist/generated`, {
  recursive: true,
  filter: (path) => !/\.\w+$/.test(path) || /(types|client|values|enumerations)\.(js|d\.ts)$/.test(path),
});
cpSync('LICENSE', `${folder}/LICENSE`);
writeFileSync(
  `${folder}/README.md`,
  '# gable-client\n\nThe typed client of Gable without the server. Install it under the name of the whole package:\n`npm install gable@npm:gable-client`, and import `gable/client`, `gable/service` and `gable/types`.\n',
);
const manifest = {
  name: 'gable-client',
  version,
  description: 'A typed OData client, and the types of a Gable service',
  license,
  type,
  sideEffects,
  exports: { ...Object.fromEntries(entries.map((entry) => [entry, exports[entry]])), './package.json': './package.json' },
};
writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
mkdirSync(target, { recursive: true });
const options = { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' };
process.exitCode = spawnSync('npm', ['pack', '--silent', '--ignore-scripts', '--offline', '--pack-destination', target], options).status ?? 1;
