import { readFileSync } from 'node:fs';
import test from 'ava';
import { errors } from '../../runtime/errors/catalogue.js';

test('the codes that the client narrows to are those of the catalogue', (t) => {
  const known = [...readFileSync('client/error-codes.ts', 'utf8').matchAll(/'(\d+)'/g)].map(([, code]) => code);
  t.deepEqual(known, [...new Set(Object.values(errors).map(({ code }) => code))].sort());
});
