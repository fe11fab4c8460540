import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { chooseMigrations } from '../../generator/cli/migration-options.js';
import { UndecidedError, type MigrationTexts } from '../../generator/migrate/plan-migrations.js';
import { diffSchemas } from '../../generator/migrate/diff-schema.js';
import { noDecisions, type Decisions } from '../../generator/migrate/step.js';
import { migrationsOf, withMigrations } from './scene.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { flat, inputOf, modelsOf } from '../edits.js';

// A case is an edit of test/migrate/first.xml, see test/edits.ts; lines with ? are options of `gable generate`.
const base = flat(readFileSync('test/migrate/first.xml', 'utf8'));
const file = 'test/migrate/migrations.case';

test('a change of the model is a migration, or a question', (t) => {
  const paragraphs = readFileSync(file, 'utf8').trimEnd().split('\n\n');
  const actual = paragraphs.map((paragraph) => [...inputOf(paragraph), ...outcome(paragraph)].join('\n'));
  if (process.env['UPDATE'] === '1') writeFileSync(file, `${actual.join('\n\n')}\n`);
  for (const [index, paragraph] of paragraphs.entries()) t.is(actual[index], paragraph, 'UPDATE=1 rewrites it');
});

test('every such migration leads to the schema of the new model', async (t) => {
  const paragraphs = readFileSync(file, 'utf8').trimEnd().split('\n\n');
  const applied = paragraphs.map((paragraph) => ({ title: paragraph.split('\n')[0], texts: textsOf(paragraph) })).filter(({ texts }) => texts !== undefined);
  t.true(applied.length > 20);
  for (const { title, texts = new Map() } of applied) {
    await withMigrations(texts, async ({ drift, apply }) => {
      await apply();
      t.deepEqual(await drift(), [], title);
    });
  }
});

test('values that lie in a shared column are not left behind unasked', (t) => {
  const old = schema(['A', 'B'], ['C', 'D']);
  t.deepEqual(problems(old, schema(['A', 'B'], ['C', 'D', 'E'])), []);
  t.deepEqual(problems(old, schema(['A'], ['B', 'C', 'D'])), ['Wide/B has no room in its row any more and would be kept in #more, where no migration moves its values.']);
  t.deepEqual(problems(old, schema(['A', 'B', 'C'], ['D'])), ['Wide/C has a column of its own now, and its values lie in #more, which no migration takes them out of.']);
  t.deepEqual(problems(old, schema(['A', 'B'], ['D'])), ['Wide/C is gone, and its values lie in #more, which no migration takes them out of.']);
  t.deepEqual(problems(old, schema(['A', 'B'], ['D']), { dropped: new Set(['Wide/C']) }), []);
});

function schema(columns: readonly string[], held: readonly string[]): Schema {
  const shared = { name: '#more', type: 'jsonb', holds: held };
  return { extensions: [], tables: [{ name: 'Wide', columns: [...columns.map((name) => ({ name, type: 'text' })), shared], constraints: [], indexes: [] }] };
}

function problems(from: Schema, to: Schema, decisions: Partial<Decisions> = {}): readonly string[] {
  return diffSchemas(from, to, { ...noDecisions, ...decisions }).problems.map(({ message }) => message.replace(/ (Put|Leave) .*$/, ''));
}

function outcome(paragraph: string): readonly string[] {
  try {
    const before = migrationsOf(modelsOf(paragraph, base).old, new Map(), noDecisions);
    const added = [...(textsOf(paragraph, true) ?? new Map<string, string>())].find(([path]) => !before.has(path));
    return added === undefined ? ['  no migration'] : [`  ${added[0]}`, ...added[1].split('\n').slice(1).filter((line) => line !== '').map((line) => `  ${line}`)];
  } catch (error) {
    if (!(error instanceof UndecidedError)) throw error;
    return error.problems.map(({ kind, message }) => `  ${kind}: ${message}`);
  }
}

// The folder after the change; nothing where a decision is missing, unless that is what the caller wants to know.
function textsOf(paragraph: string, refused = false): MigrationTexts | undefined {
  const { old, now } = modelsOf(paragraph, base);
  try {
    return migrationsOf(now, migrationsOf(old, new Map(), noDecisions), decisionsOf(paragraph));
  } catch (error) {
    if (refused || !(error instanceof UndecidedError)) throw error;
    return undefined;
  }
}

function decisionsOf(paragraph: string): Decisions {
  const said = inputOf(paragraph).filter((line) => line.startsWith('? ')).map((line) => line.slice(2));
  const listed = (option: string): readonly string[] => said.filter((line) => line.startsWith(`${option} `)).map((line) => line.slice(option.length + 1));
  return chooseMigrations({ 'allow-lossy': said.includes('allow lossy'), renamed: listed('renamed'), dropped: listed('dropped'), fill: listed('fill'), squash: false, release: false }).decisions;
}
