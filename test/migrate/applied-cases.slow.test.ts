// Depends on PostgreSQL: DDL.

import test from 'ava';
import { books, paragraphsOf, textsOf } from './migration-cases.js';
import { withMigrations } from './scene.js';

for (const { file, base } of books) {
  test(`${file}: every migration leads to the schema of the new model`, async (t) => {
    const applied = paragraphsOf(file)
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
