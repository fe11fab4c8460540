import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'ava';
import { askRenames } from '../../generator/cli/ask.js';
import { noDecisions, type Problem } from '../../generator/migrate/step.js';
import { gable, runGable, type Run } from '../support/run-gable.js';

const first = readFileSync('test/migrate/first.xml', 'utf8');
const remark = '<Property Name="Remark" Type="Edm.String" MaxLength="100"/>';
const comment = '<Property Name="Comment" Type="Edm.String" MaxLength="100"/>';

interface Project {
  readonly folder: string;
  readonly model: (text: string) => void;
  readonly generate: (...args: readonly string[]) => Promise<Run>;
  readonly migrations: () => readonly string[];
  readonly migration: (name: string) => string;
}

async function project(t: { teardown: (fn: () => void) => void }): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'gable-project-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'model'));
  const migrations = join(folder, 'generated', 'migrations');
  const made: Project = {
    folder,
    model: (text) => writeFileSync(join(folder, 'model', 'metadata.xml'), text),
    generate: (...args) => runGable(folder, 'generate', ...args),
    migrations: () =>
      readdirSync(migrations)
        .filter((name) => name.endsWith('.sql'))
        .sort(),
    migration: (name) => readFileSync(join(migrations, name), 'utf8'),
  };
  made.model(first);
  await made.generate();
  return made;
}

test('a change of the schema appends a migration, and those that are there stay as they are', async (t) => {
  const { model, generate, migrations, migration } = await project(t);
  const initial = migration('0001-initial.sql');
  model(first.replace(remark, `${remark}${comment}`));
  t.is((await generate('--check')).code, 4);
  t.regex((await generate('--dry-run')).out, /\+ generated\/migrations\/0002-order\.sql\n/);
  t.regex(
    (await generate('--name', 'Comments on orders')).out,
    /\nNext: read migrations\/0002-comments-on-orders\.sql, try it with gable migrate, /,
  );
  t.deepEqual(migrations(), ['0001-initial.sql', '0002-comments-on-orders.sql']);
  t.is(migration('0001-initial.sql'), initial);
  t.is((await generate('--check')).code, 0);
  t.is((await generate()).out.split('\n')[0]?.startsWith('0 added, 0 changed'), true);
});

test('a rename that nobody said is asked for, and nothing is written', async (t) => {
  const { model, generate, migrations, migration } = await project(t);
  model(first.replace(remark, comment));
  const refused = await generate();
  t.is(refused.code, 2);
  t.is(
    refused.err,
    'MIGR001 Order/Remark was removed, and Comment is new with the same type. If it was renamed, write Rules.RenamedFrom or --renamed Order/Remark=Comment; if not, --dropped Order/Remark.\nOne decision is missing for the migration; nothing was written.\ngable explain CODE explains a question.\n',
  );
  const { problems } = JSON.parse((await generate('--json')).out) as { readonly problems: readonly object[] };
  t.like(problems[0], { kind: 'rename', table: 'Order', column: 'Remark', candidate: 'Comment' });
  t.deepEqual(migrations(), ['0001-initial.sql']);
  t.is((await generate('--renamed', 'Order/Remark')).code, 2, 'a pair needs an equals sign');
  t.is((await generate('--renamed', 'Order/Remark=Comment')).code, 0);
  t.regex(migration('0002-order.sql'), /rename column "Remark" to "Comment";\n$/);
});

test('options that exchange two names do so once', async (t) => {
  const { model, generate, migrations } = await project(t);
  const exchange = ['--renamed', 'Order/Remark=Colour', '--renamed', 'Order/Colour=Remark'];
  model(first.replace('Name="Colour" Type="Edm.String" MaxLength="20"', 'Name="Colour" Type="Edm.String" MaxLength="100"'));
  t.is((await generate('--name', 'longer')).code, 0);
  t.is((await generate(...exchange)).code, 0);
  const { code, err } = await generate(...exchange);
  t.is(code, 2);
  t.regex(err, /migrations\/0003-order\.sql makes the same change already\. Run gable generate without --renamed;/);
  t.is((await generate()).code, 0);
  t.deepEqual(migrations(), ['0001-initial.sql', '0002-longer.sql', '0003-order.sql']);
});

