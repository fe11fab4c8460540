import test from 'ava';
import { drills } from './drill/drills.js';

for (const [title, drill] of Object.entries(drills)) {
  test.serial(`${title} under writes, twice: nothing acknowledged is lost, and it recovers by itself`, async (t) => {
    t.timeout(180_000);
    const { record, faults } = await drill(2);
    t.deepEqual(faults, []);
    t.true(record.acknowledged.size > 10);
  });
}
