import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition, as long as a busy machine may need. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (await condition()) return;
    await delay(100);
  }
  throw new Error('It did not come to that in half a minute.');
}
