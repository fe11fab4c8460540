import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { makeFolder } from '../../runtime/tools/cli/make-folder.js';

test('a folder is created with those above it, once or again', (t) => {
  const place = mkdtempSync(join(tmpdir(), 'gable-folder-'));
  t.teardown(() => rmSync(place, { recursive: true }));
  makeFolder(join(place, 'a/b/c'));
  makeFolder(join(place, 'a/b/c'));
  t.true(existsSync(join(place, 'a/b/c')));
});

test('a file in the way is named', (t) => {
  const place = mkdtempSync(join(tmpdir(), 'gable-folder-'));
  t.teardown(() => rmSync(place, { recursive: true }));
  const file = join(place, 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'a/b')])
    t.throws(() => makeFolder(path), {
      name: 'FolderError',
      message: `${file} is a file: no folder can be created there. Name another folder.`,
    });
});

// Other systems have no /proc.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a file system that accepts no folders is named', (t) => {
  t.throws(() => makeFolder('/proc/copy/of/a/service'), {
    name: 'FolderError',
    message: '/proc/copy cannot be created: its file system accepts no folders there. Name another folder.',
  });
});
