import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { OutputFile } from '../../generator/output/header.js';
import { lockPath } from '../../generator/output/lock.js';
import { planTree, writeTree } from '../../generator/output/output-tree.js';
import { BusyError, carryOut, isInterrupted, recover, stagePath } from '../../generator/output/stage.js';

const script = fileURLToPath(new URL('killed-process.js', import.meta.url));

const old: Files = { 'a.ts': 'old a', 'b/c.ts': 'old c', 'b/gone.ts': 'old gone', 'left/only.ts': 'old only' };
const wanted: Files = { 'a.ts': 'new a', 'b/c.ts': 'new c', 'd/e.ts': 'new e' };
const changes = { written: Object.entries(wanted).map(([path, text]) => ({ path, text })), removed: ['b/gone.ts', 'left/only.ts'] };

type Files = { readonly [path: string]: string };

function folderOf(t: { teardown: (fn: () => void) => void }, files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'gable-stage-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function stub(text: string): readonly OutputFile[] {
  return [{ path: 'mine.ts', text, once: true }];
}

function filesIn(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => !path.startsWith(stagePath) && statSync(join(folder, path)).isFile());
  return Object.fromEntries(entries.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

test('killed before any of its steps, a run leaves whole files, and the next one all of the old or all of the new', (t) => {
  const seen = { old: 0, new: 0, killed: 0 };
  for (let step = 0; ; step++) {
    const folder = folderOf(t, old);
    const { signal, stderr } = spawnSync(process.execPath, [script, folder, String(step), JSON.stringify(changes)], { encoding: 'utf8' });
    if (signal === null) {
      t.is(stderr, '');
      break;
    }
    seen.killed++;
    for (const [path, text] of Object.entries(filesIn(folder)))
      t.true(text === old[path] || text === wanted[path], `step ${step}: ${path} is ${text}`);
    const finished = recover(folder);
    const isNew = filesIn(folder)['a.ts'] === wanted['a.ts'];
    t.true(isNew || !finished);
    t.deepEqual(filesIn(folder), isNew ? wanted : old, `step ${step}`);
    t.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith(stagePath) || (isNew && name === 'left')),
      [],
      `step ${step}`,
    );
    seen[isNew ? 'new' : 'old']++;
  }
  t.true(seen.killed > 12 && seen.old > 4 && seen.new > 4, JSON.stringify(seen));
});

test('a run that another one overtook writes nothing', (t) => {
  const folder = folderOf(t, { [lockPath]: 'first' });
  const files = [{ path: lockPath, text: 'own' }];
  const plan = planTree(folder, files);
  writeFileSync(join(folder, lockPath), 'of another run');
  t.throws(() => writeTree(folder, files, plan, 'first'), { instanceOf: BusyError, message: /^Another run is writing to / });
  t.deepEqual(filesIn(folder), { [lockPath]: 'of another run' });
  t.deepEqual(readdirSync(folder), [lockPath]);
});

test('the end of a run that was killed can be killed, too', (t) => {
  const folder = folderOf(t, old);
  for (let step = 9; !isInterrupted(folder); step++) spawnSync(process.execPath, [script, folder, String(step), JSON.stringify(changes)]);
  for (let step = 0; step < 4; step++) spawnSync(process.execPath, [script, folder, String(step), '{"written":[],"removed":[]}']);
  recover(folder);
  t.deepEqual(filesIn(folder), wanted);
});

test('two runs at once: the second is told of the first, and a process that is long gone stops nobody', (t) => {
  const folder = folderOf(t, { ...old, [`${stagePath}/process`]: String(process.ppid) });
  const error = t.throws(() => carryOut(folder, changes), { instanceOf: BusyError });
  t.regex(error.message, new RegExp(`^Process ${process.ppid} is writing to `));
  utimesSync(join(folder, stagePath, 'process'), new Date(0), new Date(0));
  carryOut(folder, changes);
  t.deepEqual(filesIn(folder), wanted);
});

test('a file that is created once is written where it is missing and never again', (t) => {
  const folder = folderOf(t, {});
  const first = planTree(folder, stub('first'));
  t.deepEqual(first.added, ['mine.ts']);
  writeTree(folder, stub('first'), first, undefined);
  writeFileSync(join(folder, 'mine.ts'), 'edited');
  const second = planTree(folder, stub('second'));
  t.deepEqual({ ...second }, { added: [], changed: [], removed: [], unchanged: [], refused: [], unused: [] });
  t.deepEqual(planTree(folder, []).removed, [], 'nor removed when nothing asks for it any more');
  t.true(existsSync(join(folder, 'mine.ts')));
});
