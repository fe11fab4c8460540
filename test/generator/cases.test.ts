import { readFileSync } from 'node:fs';
import test from 'ava';
import { caseNames, check, generateCase, printErrors, runCase } from './cases.js';
import { ModelError } from '../../generator/model-error.js';

for (const name of caseNames()) {
  test(`case ${name}`, (t) => check(t, name));
}

test('every fault of the table is provoked by a case or by the limits', (t) => {
  const table = readFileSync(new URL('../../../generator/faults.ts', import.meta.url), 'utf8');
  const codes = [...table.matchAll(/rule\('(CSDL\d{3})'/g)].map(([, code]) => code ?? '');
  t.is(new Set(codes).size, codes.length, 'a code is used once');
  const said = caseNames().map(errorsOf).join('\n');
  t.deepEqual(
    codes.filter((code) => !said.includes(code) && !elsewhere.has(code)),
    [],
  );
});

// A clash of columns needs two names with one hash; too many faults are in hostile.slow.test.ts.
const elsewhere: ReadonlySet<string> = new Set(['CSDL039', 'CSDL077']);

test('two runs give the same bytes', (t) => {
  t.deepEqual(generateCase('awkward-names'), generateCase('awkward-names'));
});

function errorsOf(name: string): string {
  try {
    return printErrors(runCase(name));
  } catch (error) {
    return error instanceof ModelError ? printErrors(error) : String(error);
  }
}
