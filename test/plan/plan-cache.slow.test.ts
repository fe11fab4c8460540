// Runs every night: the same queries with the cache and without it.

import test from 'ava';
import { fc } from '../support/fast-check.js';
import { container } from '../../generated/index.js';
import { propertyType } from '../../generated/property/index.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import { extensions } from '../../runtime/extensions/listing/listing.js';
import type { ODataRequest, ODataResponse } from '../../runtime/protocol/message.js';
import { orderHash } from '../../runtime/http/read/order-hash.js';
import { createPlanCache, mostPlans } from '../../runtime/http/read/plan-cache.js';
import { servedDocument } from '../../runtime/http/document.js';
import type { Exchange, Service } from '../../runtime/http/service.js';
import { respond } from '../../runtime/http/respond.js';
import { keptReadBack } from '../../runtime/http/write/kept-read-back.js';
import type { ReadPlan } from '../../runtime/plan/read-plan.js';
import { planPath } from '../../runtime/plan/read/plan-path.js';
import { planCollection } from '../../runtime/plan/read/plan-read.js';
import { createAliases } from '../../runtime/plan/scope.js';
import { bindAliases } from '../../runtime/uri/bind-aliases.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { parseResourcePath } from '../../runtime/uri/parse-resource-path.js';
import { createTokenSeal } from '../../runtime/paging/skiptoken.js';
import { withoutEnd, type Row, type Statement } from '../../runtime/sql/statement.js';

/** Who asks; a token is the caller's scopes. */
const scopes = ['listing.read', 'listing.read.all', 'listing.read listing.write', 'listing.write'];

const text = fc.oneof(
  fc.constantFrom('Toronto', `O''Neil`, '50%', '_', '\\', '', 'a/b', 'Draft7', '7', '0', '007', 'Zürich', '9999999999999999999'),
  fc.string({ maxLength: 4 }).map(doubled),
);
const number = fc.oneof(fc.constantFrom('0', '-1', '00', '1.50', '1e3', '9223372036854775808', '1e999', '+5'), fc.integer().map(String));
const moment = fc.constantFrom(
  '2024-05-01T00:00:00Z',
  '2024-05-01T00:00:00.123+02:00',
  '0000-01-01T00:00:00Z',
  '12024-01-01T00:00:00Z',
  '2024-13-01T00:00:00Z',
);
const date = fc.constantFrom('2024-05-01', '2024-02-30', '0000-01-01', '2024-01-31');

// oxfmt-ignore
/** Requests that differ in their literals; `{s}` is text in quotes, `{n}` a number, `{m}` a moment, `{d}` a date. */
const shapes = [
  '/Property({s})', '/Property({n})', '/Property(ListingKey={s})', '/Property({s})/Media', '/Property({s})/ListAgent', '/Property({s})/Media({s})',
  '/Property/{n}', '/Property({s})?$select=City', '/Property({s})?$expand=Media($filter=Order gt {n})',
  '/Property?$filter=City eq {s}', '/Property?$filter=City eq {s} and ListPrice ge {n}&$top=5', '/Property?$filter=ListPrice div {n} gt {n}',
  '/Property?$filter=contains(City,{s})', '/Property?$filter=startswith(City,{s}) or endswith({s},City)', '/Property?$filter=City in ({s},{s})',
  '/Property?$filter=ModificationTimestamp gt {m}', '/Property?$filter=date(ModificationTimestamp) eq {d}', '/Property?$filter=year(ModificationTimestamp) eq {n}',
  '/Property?$filter=ConstructionMaterials/any(t:t eq {s})', '/Property?$filter=matchesPattern(City,{s})', '/Property?$filter=substring(City,{n},{n}) eq {s}',
  '/Property?$filter=Media/any(m:m/MediaKey eq {s} and m/Order le {n})', '/Property?$filter=ShowingInstructions eq {s}', '/Property?$filter=case(ListPrice gt {n}:{n},true:{n}) eq 1',
  '/Property?$orderby=City,ListPrice desc&$top={n}', '/Property?$skip={n}', '/Property?$filter=BedroomsTotal eq {n} or not (City ne {s})&$count=true',
  '/Property?$compute=ListPrice add {n} as Sum&$filter=Sum gt {n}&$select=Sum', '/Property?$apply=filter(City eq {s})/groupby((City),aggregate($count as N))',
  '/Property?$filter=Media/$count($filter=Order gt {n}) gt {n}', '/Property/$filter(City eq {s})', '/Property/$filter(City eq {s})?$count=true', '/Property?$search={s}',
  '/Property?$filter=geo.distance(Location,geography{s}) lt {n}', '/Property?$filter=City eq @c&@c={s}', '/Member({s})', '/Media?$filter=ResourceRecordKey eq {s}', '/Property/$count?$filter=City eq {s}',
  '/$metadata', '/$metadata?$format=json', '/$metadata?$format=xml', '/$metadata?$top={n}',
];

// Few shapes at a time, so that they come again.
const requests = fc
  .subarray(shapes, { minLength: 1, maxLength: 4 })
  .chain((some) => fc.array(requestTo(some), { minLength: 20, maxLength: 60 }));

