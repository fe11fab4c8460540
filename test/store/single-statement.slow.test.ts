// Depends on PostgreSQL: SQL.

import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { fc } from '../support/fast-check.js';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { connect } from '../../runtime/database/connect.js';
import { startService, type TestService } from '../support/service.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';
import { patient } from '../support/database.js';

/** The same service twice. One writes by one statement where it can; the other one's requests have an id, so that it never can. */
interface Side {
  readonly service: TestService;
  readonly pool: ConnectionPool;
  readonly authorization: string;
  readonly isRepeatable: boolean;
  /** Numbers of the listings that were created, in their order. */
  readonly created: string[];
}

let sides: readonly Side[];

test.before(async () => {
  sides = await Promise.all(
    [false, true].map(async (isRepeatable) => {
      const service = await startService();
      return {
        service,
        pool: connect(service.databaseUrl, { ...patient, poolSize: 1 }),
        authorization: `Bearer ${await service.token('write')}`,
        isRepeatable,
        created: [],
      };
    }),
  );
});

test.after.always(() =>
  Promise.all(
    sides.map(async ({ service, pool }) => {
      await pool.close();
      await service.stop();
    }),
  ),
);

const listing = {
  ListAgentKey: 'M1',
  ListOfficeKey: 'M2',
  PropertyType: 'Residential',
  StreetNumber: '1',
  StreetName: 'Elm',
  City: 'Toronto',
};
const by = { ChangedByMemberKey: 'M1' };

const creates = [
  listing,
  listing,
  { ...listing, ListPrice: 100.5, ConstructionMaterials: ['Brick', 'Wood'] },
  { ...listing, ListAgentKey: 'nobody' },
  { ...listing, ListAgentKey: 'nobody', ListOfficeKey: 'nothing' },
  { ...listing, City: null },
  { ...listing, StandardStatus: 'Sold' },
  { ...listing, ListPrice: 1e30 },
  { ...listing, Rooms: [{ RoomType: 'Kitchen' }] },
  { ...listing, Unknown: 1 },
];

const changes = [
  { ...by, StandardStatus: 'Active' },
  { ...by, StandardStatus: 'Active', ListPrice: 5 },
  { ...by, StandardStatus: 'Sold', SoldPrice: 7 },
  { ...by, StandardStatus: 'Withdrawn' },
  { ...by, ListPrice: 512500 },
  { ...by, ListPrice: '512500.5' },
  { ...by, ListPrice: 3 },
  { ...by, ListPrice: null },
  { ...by, City: 'Ottawa' },
  { ...by, City: 'Toronto' },
  by,
  {},
  { City: 'Paris' },
  { ChangedByMemberKey: 'nobody', City: 'Rome' },
  { ...by, ConstructionMaterials: ['Brick'] },
  { ...by, ConstructionMaterials: [] },
  { ...by, ListingKey: 'other' },
  { ...by, ExpirationDate: '2027-01-31' },
  { ...by, BuyerAgentKey: 'nobody' },
  { ...by, BuyerAgentKey: 'M2' },
  { ...by, PhotosCount: 9 },
  { ...by, ListAgent: { '@id': "Member('M2')" } },
  { ...by, PublicRemarks: 'O\'Hara "\\ é' },
];

