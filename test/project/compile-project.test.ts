import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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
