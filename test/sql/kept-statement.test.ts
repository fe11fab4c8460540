import test from 'ava';
import { fc } from '../support/fast-check.js';
import { propertyType } from '../../generated/property/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import type { Field } from '../../runtime/edm/field.js';
import { compileSingleWrite, type Returned, type SingleWrite } from '../../runtime/sql/compile-single-write.js';
import { compileInsert, compileInsertNumbered, compileUpdate } from '../../runtime/sql/compile-write.js';
import { compileLock, compileSeen } from '../../runtime/sql/compile-lock.js';
import type { Statement } from '../../runtime/sql/statement.js';
import type { NewRecords } from '../../runtime/sql/stored-cells.js';

/** A listing of one of several types, with some properties that the row has no room for. */
const wide: EntityType = { ...propertyType, discriminated: true, fields: withoutRoom(['City', 'StreetName', 'ListPrice']) };

function withoutRoom(names: readonly string[]): EntityType['fields'] {
  const moved = names.map((name): [string, Field] => [
    name,
    { ...propertyType.fields[name as keyof typeof propertyType.fields], column: '#more', more: true } as Field,
  ]);
  return { ...propertyType.fields, ...Object.fromEntries(moved) };
}

// A type that is equal and another has nothing kept.
const fresh = (type: EntityType): EntityType => ({ ...type });

const types = fc.constantFrom(propertyType, wide);
const values = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom('City', 'StreetName', 'ListPrice', 'StreetNumber', 'ModificationTimestamp'), fc.option(fc.string())),
    { selector: ([name]) => name, minLength: 1 },
  )
  .map((pairs) => new Map(pairs));
const key = fc
  .tuple(fc.string(), fc.constantFrom('text', 'bigint'))
  .map(([value, sqlType]) => [{ column: 'ListingKey', sqlType, value }] as const);

// A row has a value for every name.
const newRecords = (most: number): fc.Arbitrary<Pick<NewRecords, 'names' | 'rows'>> =>
  values.chain((named) =>
    fc.record({
      names: fc.constant([...named.keys()]),
      rows: fc.array(fc.array(fc.option(fc.string()), { minLength: named.size, maxLength: named.size }), { minLength: 1, maxLength: most }),
    }),
  );

// With every optional part of a statement.
const writes: fc.Arbitrary<Omit<SingleWrite, 'type'>> = fc
  .record({
    kind: fc.constantFrom('insert', 'update', 'delete'),
    id: fc.bigInt({ min: 1n }).map(String),
    values,
    references: fc.array(
      fc.string().map((value) => ({ property: 'City', target: propertyType, value })),
      { maxLength: 2 },
    ),
    mirrored: fc.array(
      fc
        .dictionary(fc.constantFrom('ListingId', 'ListingKey'), fc.string(), { minKeys: 1 })
        .map((copied) => ({ target: wide, link: '#Property', values: new Map(Object.entries(copied)) })),
      { maxLength: 1 },
    ),
    formerKey: fc.option(fc.tuple(fc.string()), { nil: undefined }),
    journal: fc.array(
      fc.tuple(fc.constantFrom(propertyType, wide), newRecords(2)).map(([type, records]) => ({ type, ...records })),
      { maxLength: 2 },
    ),
  })
  .chain((write) => (write.kind === 'insert' ? fc.constant(write) : fc.nat().map((state) => ({ ...write, state: String(state) }))));

const returning = new WeakMap<EntityType, Returned>();

// A way of returning keeps its own statements.
function returnedOf(type: EntityType): Returned {
  const known = returning.get(type) ?? { alias: 't0', cells: ['t0."City"'] };
  returning.set(type, known);
  return known;
}

// oxfmt-ignore
const compilers: { readonly [name: string]: fc.Arbitrary<(type: EntityType) => Statement> } = {
  compileInsert: fc.tuple(fc.bigInt({ min: 1n }), values).map(([id, record]) => (type) => compileInsert(type, String(id), record)),
  compileInsertNumbered: newRecords(4).map((records) => (type) => compileInsertNumbered({ type, ...records })),
  compileUpdate: fc.tuple(fc.bigInt({ min: 1n }), values).map(([id, record]) => (type) => compileUpdate(type, String(id), record)),
  compileLock: fc.tuple(key, fc.constantFrom('change' as const, 'reference' as const)).map(([condition, lockFor]) => (type) => compileLock(type, condition, lockFor)),
  compileSeen: key.map((condition) => (type) => compileSeen(type, condition)),
  compileAtOnce: writes.map((write) => (type) => compileSingleWrite({ type, ...write }, returnedOf(type))),
};

for (const [name, compilations] of Object.entries(compilers)) {
  test(`${name} gives of what it has kept what it would compile anew`, (t) => {
    fc.assert(
      fc.property(types, compilations, (type, compile) => {
        t.deepEqual(compile(type), compile(fresh(type)));
      }),
      { numRuns: 500 },
    );
  });
}

test('a text is kept, and one of another shape is another', (t) => {
  const [one, same, other] = [new Map([['City', 'Oslo']]), new Map([['City', null]]), new Map([['StreetName', 'Oslo']])].map((record) =>
    compileUpdate(propertyType, '1', record),
  );
  t.is(one?.text, same?.text);
  t.not(one?.text, other?.text);
  t.deepEqual(same?.bind, ['1', null]);
});