test('a person at a terminal is asked of each rename, and may stop', async (t) => {
  const problems = ['Remark', 'City'].map((column): Problem => ({
    kind: 'rename',
    table: 'Order',
    column,
    candidate: `New${column}`,
    message: '',
  }));
  const choice = { decisions: noDecisions };
  const asked: string[] = [];
  const answering =
    (...answers: readonly string[]) =>
    (question: string): Promise<string> =>
      Promise.resolve(answers[asked.push(question) - 1] ?? '');
  const decided = await askRenames(problems, choice, answering('y', 'd'));
  t.deepEqual(
    asked.map((question) => question.slice(0, 64)),
    [
      'Order/Remark is missing and NewRemark is new. Was it renamed? (y: keep its values'.slice(0, 64),
      'Order/City is missing and NewCity is new. Was it renamed? (y: keep its values'.slice(0, 64),
    ],
  );
  t.deepEqual(decided?.decisions, { ...noDecisions, renamed: new Map([['Order/Remark', 'NewRemark']]), dropped: new Set(['Order/City']) });
  asked.length = 0;
  t.is(await askRenames(problems, choice, answering('y', '')), undefined);
  t.is(await askRenames([], choice, answering()), undefined);
});

test('what was found in the model is told before the decision that is missing, since it may be why', async (t) => {
  const { model, generate, migrations } = await project(t);
  model(first.replace(remark, `${remark}<Property Name="Count" Type="Edm.Int32" Nullable="false" DefaultValue="abc"/>`));
  const { code, err } = await generate('--lenient');
  t.is(code, 2);
  t.regex(
    err,
    /^model\/metadata\.xml:\d+:\d+ warning CSDL033 .*the default value 'abc' is not written as Edm\.Int32;[^]*\nMIGR003 Order\/Count is new/,
  );
  const { problems, faults } = JSON.parse((await generate('--lenient', '--json')).out) as {
    readonly problems: readonly object[];
    readonly faults: readonly { readonly code: string }[];
  };
  t.is(problems.length, 1);
  t.deepEqual(
    faults.map((fault) => fault.code),
    ['CSDL033'],
  );
  t.deepEqual(migrations(), ['0001-initial.sql']);
});

test('an overlay may say that a property was renamed', async (t) => {
  const { folder, model, generate, migration } = await project(t);
  model(first.replace(remark, comment));
  writeFileSync(
    join(folder, 'model', 'overlay.jsonc'),
    '{ "types": { "Order": { "properties": { "Comment": { "renamedFrom": "Remark" } } } } }',
  );
  const { code, err } = await generate();
  t.is(code, 0, err);
  t.regex(migration('0002-order.sql'), /rename column "Remark" to "Comment";\n$/);
});

test('a squash makes one migration of those that were not released', async (t) => {
  const { model, generate, migrations, migration } = await project(t);
  t.is((await generate('--release')).code, 0);
  model(first.replace(remark, `${remark}${comment}`));
  await generate();
  model(first.replace(remark, `${remark}${comment.replace('100', '200')}`));
  await generate();
  t.deepEqual(migrations(), ['0001-initial.sql', '0002-order.sql', '0003-order.sql']);
  t.is((await generate('--squash', '--name', 'comments')).code, 0);
  t.deepEqual(migrations(), ['0001-initial.sql', '0002-comments.sql']);
  t.regex(migration('0002-comments.sql'), /add column "Comment" varchar\(200\) collate "C";\n$/);
  t.is((await generate('--check')).code, 0);
});

test('a squash of what was never released begins anew', async (t) => {
  const { model, generate, migrations, migration } = await project(t);
  model(first.replace(remark, `${remark}${comment}`));
  await generate();
  t.is((await generate('--squash')).code, 0);
  t.deepEqual(migrations(), ['0001-initial.sql']);
  t.regex(migration('0001-initial.sql'), /"Comment" varchar\(100\)/);
});

