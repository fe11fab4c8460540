// Depends on PostgreSQL: DDL.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { migrationsOf, withMigrations } from './scene.js';
import { sql, twice } from './sql-values.js';

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
      `<Property Name="Tone" Type="Edm.String">${list}</Property><Property Name="Tones" Type="Collection(Edm.String)" Nullable="false">${list}</Property><Property Name="Paint" Type="Self.Paint"/><Property Name="Paints" Type="Collection(Self.Paint)" Nullable="true"/>`,
    )
    .replace(
      '<EntityType Name="Customer">',
      `<ComplexType Name="Paint"><Property Name="Tone" Type="Edm.String">${list}</Property><Property Name="Under" Type="Self.Coat"/></ComplexType>` +
        `<ComplexType Name="Coat"><Property Name="Tone" Type="Edm.String">${list}</Property></ComplexType>` +
        `<ComplexType Name="Mix" BaseType="Self.Paint"><Property Name="Tones" Type="Collection(Edm.String)">${list}</Property></ComplexType><EntityType Name="Customer">`,
    );
}

const members = ['Paint', 'Paints'].flatMap((name) => [`${name}/Tone`, `${name}/Under/Tone`, `${name}/Shop.Mix/Tones`]);
const decisions = {
  ...noDecisions,
  renamed: new Map(['Tone', 'Tones', ...members].map((path) => [`Customer/${path}/rd`, 'red'])),
  dropped: new Set(members.map((path) => `Customer/${path}/grey`)),
};
const rows = `select "Tone", "Tones"::text from "Customer" order by "Code"`;

test('a renamed value is renamed in rows and items', async (t) => {
  const texts = migrationsOf(model('rd', 'blue', 'grey'), new Map(), noDecisions);
  await withMigrations(texts, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code", "Tone", "Tones") values ('1', 'rd', '{blue,rd,rd}')`);
    await run(`insert into "Customer" ("Code", "Tone", "Tones") values ('2', 'blue', '{}'), ('3', null, '{blue}')`);
    write(migrationsOf(model('red', 'blue'), texts, decisions));
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
      write(migrationsOf(model('red', 'blue'), texts, decisions));
      const expected = `Customer/${name} has values that do not fit, the first in the row with "#id" 1`;
      await t.throwsAsync(apply(), { message: new RegExp(expected) });
    });
  });

const mix = '"@odata.type": "#Shop.Mix"';

// A value, and the same after the migration.
const paints: readonly (readonly [before: string | null, after: string | null])[] = [
  [null, null],
  ['{}', '{}'],
  ['{"Tone": null}', '{"Tone": null}'],
  ['{"Tone": "rd"}', '{"Tone": "red"}'],
  ['{"Tone": "grey", "Under": {"Tone": "rd"}}', '{"Tone": "grey", "Under": {"Tone": "red"}}'],
  [`{${mix}, "Tone": "blue", "Tones": ["rd", null, "blue", "rd"]}`, `{${mix}, "Tone": "blue", "Tones": ["red", null, "blue", "red"]}`],
  [`{${mix}, "Tones": [], "Under": null}`, `{${mix}, "Tones": [], "Under": null}`],
  // Not a mix.
  ['{"Tones": ["rd"]}', '{"Tones": ["rd"]}'],
];

test('a renamed value is renamed within complex values, their collections, and values within them', (t) => {
  const texts = migrationsOf(model('rd', 'blue', 'grey'), new Map(), noDecisions);
  return withMigrations(texts, async ({ apply, write, run, drift }) => {
    await apply();
    for (const [index, [value]] of paints.entries())
      await run(`insert into "Customer" ("Code", "Paint", "Paints") values ('${index}', ${sql(value)}, ${sql(twice(value))})`);
    write(migrationsOf(model('red', 'blue'), texts, decisions));
    await apply();
    t.deepEqual(
      await run('select "Paint", "Paints" from "Customer" order by "Code"'),
      await Promise.all(
        paints.map(async ([, value]) => (await run(`select ${sql(value)}::jsonb::text, ${sql(twice(value))}::jsonb::text`))[0]),
      ),
    );
    t.deepEqual(await drift(), []);
  });
});
