import test from 'ava';
import { drills } from './drills.js';

for (const { title, play, unable } of drills) {
  const drill = unable?.() === undefined ? test.serial : test.serial.skip;
  drill(`${title} under writes: nothing acknowledged is lost, and it recovers by itself`, async (t) => {
    t.timeout(180_000);
    const { record, rounds, faults } = await play(title, 1);
    t.deepEqual(faults, []);
    // One before each blow at least, and one after it.
    t.true(record.acknowledged.size > rounds);
  });
}
