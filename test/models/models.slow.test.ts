import test from 'ava';
import { examineModel } from './examine-model.js';
import { examineRandom } from './examine-random.js';
import { printTable } from './print-table.js';

test('a document that is whole holds in everything, in every set that offers it', async (t) => {
  const found = await examineModel('test/project/towns.xml');
  t.deepEqual(found.failures, []);
  t.deepEqual([...found.held], ['generate', 'types', 'migrate', 'start', 'samples']);
  t.deepEqual(found.verdicts, {
    create: { held: 3, asked: 3 },
    read: { held: 3, asked: 3 },
    filter: { held: 3, asked: 3 },
    expand: { held: 2, asked: 2 },
  });
});

test('a document that is refused says at which step and why', async (t) => {
  const found = await examineModel('test/generator/cases/malformed/model.xml');
  t.is(found.held.size, 0);
  t.regex(found.failures.join('\n'), /^generate: test\/generator\/cases\/malformed\/model\.xml:\d+:\d+ error CSDL\d{3} /);
  t.regex(printTable([found]), /^model\.xml +no +no +no +no +no +-( +-){4} /m);
});

// Models that nobody would write, one a seed; `npm run models -- --random N` looks at others.
for (const seed of [4, 10, 11]) {
  test(`everything holds in the model of the seed ${seed}`, async (t) => {
    const { failures, sets } = await examineRandom(seed);
    t.deepEqual(failures, []);
    t.true(sets > 0);
  });
}
