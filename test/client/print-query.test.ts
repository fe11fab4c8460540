import test from 'ava';
import { and, day, decimal, duration, enumMember, filter, guid, not, or, type Fields, type Query } from '../../client/index.js';
import { printQuery } from '../../client/print-query.js';
import type { Property } from '../../generated/types.js';

// The readable form of a query's options.
function print(query: Query<Property>): string {
  return decodeURIComponent(printQuery(query as object));
}

function filterOf(condition: (p: Fields<Property>) => ReturnType<typeof and>): string {
  return print({ filter: condition }).replace('?$filter=', '');
}

test('a query prints its options, nested ones too', (t) => {
  t.is(printQuery({}), '');
  t.is(printQuery(undefined), '');
  t.is(print({ top: undefined, compute: {} } as object), '');
  t.is(
    print({
      select: ['ListingKey', 'City'],
      expand: { Media: { select: ['MediaKey'], orderby: ['Order desc'], top: 1 }, ListAgent: true, Rooms: {} },
      compute: { Half: (p) => p.ListPrice.div(2) },
      orderby: (p) => [p.City.tolower()],
      search: 'garden NOT pool',
      top: 5,
      skip: 0,
      count: true,
    }),
    '?$select=ListingKey,City,Half&$expand=Media($select=MediaKey;$orderby=Order desc;$top=1),ListAgent,Rooms' +
      '&$compute=ListPrice div 2 as Half&$orderby=tolower(City)&$search=garden NOT pool&$top=5&$skip=0&$count=true',
  );
});

test('each option is encoded as a whole', (t) => {
  t.is(printQuery({ filter: filter`City eq ${"A&B's + 50%;#"}` }), "?$filter=City%20eq%20'A%26B''s%20%2B%2050%25%3B%23'");
});

test('values are quoted by their types', (t) => {
  t.is(
    filterOf((p) => p.City.eq("O'Hara")),
    "City eq 'O''Hara'",
  );
  t.is(
    filterOf((p) => p.ListPrice.eq(null)),
    'ListPrice eq null',
  );
  t.is(
    filterOf((p) => p.ListPrice.gt(1e21)),
    'ListPrice gt 1e+21',
  );
  t.is(
    filterOf((p) => p.ListPrice.lt(-Infinity)),
    'ListPrice lt -INF',
  );
  t.is(
    filterOf((p) => p.ListPrice.in([1, decimal('2.50'), 3n])),
    'ListPrice in (1,2.50,3)',
  );
  t.is(
    filterOf((p) => p.City.in([])),
    'false',
  );
  t.is(
    filterOf((p) => p.CloseDate.ge(day('2026-01-31'))),
    'CloseDate ge 2026-01-31',
  );
  t.is(
    filterOf((p) => p.ModificationTimestamp.gt(new Date(0))),
    'ModificationTimestamp gt 1970-01-01T00:00:00.000Z',
  );
  t.is(
    filterOf((p) => p.City.eq(guid('01234567-89ab-cdef-0123-456789abcdef'))),
    'City eq 01234567-89ab-cdef-0123-456789abcdef',
  );
  t.is(
    filterOf((p) => p.City.eq(duration('PT1H'))),
    "City eq duration'PT1H'",
  );
  t.is(
    filterOf((p) => p.City.has(enumMember('Ns.Color', 'Red', 'Blue'))),
    "City has Ns.Color'Red,Blue'",
  );
  t.throws(() => day('31.1.2026'), { message: /'31\.1\.2026' has not the form/ });
  t.throws(() => filterOf((p) => p.CloseDate.eq(new Date(Number.NaN))), { instanceOf: RangeError });
});

test('operands are in parentheses where the operator binds tighter', (t) => {
  t.is(
    filterOf((p) => and(or(p.City.eq('a'), p.City.eq('b')), not(p.GarageYN.eq(true)), p.ListPrice.add(1).mul(2).gt(3))),
    "(City eq 'a' or City eq 'b') and not (GarageYN eq true) and (ListPrice add 1) mul 2 gt 3",
  );
  t.is(
    filterOf((p) => or(and(p.City.eq('a'), p.GarageYN), p.HeatingYN)),
    "City eq 'a' and GarageYN or HeatingYN",
  );
  t.is(
    filterOf((p) => p.ListPrice.sub(p.TaxAnnualAmount.sub(1)).gt(0)),
    'ListPrice sub (TaxAnnualAmount sub 1) gt 0',
  );
  t.is(
    filterOf((p) => and(filter`City eq ${'a'} or City eq ${'b'}`, p.GarageYN)),
    "(City eq 'a' or City eq 'b') and GarageYN",
  );
  t.is(
    filterOf(() => and()),
    'true',
  );
  t.is(
    filterOf(() => or()),
    'false',
  );
});

test('paths, functions and lambdas print as they are called', (t) => {
  t.is(
    filterOf((p) => p.ListAgent.MemberLastName.startswith('A')),
    "startswith(ListAgent/MemberLastName,'A')",
  );
  t.is(
    filterOf((p) => p.Media.any()),
    'Media/any()',
  );
  t.is(
    filterOf((p) => p.Media.count().gt(2)),
    'Media/$count gt 2',
  );
  t.is(
    filterOf((p) =>
      p.Rooms.any((room) =>
        and(
          room.RoomType.eq('x'),
          p.Heating.any((heating) => heating.eq(room.RoomType)),
        ),
      ),
    ),
    "Rooms/any(x1:x1/RoomType eq 'x' and Heating/any(x2:x2 eq x1/RoomType))",
  );
});
