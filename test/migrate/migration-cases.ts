import { readFileSync } from 'node:fs';
import { chooseMigrations } from '../../generator/cli/migration-options.js';
import { UndecidedError, type MigrationTexts } from '../../generator/migrate/plan-migrations.js';
import { noDecisions, type Decisions } from '../../generator/migrate/step.js';
import { flat, inputOf, modelsOf } from '../support/edits.js';
import { migrationsOf } from './scene.js';

// A case is an edit of test/migrate/first.xml, see test/support/edits.ts; lines with ? are options of `gable generate`.
const first = flat(readFileSync('test/migrate/first.xml', 'utf8'));
const wide = Array.from({ length: 310 }, (_, index) => `<Property Name="W${index}" Type="Edm.String"/>`).join('');
/** The case files, with the model that their cases edit. */
export const books: readonly { readonly file: string; readonly base: string }[] = [
  { file: 'test/migrate/migrations.case', base: first },
  // Its orders have more properties than fit into a row: W299 and later ones share a column.
  { file: 'test/migrate/wide.case', base: first.replace('<Property Name="Old"', `${wide}<Property Name="Old"`) },
];

/** The cases of a file. */
export function paragraphsOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n\n');
}

const creations = new Map<string, MigrationTexts>();

/** The migrations that create the tables of a model; most cases have the same old model. */
export function creationOf(model: string): MigrationTexts {
  const known = creations.get(model) ?? migrationsOf(model, new Map(), noDecisions);
  creations.set(model, known);
  return known;
}

/** The migrations after the change of a case; nothing where a decision is missing, unless `refused` asks for the error. */
export function textsOf(paragraph: string, base: string, refused = false): MigrationTexts | undefined {
  const { old, now } = modelsOf(paragraph, base);
  try {
    return migrationsOf(now, creationOf(old), decisionsOf(paragraph));
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
    'renamed-value': listed('renamed-value'),
    dropped: listed('dropped'),
    fill: listed('fill'),
    squash: false,
    release: false,
  }).decisions;
}