test('folders that a merge left in disorder are refused with the way out', async (t) => {
  const { folder, model, generate } = await project(t);
  const migrations = join(folder, 'generated', 'migrations');
  model(first.replace(remark, `${remark}${comment}`));
  await generate();
  writeFileSync(join(migrations, '0002-other.sql'), 'select 1;\n');
  t.regex((await generate()).err, /^gable: MIGR006 migrations\/ has two files with the number 0002\. Delete the one that no database has/);
  rmSync(join(migrations, '0002-other.sql'));
  renameSync(join(migrations, '0002-order.sql'), join(migrations, 'away'));
  const missing = await generate();
  t.is(missing.code, 2);
  t.regex(missing.err, /^gable: MIGR006 migrations\/0002-order\.sql is missing, but databases have it\./);
  renameSync(join(migrations, 'away'), join(migrations, '0002-order.sql'));
  const snapshot = readFileSync(join(migrations, 'schema.json'), 'utf8');
  writeFileSync(join(migrations, 'schema.json'), `<<<<<<< ours\n${snapshot}`);
  t.regex(
    (await generate()).err,
    /^gable: MIGR006 migrations\/schema\.json is invalid: .* After a merge, take one side of generated\/migrations entirely/,
  );
  rmSync(join(migrations, 'schema.json'));
  t.regex((await generate()).err, /^gable: MIGR006 migrations\/ has files but no schema\.json/);
});

function pathOf({ folder }: Project): string {
  return join(folder, 'generated/migrations/schema.json');
}

// The line that git compares.
function listed(text: string): string | undefined {
  return text.split('\n').find((line) => line.includes('"migrations"'));
}

test('the schemas of two migrations with one name do not merge, neither by git nor by hand', async (t) => {
  const area = '<Property Name="Area" Type="Edm.Int32"/>';
  const [mine, theirs] = [await project(t), await project(t)];
  const schemaOf = (made: Project): string => readFileSync(pathOf(made), 'utf8');
  mine.model(first.replace(remark, `${remark}${comment}`));
  theirs.model(first.replace(remark, `${area}${remark}`));
  t.is((await mine.generate()).code, 0);
  t.is((await theirs.generate()).code, 0);
  t.deepEqual(mine.migrations(), theirs.migrations());
  t.not(listed(schemaOf(mine)), listed(schemaOf(theirs)));
  const column = schemaOf(mine)
    .split('\n')
    .find((line) => line.includes('"Comment"'));
  const other = schemaOf(theirs);
  writeFileSync(
    pathOf(theirs),
    other.replace(/^.*"name":"Remark".*$/m, (line) => `${line}\n${column}`),
  );
  theirs.model(first.replace(remark, `${area}${remark}${comment}`));
  const { code, err } = await theirs.generate();
  t.is(code, 2);
  t.regex(err, /schema\.json is invalid: it is not as gable generate wrote it\. After a merge, take one side/);
  writeFileSync(pathOf(theirs), other);
  t.is((await theirs.generate()).code, 0);
  t.deepEqual(theirs.migrations(), ['0001-initial.sql', '0002-order.sql', '0003-order.sql']);
});

test('a migration by hand between them is kept, and one that is completed by hand as well', async (t) => {
  const { folder, model, generate, migrations, migration } = await project(t);
  const path = (name: string): string => join(folder, 'generated', 'migrations', name);
  writeFileSync(path('0002-data.sql'), 'update "Order" set "Remark" = null;\n');
  model(first.replace(remark, `${remark}${comment}`));
  await generate();
  writeFileSync(path('0003-order.sql'), `${migration('0003-order.sql')}-- mine\n`);
  t.is((await generate()).code, 0);
  t.deepEqual(migrations(), ['0001-initial.sql', '0002-data.sql', '0003-order.sql']);
  t.regex(migration('0003-order.sql'), /-- mine\n$/);
});

test('--watch leaves migrations to a run that is meant, and says so', async (t) => {
  const { folder, model, migrations } = await project(t);
  const child = spawn(process.execPath, [gable, 'generate', '--watch'], { cwd: folder, env: { ...process.env, NO_COLOR: '1' } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const until = async (text: string): Promise<void> => {
    for (let line = await lines.next(); !String(line.value).includes(text); line = await lines.next())
      if (line.done) throw new Error(`No ${text}`);
  };
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await until('Up to date.');
  model(first.replace(remark, `${remark}${comment}`));
  await until('The schema changes: run gable generate to write its migration.');
  t.deepEqual(migrations(), ['0001-initial.sql']);
  child.kill('SIGTERM');
  t.is(await ended, 0);
});

test('a schema of another format is refused, with both formats', async (t) => {
  const { folder, generate } = await project(t);
  const schema = join(folder, 'generated/migrations/schema.json');
  writeFileSync(schema, readFileSync(schema, 'utf8').replace('"format": 4', '"format": 5'));
  const { code, err } = await generate();
  t.is(code, 2);
  t.regex(err, /migrations\/schema\.json is invalid: its format is 5, and this version of gable reads 4\./);
});
