import { readdirSync } from 'node:fs';
import test from 'ava';
import type { EntityType } from '../../runtime/edm/index.js';
import { seedSamples } from '../../runtime/seed/seed-samples.js';
import { startToy } from '../toy/toy-service.js';

const models = readdirSync('test/toy').filter((name) => name.endsWith('.xml'));

for (const name of models) {
  test(`every type of ${name} has samples, which its service reads`, async (t) => {
    const toy = await startToy(`test/toy/${name}`);
    t.teardown(() => toy.stop());
    const { rows, refused } = await seedSamples(toy.sequelize, toy.container, 5);
    t.deepEqual(refused, []);
    const concrete = Object.values(toy.container.entityTypes).filter(({ abstract, singleton }) => !abstract && singleton === undefined);
    const counts = concrete.map((type) => [`${type.name}${type.place ?? ''}`, most(type)]);
    t.deepEqual(rows, Object.fromEntries(counts));
    for (const set of Object.keys(toy.container.entitySets)) {
      const answer = await fetch(`${toy.root}/${encodeURIComponent(set)}?$top=1`, { headers: { Authorization: 'Bearer toy' } });
      t.is(answer.status, 200, await answer.text());
    }
    t.deepEqual(await seedSamples(toy.sequelize, toy.container, 5), { rows: {}, refused: [] });
  });
}

test('a singleton, which the migration has made, does not keep the sets of a model empty', async (t) => {
  const kiosk = await startToy('test/operations/kiosk.xml');
  t.teardown(() => kiosk.stop());
  const { rows } = await seedSamples(kiosk.sequelize, kiosk.container, 5);
  t.like(rows, { Shelf: 5, Item: 5, Gift: 5 });
  t.false('Till' in rows);
});

// A key that is an enumeration has no more values than that.
function most({ key, fields }: EntityType): number {
  return Math.min(5, Math.max(key.length === 0 ? 5 : 0, ...key.map((name) => fields[name]?.enumeration?.members.length ?? 5)));
}