/** A step, the same for both sides; `which` chooses among the listings that were created. */
const step = fc.record({
  kind: fc.constantFrom('POST', 'POST', 'PATCH', 'PATCH', 'PATCH', 'PATCH', 'PUT', 'DELETE', 'elsewhere'),
  which: fc.nat({ max: 3 }),
  body: fc.nat({ max: 200 }),
  ifMatch: fc.constantFrom(undefined, undefined, undefined, undefined, '*', 'W/"1"', 'W/"2"'),
  prefer: fc.constantFrom(undefined, undefined, undefined, 'return=minimal', 'handling=strict', 'omit-values=nulls'),
  query: fc.constantFrom('', '', '', '?$select=City,ListPrice', '?$expand=Rooms'),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Takes random steps on both sides, compares the answers to each, and then what the database has. */
async function compareSides<Taken>(
  t: ExecutionContext,
  taken: fc.Arbitrary<readonly Taken[]>,
  take: (one: Taken, side: Side) => Promise<unknown>,
  numRuns: number,
): Promise<void> {
  const property = fc.asyncProperty(taken, async (all) => {
    for (const one of all) {
      const [first, second] = await Promise.all(sides.map((side) => take(one, side)));
      t.deepEqual(first, second, JSON.stringify(one));
    }
    const [first, second] = await Promise.all(sides.map(traces));
    t.deepEqual(first, second);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
}

test.serial('a write by one statement is what it is step by step', (t) =>
  compareSides(t, fc.array(step, { minLength: 20, maxLength: 40 }), takeOne, 12),
);

test.serial('writes of a group, sent together, are what they are step by step', (t) =>
  compareSides(t, fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 8, maxLength: 12 }), takeTogether, 24),
);

/** A batch of one group. A change of what another request of it may have created refers to that one. */
async function takeTogether(steps: readonly Step[], side: Side): Promise<unknown> {
  const requests = steps
    .filter(({ kind }) => kind !== 'elsewhere')
    .map(({ kind, which, body, ifMatch, prefer, query }, index, all) => {
      const number = side.created.at(-1 - which) ?? '3';
      const [isCreate, refersTo] = [kind === 'POST', index - 1 - which];
      const path =
        all[refersTo]?.kind === 'POST' && body % 3 === 0 ? `$${refersTo}` : `Property('${which % 2 === 0 ? number : `Draft${number}`}')`;
      const headers = {
        ...(ifMatch !== undefined && !isCreate && { 'If-Match': ownETag(ifMatch, number, side) }),
        ...(prefer !== undefined && { Prefer: prefer }),
        ...(side.isRepeatable && repeatable()),
      };
      const bodies: readonly object[] = isCreate ? creates.slice(0, 3 + (body % 8)) : changes;
      return {
        id: String(index),
        atomicityGroup: 'g',
        method: kind,
        url: isCreate ? `Property${query}` : `${path}${kind === 'DELETE' ? '' : query}`,
        headers,
        ...(kind !== 'DELETE' && { body: bodies[body % bodies.length] }),
      };
    });
  const response = await fetch(`${side.service.root}/$batch`, {
    method: 'POST',
    headers: { Authorization: side.authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify({ requests }),
  });
  const text = await response.text();
  for (const [, number = ''] of text.matchAll(/"location":"[^"]*Property\('Draft(\d+)'\)"/g))
    if (!side.created.includes(number)) side.created.push(number);
  return masked(text.replaceAll(/,"repeatability-result":"\w+"/g, ''), side);
}

function repeatable(): Readonly<Record<string, string>> {
  return { 'Repeatability-Request-ID': randomUUID(), 'Repeatability-First-Sent': new Date().toUTCString() };
}

async function takeOne({ kind, which, body, ifMatch, prefer, query }: Step, side: Side): Promise<unknown> {
  const { service, pool, authorization, isRepeatable, created } = side;
  const number = created.at(-1 - which) ?? '3';
  if (kind === 'elsewhere')
    return void (await sequelizeOf(pool).query(
      `update "Property" set "#version" = "#version" + 1, "City" = 'Elsewhere' where "#id" = ${number}`,
    ));
  const bodies: readonly object[] = kind === 'POST' ? creates : changes;
  const headers = {
    Authorization: authorization,
    'Content-Type': 'application/json',
    ...(ifMatch !== undefined && kind !== 'POST' && { 'If-Match': ownETag(ifMatch, number, side) }),
    ...(prefer !== undefined && { Prefer: prefer }),
    ...(isRepeatable && repeatable()),
  };
  const path = kind === 'POST' ? '/Property' : `/Property('${which % 2 === 0 ? number : `Draft${number}`}')`;
  const response = await fetch(`${service.root}${path}${kind === 'DELETE' ? '' : query}`, {
    method: kind,
    headers,
    body: kind === 'DELETE' ? null : JSON.stringify(bodies[body % bodies.length]),
  });
  const text = await response.text();
  const [, key] = /\/Property\('(?:Draft)?(\d+)'\)/.exec(response.headers.get('location') ?? '') ?? [];
  if (kind === 'POST' && key !== undefined) created.push(key);
  return {
    status: response.status,
    etag: masked(response.headers.get('etag') ?? '', side),
    location: masked(response.headers.get('location') ?? '', side),
    text: masked(text, side),
  };
}

// Versions of a created listing count from its number.
const versions = 100_000_000;

function ownETag(ifMatch: string, number: string, { created }: Side): string {
  return created.includes(number) ? ifMatch.replace(/\d+/, (count) => String(Number(number) * versions + Number(count))) : ifMatch;
}

// Both have numbers of their own, addresses, ids of requests and moments.
function masked(text: string, { service, created }: Side): string {
  const known = text
    .replaceAll(service.root, 'root')
    .replaceAll(/(?<=W\/\\*")\d+/g, (version) => String(Number(version) % versions))
    .replaceAll(/"requestId":"[^"]*"/g, '')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:Z|\+00)/g, 'moment');
  return known.replaceAll(/'(Draft)?(\d+)'|"(Draft)?(\d+)"/g, (all, draft, quoted, other, number) =>
    created.includes(quoted ?? number) ? `${draft ?? other ?? ''}#${created.indexOf(quoted ?? number)}` : all,
  );
}

// Pre-drawn numbers need not follow the order of the creates.
const told = [
  `select "#set", '"' || "#key" || '"' as key, "#operation", "#before" - '#Property' as before from "#changes" order by "#id"`,
  `select '"' || "ResourceRecordKey" || '"' as key, "FieldName", "PreviousValue", "NewValue", "ChangeType", "ChangedByMemberKey" from "HistoryTransactional" order by "#id"`,
  `select "#version" % ${versions} as version, '"' || "ListingKey" || '"' as key, "StandardStatus", "ListPrice", "City", "ModificationTimestamp" >= "OriginalEntryTimestamp" as later from "Property"`,
];

async function traces(side: Side): Promise<readonly string[]> {
  const tables = await Promise.all(told.map(async (text) => (await sequelizeOf(side.pool).query(text))[0]));
  const [events = [], history = [], listings = []] = tables.map((rows) =>
    rows.map((row) => masked(JSON.stringify(row).replaceAll('\\"', '"'), side)),
  );
  return [...events, ...history, ...listings.toSorted()];
}

test.serial('of many changes of one record each goes on from the one before', async (t) => {
  const [{ service, pool, authorization }] = sides as readonly [Side, ...Side[]];
  const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
  const ask = (method: string, path: string, body: object): Promise<Response> =>
    fetch(`${service.root}${path}`, { method, headers, body: JSON.stringify(body) });
  const [, number = ''] = /Draft(\d+)/.exec((await ask('POST', '/Property', listing)).headers.get('location') ?? '') ?? [];
  const prices = Array.from({ length: 60 }, (_, index) => 1_000 + index);
  const answers = await Promise.all(prices.map((price) => ask('PATCH', `/Property('${number}')`, { ...by, ListPrice: price })));
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const [rows] = await sequelizeOf(pool).query(
    `select "PreviousValue", "NewValue" from "HistoryTransactional" where "ResourceRecordKey" = 'Draft${number}' order by "#id"`,
  );
  const changed = rows as readonly { readonly PreviousValue: string | null; readonly NewValue: string }[];
  t.deepEqual(
    changed.map(({ PreviousValue }) => PreviousValue),
    [null, ...changed.slice(0, -1).map(({ NewValue }) => NewValue)],
  );
  t.deepEqual(
    changed.map(({ NewValue }) => Number(NewValue)).toSorted((a, b) => a - b),
    prices,
  );
});
