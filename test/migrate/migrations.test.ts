import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { chooseMigrations } from '../../generator/cli/migration-options.js';
import { UndecidedError, type MigrationTexts } from '../../generator/migrate/plan-migrations.js';
import { noDecisions, type Decisions } from '../../generator/migrate/step.js';
import { migrationsOf, withMigrations } from './scene.js';
import { flat, inputOf, modelsOf } from '../support/edits.js';

// A case is an edit of test/migrate/first.xml, see test/support/edits.ts; lines with ? are options of `gable generate`.
const first = flat(readFileSync('test/migrate/first.xml', 'utf8'));
const wide = Array.from({ length: 310 }, (_, index) => `<Property Name="W${index}" Type="Edm.String"/>`).join('');
const books = [
  { file: 'test/migrate/migrations.case', base: first },
  // Its orders have more properties than fit into a row: W299 and later ones share a column.
  { file: 'test/migrate/wide.case', base: first.replace('<Property Name="Old"', `${wide}<Property Name="Old"`) },
];

for (const { file, base } of books) {
  const paragraphs = readFileSync(file, 'utf8').trimEnd().split('\n\n');

  test(`${file}: a change of the model is a migration, or a question`, (t) => {
    const actual = paragraphs.map((paragraph) => [...inputOf(paragraph), ...outcome(paragraph, base)].join('\n'));
    if (process.env['UPDATE'] === '1') writeFileSync(file, `${actual.join('\n\n')}\n`);
    for (const [index, paragraph] of paragraphs.entries()) t.is(actual[index], paragraph, 'UPDATE=1 rewrites it');
  });

  test(`${file}: every such migration leads to the schema of the new model`, async (t) => {
    const applied = paragraphs
      .map((paragraph) => ({ title: paragraph.split('\n')[0], texts: textsOf(paragraph, base) }))
      .filter(({ texts }) => texts !== undefined);
    t.true(applied.length > 5);
    for (const { title, texts = new Map() } of applied) {
      await withMigrations(texts, async ({ drift, apply }) => {
        await apply();
        t.deepEqual(await drift(), [], title);
      });
    }
  });
}

function outcome(paragraph: string, base: string): readonly string[] {
  try {
    const before = migrationsOf(modelsOf(paragraph, base).old, new Map(), noDecisions);
    const added = [...(textsOf(paragraph, base, true) ?? new Map<string, string>())].find(([path]) => !before.has(path));
    return added === undefined
      ? ['  no migration']
      : [
          `  ${added[0]}`,
          ...added[1]
            .split('\n')
            .slice(1)
            .filter((line) => line !== '')
            .map((line) => `  ${line}`),
        ];
  } catch (error) {
    if (!(error instanceof UndecidedError)) throw error;
    return error.problems.map(({ kind, message }) => `  ${kind}: ${message}`);
  }
}

// The folder after the change; nothing where a decision is missing, unless that is what the caller wants to know.
function textsOf(paragraph: string, base: string, refused = false): MigrationTexts | undefined {
  const { old, now } = modelsOf(paragraph, base);
  try {
    return migrationsOf(now, migrationsOf(old, new Map(), noDecisions), decisionsOf(paragraph));
  } catch (error) {
    if (refused || !(error instanceof UndecidedError)) throw error;
    return undefined;
  }
}

function decisionsOf(paragraph: string): Decisions {
  const said = inputOf(paragraph)
    .filter((line) => line.startsWith('? '))
    .map((line) => line.slice(2));
  const listed = (option: string): readonly string[] =>
    said.filter((line) => line.startsWith(`${option} `)).map((line) => line.slice(option.length + 1));
  return chooseMigrations({
    'allow-lossy': said.includes('allow lossy'),
    renamed: listed('renamed'),
    dropped: listed('dropped'),
    fill: listed('fill'),
    squash: false,
    release: false,
  }).decisions;
}
