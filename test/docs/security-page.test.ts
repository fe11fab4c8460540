import { existsSync, readFileSync } from 'node:fs';
import test from 'ava';

test('every test that SECURITY.md names is there', (t) => {
  const named = [...readFileSync('SECURITY.md', 'utf8').matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path ?? '');
  t.true(named.length >= 8);
  t.deepEqual(
    named.filter((path) => !existsSync(path)),
    [],
  );
});
