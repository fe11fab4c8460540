// Depends on PostgreSQL: SQL.
import test from 'ava';
import { fallen, score } from './score.js';

test('no MUST that held has fallen', async (t) => {
  t.deepEqual(fallen(await score()), []);
});
