import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { compileChanged } from '../../generator/project/compile-project.js';

test('a file that is edited while it is compiled is compiled once more', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gable-compile-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const source = join(folder, 'extensions/index.ts');
  const write = (text: string, minutesAgo: number): void => {
    const time = Date.now() / 1_000 - minutesAgo * 60;
    writeFileSync(source, text);
    utimesSync(source, time, time);
  };
  const compiled = (onProgress?: () => void): readonly [count: number, text: string] => [
    compileChanged(folder, 'generated', onProgress),
    readFileSync(join(folder, 'dist/extensions/index.js'), 'utf8').trim(),
  ];
  for (const part of ['extensions', 'generated']) mkdirSync(join(folder, part));
  write('export const value: number = 1;', 60);
  t.deepEqual(
    compiled(() => write('export const value: number = 2;', 30)),
    [1, 'export const value = 1;'],
  );
  t.deepEqual(compiled(), [1, 'export const value = 2;']);
  t.deepEqual(compiled(), [0, 'export const value = 2;']);
});

test('a removed file is compiled no longer, and faulty syntax is reported with its place', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gable-compile-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const part of ['extensions', 'dist/extensions']) mkdirSync(join(folder, part), { recursive: true });
  const [source, other] = [join(folder, 'extensions/index.ts'), join(folder, 'extensions/other.ts')];
  for (const path of [source, other, join(folder, 'extensions/own.js'), join(folder, 'dist/extensions/own.js')])
    writeFileSync(path, 'export const a = 1;');
  t.is(compileChanged(folder, 'generated'), 2);
  rmSync(other);
  t.is(compileChanged(folder, 'generated'), 1);
  t.deepEqual(readdirSync(join(folder, 'dist/extensions')).sort(), ['index.js', 'own.js']);
  writeFileSync(source, 'export default {\n');
  utimesSync(source, new Date(), new Date(Date.now() + 10_000));
  t.throws(() => compileChanged(folder, 'generated'), { name: 'UsageError', message: /extensions\/index\.ts:2:1 '}' expected\.$/ });
});
