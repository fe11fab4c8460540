import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'ava';
import { compileProject } from '../../generator/project/compile-project.js';
import { temporaryFolder } from '../toy/toy-service.js';
import { makeKiosk } from './kiosk-service.js';
import { faultsOfTypes } from './project-types.js';

const place = temporaryFolder();
const folder = join(place, 'kiosk');
const model = join(folder, 'model/metadata.xml');
const handlers = join(folder, 'extensions/operations');
test.after.always(() => rmSync(place, { recursive: true, force: true }));

test.serial('handlers are checked against the model, stubs among them', (t) => {
  makeKiosk(folder);
  compileProject(folder);
  t.deepEqual(faultsOfTypes(folder), []);
  t.regex(readFileSync(join(handlers, 'untouched.ts'), 'utf8'), /export const untouched: UntouchedHandler = notImplemented;/);
});

test.serial('the handler that the README shows compiles', (t) => {
  const place = join(handlers, 'discount.ts');
  const own = readFileSync(place, 'utf8');
  const [, shown = ''] = /```ts\n(import \{ Refusal \}[\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  t.regex(shown, /DiscountHandler/);
  writeFileSync(place, shown);
  t.deepEqual(faultsOfTypes(folder), []);
  writeFileSync(place, own);
});

test.serial('a parameter that the model loses does not compile, and an operation that it gets has a stub', (t) => {
  const before = texts();
  const changed = readFileSync(model, 'utf8')
    .replaceAll('Name="reason"', 'Name="motive"')
    .replace('<Action Name="Reset">', '<Action Name="Polish"><Parameter Name="cloth" Type="Edm.String"/></Action><Action Name="Reset">');
  writeFileSync(model, changed);
  t.regex(generate(['--dry-run']), /^\+ extensions\/operations\/polish\.ts$/m);
  t.false(existsSync(join(handlers, 'polish.ts')));
  t.regex(generate([]), /Wrote|1 added|added/);
  const after = texts();
  t.deepEqual(
    [...after.keys()].filter((name) => !before.has(name)),
    ['polish.ts'],
  );
  t.deepEqual(
    [...before].filter(([name, text]) => after.get(name) !== text),
    [],
  );
  t.regex(faultsOfTypes(folder).join('\n'), /discount\.ts.*'reason'/);
});

test.serial('the handler of a renamed operation is named once, and stays', (t) => {
  const before = readFileSync(model, 'utf8');
  writeFileSync(model, before.replace('Action Name="Polish"', 'Action Name="Shine"'));
  const unused = /^\? extensions\/operations\/polish\.ts: not used any more, because the model has no Action Kiosk\.Polish\(\)\./m;
  t.regex(generate(['--dry-run']), unused);
  t.regex(generate([]), unused);
  t.notRegex(generate([]), /polish/);
  t.true(existsSync(join(handlers, 'polish.ts')));
  writeFileSync(model, before);
  t.regex(generate([]), /^\? extensions\/operations\/shine\.ts/m);
});

test.serial('a stub that is missing is found so, and made again', (t) => {
  unlinkSync(join(handlers, 'polish.ts'));
  t.regex(generate(['--check']), /polish\.ts/);
  generate([]);
  t.true(existsSync(join(handlers, 'polish.ts')));
  t.regex(generate(['--check']), /Up to date/);
});

function texts(): ReadonlyMap<string, string> {
  return new Map(readdirSync(handlers).map((name) => [name, readFileSync(join(handlers, name), 'utf8')]));
}

function generate(args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [resolve('dist/gable.js'), 'generate', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout + stderr;
}
