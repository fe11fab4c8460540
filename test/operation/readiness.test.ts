import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { createReadiness } from '../../runtime/tools/operation/health.js';

test('the log is told once why the database does not respond, and again when it has answered in between', async (t) => {
  const told: unknown[] = [];
  const answers: (string | readonly string[])[] = ['refused', 'refused', [], 'lost'];
  const missingMigrations = (): Promise<readonly string[]> => {
    const answer = answers.shift();
    return typeof answer === 'object' ? Promise.resolve(answer) : Promise.reject(new Error(answer));
  };
  const readiness = createReadiness({
    pool: () => ({ using: 0, available: 1, waiting: 0, most: 1 }),
    isDraining: () => false,
    missingMigrations,
    report: (failure) => told.push(String(failure)),
  });
  const seen = [];
  for (let asked = 0; asked < 4; asked++) {
    seen.push((await readiness()).database);
    // An answer is kept for a second.
    await delay(1_050);
  }
  t.deepEqual(seen, ['down', 'down', 'up', 'down']);
  t.deepEqual(told, ['Error: refused', 'Error: lost']);
});
