import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runGable as run } from '../support/run-gable.js';
import { workspace } from './workspace.js';

test('gable init --json tells what was made, and of a model that is refused why', async (t) => {
  const cwd = workspace(t);
  const made = await run(cwd, 'init', 'made', '--model', 'model/metadata.xml', '--json');
  t.is(made.code, 0, made.err);
  t.is((JSON.parse(made.out) as { readonly folder: string }).folder, join(realpathSync(cwd), 'made'));
  writeFileSync(join(cwd, 'bad.xml'), '<a/>');
  const { code, out } = await run(cwd, 'init', 'none', '--model', 'bad.xml', '--json');
  const { folder, exitCode, refused } = JSON.parse(out) as {
    readonly folder: null;
    readonly exitCode: number;
    readonly refused: readonly { readonly code: string }[];
  };
  t.deepEqual([code, folder, exitCode, refused.map((fault) => fault.code)], [2, null, 2, ['CSDL006']]);
  t.false(existsSync(join(cwd, 'none')));
});

test('what a gable init left that was killed is no hindrance to the next, and its folder may have any name', async (t) => {
  const cwd = workspace(t);
  mkdirSync(join(cwd, 'ein Projekt/.stage'), { recursive: true });
  writeFileSync(join(cwd, 'ein Projekt/.stage/0'), 'half a fi');
  const { code, out, err } = await run(cwd, 'init', 'ein Projekt', '--model', 'model/metadata.xml');
  t.is(code, 0, err);
  t.regex(out, /^ {2}cd "ein Projekt"$/m);
  t.deepEqual(readdirSync(join(cwd, 'ein Projekt')).sort(), [
    '.dockerignore',
    '.github',
    '.gitignore',
    'Dockerfile',
    'README.md',
    'compose.yaml',
    'extensions',
    'gable.config.ts',
    'generated',
    'model',
    'package.json',
    'requests.http',
    'test',
    'tsconfig.json',
  ]);
});

test('the README of a project names files of generated/ that are there, and pages that gable docs writes', async (t) => {
  const cwd = workspace(t);
  const { code, err } = await run(cwd, 'init', 'made', '--model', 'model/metadata.xml');
  t.is(code, 0, err);
  const readme = readFileSync(join(cwd, 'made/README.md'), 'utf8');
  const named = [...readme.matchAll(/`(generated\/[^`]*)`/g)].map(([, path = '']) => path);
  t.true(named.length > 0);
  t.deepEqual(
    named.filter((path) => !existsSync(join(cwd, 'made', path))),
    [],
  );
  t.regex(readme, /^\| `dist\/docs` \|.*`npx gable docs`/m);
});