const requestTo = (some: readonly string[]) =>
  fc.record({
    url: fc.constantFrom(...some).chain(filled),
    scope: fc.constantFrom(...scopes),
    prefer: fc.constantFrom(undefined, undefined, undefined, 'maxpagesize=5', 'omit-values=nulls', 'handling=strict'),
    accept: fc.constantFrom(
      undefined,
      'application/json;odata.metadata=full',
      'application/json;IEEE754Compatible=true',
      'application/xml',
    ),
    after: fc.option(fc.array(fc.option(fc.constantFrom('1', '2024-05-01 00:00:00+00', 'x')), { minLength: 2, maxLength: 2 }), { freq: 9 }),
  });

type Request = ReturnType<typeof requestTo> extends fc.Arbitrary<infer Value> ? Value : never;

test('a plan that is kept answers as one that is made anew, whoever asked before, and with what', async (t) => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(requests, async (sent) => {
      const cache = createPlanCache(30);
      const counted = { ...cache, find: (...args: Parameters<typeof cache.find>) => counting(cache.find(...args)) };
      for (const one of sent) t.deepEqual(await outcome(one, counted), await outcome(one, undefined), one.url);
    }),
    { numRuns: 300 },
  );
  t.true(found > 500, `${found} plans were used again`);
  function counting<Found>(known: Found | undefined): Found | undefined {
    found += known === undefined ? 0 : 1;
    return known;
  }
});

test('one shape is planned once, whatever its literals', async (t) => {
  const cache = createPlanCache();
  let added = 0;
  const counted = { ...cache, add: (...args: Parameters<typeof cache.add>) => void (added++, cache.add(...args)) };
  for (const city of ['Toronto', 'Ottawa', `O''Neil`, '50%']) {
    for (const price of ['1', '250000', '-7']) {
      await outcome(
        {
          url: `/Property?$filter=City eq '${city}' and ListPrice ge ${price} and contains(StreetName,'${city}')&$top=5`,
          scope: 'listing.read',
        },
        counted,
      );
      await outcome({ url: `/Property('${price.replace('-', 'Draft')}')`, scope: 'listing.read' }, counted);
    }
  }
  t.is(added, 2);
});

// Writing is not reading here, so that writers see what their other scopes let them see.
const { permissions } = propertyType;
const restricted = {
  ...propertyType,
  permissions: { ...permissions, read: (permissions.read ?? []).filter(({ scope }) => scope !== 'listing.write') },
};
const writersOnly: EntityContainer = { ...container, entityTypes: { ...container.entityTypes, Property: restricted } };

test('what is written is read back as its writer may see it, whoever wrote before', async (t) => {
  const cache = createPlanCache();
  const body = JSON.stringify({
    ListAgentKey: 'M1',
    ListOfficeKey: 'M2',
    PropertyType: 'Residential',
    StreetNumber: '1',
    StreetName: 'Elm',
    City: 'Toronto',
  });
  const seen = new Set<unknown>();
  const writers = ['listing.write', 'listing.read listing.write', 'listing.read.all listing.write'];
  for (const scope of [...writers, ...writers]) {
    for (const url of ['/Property', '/Property?$select=City', '/Property?$expand=Media']) {
      const [kept, anew] = [
        await outcome({ url, scope, body }, cache, writersOnly),
        await outcome({ url, scope, body }, undefined, writersOnly),
      ];
      t.deepEqual(kept, anew, `${scope} ${url}`);
      seen.add(JSON.stringify(kept));
    }
  }
  t.is(seen.size, 5, 'one scope that reads leaves properties out, and of $select=City none');
});

test('a record is read back by one plan, whatever its number', (t) => {
  const plans = createPlanCache();
  let prepared = 0;
  const read = (id: string, scope: string): unknown => {
    const caller = { subject: '', scopes: new Set([scope]) };
    const exchange = { service: { plans }, caller, context: { caller }, options: {} } as unknown as Exchange; // All that is looked at.
    const made = {
      plan: {} as ReadPlan,
      statements: { row: { text: scope, bind: [id] } },
      rendererOf: () => t.fail('nothing is rendered') as never,
    };
    return keptReadBack({ type: propertyType }, id, exchange, undefined, () => (prepared++, made)).statements.row;
  };
  t.deepEqual(
    [read('1', 'a'), read('2', 'a'), read('3', 'b'), read('4', 'a')],
    [
      ['a', '1'],
      ['a', '2'],
      ['b', '3'],
      ['a', '4'],
    ].map(([text = '', id = '']) => ({ text, bind: [id] })),
  );
  t.is(prepared, 2);
});

test('what the planner looked at divides a shape, and a shape keeps few plans', async (t) => {
  const cache = createPlanCache();
  let added = 0;
  const counted = { ...cache, add: (...args: Parameters<typeof cache.add>) => void (added++, cache.add(...args)) };
  for (let round = 0; round < 2; round++)
    for (let year = 0; year < mostPlans; year++) {
      await outcome({ url: `/Property?$filter=year(ModificationTimestamp) eq ${2000 + year}`, scope: 'listing.read' }, counted);
    }
  t.is(added, mostPlans);
  await outcome({ url: '/Property?$filter=year(ModificationTimestamp) eq 1999', scope: 'listing.read' }, counted);
  await outcome({ url: '/Property?$filter=year(ModificationTimestamp) eq 2000', scope: 'listing.read' }, counted);
  t.is(added, mostPlans + 2);
});

