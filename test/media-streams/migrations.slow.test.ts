// Depends on PostgreSQL: DDL.

import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { migrationsOf, withMigrations } from '../migrate/scene.js';

const model = (properties: string): string => `<?xml version="1.0"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="S">
<EntityType Name="Photo"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>${properties}</EntityType>
<EntityContainer Name="C"><EntitySet Name="Photos" EntityType="S.Photo"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`;
const stream = (name: string): string => `<Property Name="${name}" Type="Edm.Stream"/>`;

const id = (digit: number): string => `'00000000-0000-0000-0000-00000000000${digit}'`;
const fill = `insert into "Photo" ("Id", "#Thumb.stream", "#Thumb.type", "#Thumb.length", "#Thumb.etag", "#Film.stream", "#Film.type", "#Film.length", "#Film.etag") values (1, ${id(1)}, 'image/png', 1, 'a', ${id(2)}, 'video/mp4', 1, 'b')`;
const chunks = `insert into "#stream" ("#stream", "#number", "#data", "Photo") values (${id(1)}, 0, 'x', 1), (${id(2)}, 0, 'y', 1)`;

test('streams come, are renamed and go, and their chunks with them', async (t) => {
  let texts = migrationsOf(model(''), new Map(), noDecisions);
  await withMigrations(texts, async ({ apply, run, write, drift }) => {
    const change = async (properties: string, decisions = noDecisions): Promise<void> => {
      texts = new Map([...texts, ...migrationsOf(model(properties), texts, decisions)]);
      write(texts);
      await apply();
      t.deepEqual(await drift(), []);
    };
    await apply();
    await change(stream('Thumb') + stream('Film'));
    await run(fill);
    await run(chunks);
    await change(stream('Small') + stream('Film'), { ...noDecisions, renamed: new Map([['Photo/#Thumb.stream', '#Small.stream']]) });
    t.deepEqual(await run('select "#Small.stream"::text, "#Small.type", "#Small.etag" from "Photo"'), [
      ['00000000-0000-0000-0000-000000000001', 'image/png', 'a'],
    ]);
    t.throws(() => migrationsOf(model(stream('Small')), texts, noDecisions), {
      message: /^MIGR002 Photo\/Film has the streams of Film, which would be dropped with it/,
    });
    await change(stream('Small'), { ...noDecisions, dropped: new Set(['Photo/#Film.stream']) });
    t.deepEqual(await run('select encode("#data", \'escape\') from "#stream"'), [['x']]);
    await change('', { ...noDecisions, dropped: new Set(['Photo/#Small.stream']) });
    t.deepEqual(await run(`select 1 from pg_tables where tablename = '#stream'`), []);
  });
});
