import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { runGableIn } from '../support/run-gable.js';

// Nothing listens there: a command that asks the database ends otherwise, or late.
const nobodys = { PATH: process.env['PATH'], DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing', GABLE_START_TIMEOUT: '0' };

function folderOf(t: ExecutionContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gable-elsewhere-')));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

for (const command of [
  'migrate',
  'migrate plan',
  'migrate apply',
  'migrate status',
  'migrate verify',
  'migrate abandon 0001',
  'serve',
  'seed',
])
  for (const [where, environment] of [
    ['a database of somebody', nobodys],
    ['none', { PATH: process.env['PATH'] }],
  ] as const)
    test(`gable ${command} refuses a folder that is no project, and touches nothing: ${where}`, async (t) => {
      const folder = folderOf(t);
      const { code, out, err } = await runGableIn(folder, command.split(' '), environment);
      t.is(code, 2, err);
      t.is(out, '');
      t.is(
        err,
        `gable: ${folder} is not a project: it has neither gable.config.* nor generated/.lock.json, so gable ${
          command.split(' ')[0]
        } has no model. Run it in the folder of a project; gable init creates one.\n`,
      );
      t.deepEqual(readdirSync(folder), []);
    });

test('gable start refuses it where a database is named; the embedded one may serve the listing model anywhere', async (t) => {
  const { code, err } = await runGableIn(folderOf(t), ['start'], nobodys);
  t.is(code, 2, err);
  t.regex(err, /is not a project: .* gable start with DATABASE_URL has no model\./);
});

for (const [place, told] of [
  ['nope', 'nope does not exist; gable generate writes migrations to generated/migrations.'],
  ['gable.config.json', 'gable.config.json is not a folder; gable generate writes migrations to generated/migrations.'],
  ['model', 'model has no migrations; gable generate writes them to generated/migrations.'],
  [undefined, 'generated/migrations does not exist; gable generate writes migrations to generated/migrations.'],
] as const)
  test(`migrations that are not where they are looked for are told before the database is asked: ${place}`, async (t) => {
    const project = folderOf(t);
    writeFileSync(join(project, 'gable.config.json'), '{}');
    mkdirSync(join(project, 'model'));
    const { code, err } = await runGableIn(project, ['migrate', 'plan', ...(place === undefined ? [] : ['--migrations', place])], nobodys);
    t.is(code, 2, err);
    t.is(err.replace(`${project}/`, ''), `gable: MIGR007 ${told}\n`);
  });

test('what lies within a project is told where that is', async (t) => {
  const project = folderOf(t);
  writeFileSync(join(project, 'gable.config.json'), '{}');
  mkdirSync(join(project, 'model/old'), { recursive: true });
  const { code, err } = await runGableIn(join(project, 'model/old'), ['migrate'], nobodys);
  t.is(code, 2, err);
  t.true(err.endsWith(` Run it in ${project}.\n`), err);
});