test('shapes beyond the limit make room for each other', async (t) => {
  const cache = createPlanCache(3);
  let added = 0;
  const counted = { ...cache, add: (...args: Parameters<typeof cache.add>) => void (added++, cache.add(...args)) };
  const names = ['City', 'StreetName', 'PostalCode', 'ListingId', 'StateOrProvince', 'UnitNumber', 'PropertyType', 'City'];
  for (const name of names) await outcome({ url: `/Property?$select=${name}`, scope: 'listing.read' }, counted);
  t.is(added, names.length);
});

function doubled(value: string): string {
  return value.replaceAll(`'`, `''`);
}

function filled(shape: string): fc.Arbitrary<string> {
  const parts = shape.split(/\{(\w)\}/);
  const values = parts.map((part, index) => (index % 2 === 0 ? fc.constant(part) : literalOf(part)));
  return fc.tuple(...values).map((all) => all.join(''));
}

function literalOf(kind: string): fc.Arbitrary<string> {
  if (kind === 's') return text.map((value) => `'${value}'`);
  if (kind === 'n') return number;
  return kind === 'm' ? moment : date;
}

const seal = createTokenSeal('a secret of the tests');
const root = 'http://localhost/odata';
const metadata = { xml: servedDocument(''), json: servedDocument(''), vocabularies: new Map() };

type Sent = Pick<Request, 'url' | 'scope'> & Partial<Request> & { readonly body?: string };

/** The service's answer to a request, with its statements and their values. */
async function outcome(sent: Sent, plans: Service['plans'], model: EntityContainer = container): Promise<unknown> {
  const statements: unknown[] = [];
  const note = ({ text: sql, bind }: Statement): void => void statements.push({ sql, bind });
  // Every record is there that a body refers to.
  const rowsOf = ({ text: sql, bind }: Statement): Row[] =>
    sent.body !== undefined && sql.startsWith('select "MemberKey"') ? bind.flat().map((key) => [key]) : [];
  const connection = withoutEnd({
    run: async (statement) => (note(statement), rowsOf(statement)),
    each: async (statement) => note(statement),
  });
  const service: Service = {
    container: model,
    extensions,
    root,
    seal,
    store: { read: (work) => work(connection), transaction: (work) => work(connection) },
    metadata,
    settings: { overTop: 'reject' },
    authenticate: async (scope) => ({ subject: scope ?? '', scopes: new Set((scope ?? '').split(' ')) }),
    publicMetadata: false,
    maxStream: 1_000_000,
    readerTimeout: 1000,
    logFailure: (failure) => void statements.push(String(failure)),
    ...(plans && { plans }),
  };
  const { status, headers, body } = await respond(requestOf(sent), service);
  return { status, headers, body: textOf(body), statements };
}

function textOf(body: ODataResponse['body']): string {
  return typeof body === 'string' || body === undefined ? String(body) : Buffer.from(body as Uint8Array).toString(); // Nothing is read, so that nothing streams.
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
}

function requestOf({ url, scope, prefer, accept, after, body }: Sent): ODataRequest {
  const [path = '', query = ''] = url.split('?');
  const headers: Record<string, string | undefined> = { authorization: scope, prefer, accept, 'content-type': body && 'application/json' };
  const encoded = encodeURI(query).replaceAll('+', '%2B').replaceAll('#', '%23');
  return {
    method: body === undefined ? 'GET' : 'POST',
    path: encodeURI(path),
    id: 'test',
    query:
      after && path === '/Property'
        ? [encoded, `$skiptoken=${tokenOf(path, encoded, after)}`].filter((part) => part !== '').join('&')
        : encoded,
    header: (name) => headers[name],
    body: async () => Buffer.from(body ?? ''),
    chunks: () => nothing(),
    recipient: { isGone: () => false, onGone: () => () => undefined },
  };
}

// Bound as `links` binds it; where the options cannot be read, nobody looks at the token.
function tokenOf(path: string, query: string, after: readonly (string | null)[]): string {
  const options = query
    .split('&')
    .filter((option) => /^[$@]/.test(option) && !option.startsWith('$skip='))
    .map(decodeURIComponent)
    .sort();
  return seal.seal({ after, order: orderOf(path, query) }, [path, ...options].join('\n'));
}

// Empty for a query that the service refuses, or plans by a feature that is not registered here.
function orderOf(path: string, query: string): string {
  const caller = { subject: '', scopes: new Set(['listing.read.all']) };
  const context = { container, caller, aliases: createAliases(), settings: { overTop: 'reject' as const } };
  try {
    const target = planPath(parseResourcePath(path), context);
    if (target.kind !== 'collection') return '';
    const { read } = planCollection(target, bindAliases(parseQueryOptions(query).options), context);
    return orderHash(read, { metadata });
  } catch {
    return '';
  }
}
