import test from 'ava';
import fc from 'fast-check';
import { propertyType } from '../generated/property/index.js';
import type { EntityType, Field } from '../runtime/edm/index.js';
import { compileInsert, compileInsertNumbered, compileLock, compileUpdate } from '../runtime/sql/compile-write.js';
import type { Statement } from '../runtime/sql/statement.js';

/** A listing of one of several types, with some properties that the row has no room for. */
const wide: EntityType = { ...propertyType, discriminated: true, fields: withoutRoom(['City', 'StreetName', 'ListPrice']) };

function withoutRoom(names: readonly string[]): EntityType['fields'] {
  const moved = names.map((name): [string, Field] => [name, { ...propertyType.fields[name as keyof typeof propertyType.fields], column: '#more', more: true } as Field]);
  return { ...propertyType.fields, ...Object.fromEntries(moved) };
}

// A type that is equal and another has nothing kept.
const fresh = (type: EntityType): EntityType => ({ ...type });

const types = fc.constantFrom(propertyType, wide);
const values = fc.uniqueArray(fc.tuple(fc.constantFrom('City', 'StreetName', 'ListPrice', 'StreetNumber', 'ModificationTimestamp'), fc.option(fc.string())), { selector: ([name]) => name, minLength: 1 }).map((pairs) => new Map(pairs));
const key = fc.tuple(fc.string(), fc.constantFrom('text', 'bigint')).map(([value, sqlType]) => [{ column: 'ListingKey', sqlType, value }] as const);

const compilers: { readonly [name: string]: fc.Arbitrary<(type: EntityType) => Statement> } = {
  compileInsert: fc.tuple(fc.bigInt({ min: 1n }), values).map(([id, record]) => (type) => compileInsert(type, String(id), record)),
  compileInsertNumbered: fc.array(values, { minLength: 1, maxLength: 4 }).map((records) => (type) => compileInsertNumbered(type, records)),
  compileUpdate: fc.tuple(fc.bigInt({ min: 1n }), values).map(([id, record]) => (type) => compileUpdate(type, String(id), record)),
  compileLock: key.map((condition) => (type) => compileLock(type, condition)),
};

for (const [name, compilations] of Object.entries(compilers)) {
  test(`${name} gives of what it has kept what it would compile anew`, (t) => {
    fc.assert(fc.property(types, compilations, (type, compile) => {
      t.deepEqual(compile(type), compile(fresh(type)));
    }), { numRuns: 500 });
  });
}

test('a text is kept, and one of another shape is another', (t) => {
  const [one, same, other] = [new Map([['City', 'Oslo']]), new Map([['City', null]]), new Map([['StreetName', 'Oslo']])].map((record) => compileUpdate(propertyType, '1', record));
  t.is(one?.text, same?.text);
  t.not(one?.text, other?.text);
  t.deepEqual(same?.bind, ['1', null]);
});
