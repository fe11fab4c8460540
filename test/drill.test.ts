import test from 'ava';
import { drills } from './drill/drills.js';

for (const { title, play, unable } of drills) {
  const drill = unable === undefined ? test.serial : test.serial.skip;
  drill(`${title} under writes, twice: nothing acknowledged is lost, and it recovers by itself`, async (t) => {
    t.timeout(180_000);
    const { record, faults } = await play(title, 2);
    t.deepEqual(faults, []);
    t.true(record.acknowledged.size > 10);
  });
}
