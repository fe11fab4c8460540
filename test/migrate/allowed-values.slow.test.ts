import { readFileSync } from 'node:fs';
import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { migrationsOf, withMigrations } from './scene.js';

const listOf = (values: readonly string[]): string =>
  `<Annotation Term="Org.OData.Validation.V1.AllowedValues"><Collection>${values.map((value) => `<Record><PropertyValue Property="Value" String="${value}"/></Record>`).join('')}</Collection></Annotation>`;

function model(...values: readonly string[]): string {
  const list = listOf(values);
  return readFileSync('test/migrate/first.xml', 'utf8')
    .replace(
      '<edmx:DataServices>',
      '<edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Validation.V1.xml"><edmx:Include Namespace="Org.OData.Validation.V1"/></edmx:Reference><edmx:DataServices>',
    )
    .replace(
      /<Property Name="Name" .*\/>/,
      `<Property Name="Tone" Type="Edm.String">${list}</Property><Property Name="Tones" Type="Collection(Edm.String)" Nullable="false">${list}</Property>`,
    );
}

const renamed = new Map(['Tone', 'Tones'].map((name) => [`Customer/${name}/rd`, 'red']));
const rows = `select "Tone", "Tones"::text from "Customer" order by "Code"`;

test('a renamed value is renamed in rows and items', async (t) => {
  const texts = migrationsOf(model('rd', 'blue', 'grey'), new Map(), noDecisions);
  await withMigrations(texts, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code", "Tone", "Tones") values ('1', 'rd', '{blue,rd,rd}')`);
    await run(`insert into "Customer" ("Code", "Tone", "Tones") values ('2', 'blue', '{}'), ('3', null, '{blue}')`);
    write(migrationsOf(model('red', 'blue'), texts, { ...noDecisions, renamed }));
    await apply();
    t.deepEqual(await run(rows), [
      ['red', '{blue,red,red}'],
      ['blue', '{}'],
      [null, '{blue}'],
    ]);
    t.deepEqual(await drift(), []);
  });
});

for (const [name, insert] of [
  ['Tone', `("Code", "Tone") values ('1', 'grey')`],
  ['Tones', `("Code", "Tones") values ('1', '{blue,grey}')`],
] as const)
  test(`a removed value that a row has stops the migration before any change: ${name}`, async (t) => {
    const texts = migrationsOf(model('rd', 'blue', 'grey'), new Map(), noDecisions);
    await withMigrations(texts, async ({ apply, write, run }) => {
      await apply();
      await run(`insert into "Customer" ${insert}`);
      write(migrationsOf(model('red', 'blue'), texts, { ...noDecisions, renamed }));
      const expected = `Customer/${name} has values that do not fit, the first in the row with "#id" 1`;
      await t.throwsAsync(apply(), { message: new RegExp(expected) });
    });
  });
