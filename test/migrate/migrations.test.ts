import { writeFileSync } from 'node:fs';
import test from 'ava';
import { UndecidedError } from '../../generator/migrate/plan-migrations.js';
import { inputOf, modelsOf } from '../support/edits.js';
import { books, creationOf, paragraphsOf, textsOf } from './migration-cases.js';

for (const { file, base } of books) {
  test(`${file}: a change of the model is a migration, or a question`, (t) => {
    const paragraphs = paragraphsOf(file);
    const actual = paragraphs.map((paragraph) => [...inputOf(paragraph), ...outcome(paragraph, base)].join('\n'));
    if (process.env['UPDATE'] === '1') writeFileSync(file, `${actual.join('\n\n')}\n`);
    for (const [index, paragraph] of paragraphs.entries()) t.is(actual[index], paragraph, 'UPDATE=1 rewrites it');
  });
}

function outcome(paragraph: string, base: string): readonly string[] {
  try {
    const before = creationOf(modelsOf(paragraph, base).old);
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
