// Depends on PostgreSQL: the size of rows.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { startToy, temporaryFolder, type ToyService } from '../toy/toy-service.js';

/** As many as the Property resource of the RESO Data Dictionary 2.0 has. */
const many = 722;

// oxfmt-ignore
/** A property of each kind in turn: its CSDL, and a value before and after a change. */
const kinds = [
  { type: 'Type="Edm.String" MaxLength="100"', value: (n: number) => `a text of 23 bytes ${String(n).padStart(4, '0')}`, changed: 'another' },
  { type: 'Type="Edm.Decimal" Precision="14" Scale="2"', value: (n: number) => n + 0.25, changed: 0.5 },
  { type: 'Type="Edm.Boolean"', value: (n: number) => n % 2 === 0, changed: null },
  { type: 'Type="Edm.DateTimeOffset" Precision="3"', value: (n: number) => `2026-01-01T00:00:${String(n % 60).padStart(2, '0')}.125Z`, changed: '2000-01-01T00:00:00Z' },
  { type: 'Type="Edm.Int64"', value: (n: number) => n, changed: -1 },
  { type: 'Type="Collection(Edm.String)"', value: (n: number) => [`"${n}"`, 'b,\\c'], changed: ['x'] },
  { type: 'Type="self.Pair"', value: (n: number) => ({ One: `é${n}\n`, Two: n }), changed: { One: 'x', Two: 1 } },
  { type: 'Type="Edm.Date"', value: () => '2026-02-28', changed: '2026-03-01' },
  { type: 'Type="Edm.Duration"', value: () => '-PT1H', changed: 'PT1H' },
  { type: 'Type="Edm.Binary"', value: () => 'AAEC_w', changed: 'AA' },
  { type: 'Type="Edm.Int32"', value: (n: number) => n, changed: 7 },
] as const;

const names = Array.from({ length: many - 1 }, (_, index) => `P${String(index + 1).padStart(3, '0')}`);
const kindOf = (index: number): (typeof kinds)[number] => kinds[index % kinds.length] ?? kinds[0];

function model(): string {
  const properties = names.map((name, index) => `<Property Name="${name}" ${kindOf(index).type}/>`).join('\n');
  return `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Wide" Alias="self">
<ComplexType Name="Pair"><Property Name="One" Type="Edm.String"/><Property Name="Two" Type="Edm.Int32"/></ComplexType>
<EntityType Name="Thing"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>${properties}
<NavigationProperty Name="Notes" Type="Collection(self.Note)" Partner="Thing"/></EntityType>
<EntityType Name="Note"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="ThingId" Type="Edm.Int32"/>
<NavigationProperty Name="Thing" Type="self.Thing" Partner="Notes"><ReferentialConstraint Property="ThingId" ReferencedProperty="Id"/></NavigationProperty></EntityType>
<EntityContainer Name="Container"><EntitySet Name="Things" EntityType="self.Thing"/><EntitySet Name="Notes" EntityType="self.Note"/></EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`;
}

const whole = Object.fromEntries(names.map((name, index) => [name, kindOf(index).value(index)]));
const changed = Object.fromEntries(names.map((name, index) => [name, kindOf(index).changed]));

type Answer = { readonly status: number; readonly body: { readonly [name: string]: unknown } };

let service: ToyService;

async function send(method: string, path: string, body?: object, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json;odata.metadata=none', ...more };
  const response = await fetch(`${service.root}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

test.before(async () => {
  const path = join(temporaryFolder(), 'wide.xml');
  writeFileSync(path, model());
  service = await startToy(path);
});

test.after.always(() => service.stop());

test.serial(`${many} properties of one type, each filled, are stored and read`, async (t) => {
  const created = await send('POST', '/Things', { Id: 1, ...whole });
  t.is(created.status, 201);
  t.deepEqual(created.body, { Id: 1, ...whole });
  t.deepEqual((await send('GET', '/Things(1)')).body, { Id: 1, ...whole });
  t.deepEqual((await send('GET', '/Things')).body['value'], [{ Id: 1, ...whole }]);
  const fields = Object.values(service.container.entityTypes['Thing']?.fields ?? {});
  t.true(fields.some(({ more }) => more) && fields.some(({ more }) => !more), 'some have columns, and some share one');
});

test.serial('texts of the length that PostgreSQL leaves in the row fill every property', async (t) => {
  const texts = Object.fromEntries(
    names.map((name, index) => [name, index % kinds.length === 0 ? '12345678901234567890123' : null]).filter(([, value]) => value !== null),
  );
  t.is((await send('POST', '/Things', { Id: 2, ...texts })).status, 201);
});

// The last ones share a column.
const at = (kind: number): string => names.findLast((_, index) => index % kinds.length === kind) ?? '';
const valueAt = (kind: number): unknown => whole[at(kind)];

test.serial('what shares a column is filtered, sorted, selected, computed and aggregated like any other', async (t) => {
  const ids = async (query: string): Promise<unknown> =>
    ((await send('GET', `/Things?${query}&$select=Id`)).body['value'] as { readonly Id: number }[]).map(({ Id }) => Id);
  const conditions = [
    `${at(0)} eq '${String(valueAt(0))}'`,
    `${at(1)} gt ${Number(valueAt(1)) - 1}`,
    `${at(2)} eq ${String(valueAt(2))}`,
    `${at(3)} lt 2026-01-02T00:00:00Z`,
    `${at(4)} add 1 eq ${Number(valueAt(4)) + 1}`,
    `${at(5)}/any(v:v eq 'b,\\c')`,
    `${at(5)}/$count eq 2`,
    `${at(6)}/Two eq ${String((valueAt(6) as { readonly Two: number }).Two)}`,
    `${at(7)} eq 2026-02-28`,
    `${at(8)} lt duration'PT0S'`,
    `not (${at(9)} eq null)`,
  ];
  for (const condition of conditions) t.deepEqual(await ids(`$filter=${encodeURIComponent(condition)}`), [1], condition);
  t.deepEqual(await ids(`$orderby=${at(10)}`), [2, 1], 'null is lowest');
  t.deepEqual(await ids(`$orderby=${at(10)} desc,${at(0)}`), [1, 2]);
  t.deepEqual((await send('GET', `/Things(1)?$select=${at(6)}/Two,${at(3)},P001`)).body, {
    P001: whole['P001'],
    [at(3)]: valueAt(3),
    [at(6)]: { Two: (valueAt(6) as { readonly Two: number }).Two },
  });
  t.deepEqual((await send('GET', `/Things?$compute=${at(10)} mul 2 as Twice&$select=Twice&$filter=Twice gt 0`)).body['value'], [
    { Twice: Number(valueAt(10)) * 2 },
  ]);
  t.deepEqual(
    (await send('GET', `/Things?$apply=groupby((${at(2)}),aggregate(${at(10)} with sum as Sum))&$filter=Sum ne null`)).body['value'],
    [{ [at(2)]: valueAt(2), Sum: valueAt(10) }],
  );
  t.deepEqual((await send('GET', `/Things?$apply=filter(Id eq 1)&$select=${at(3)},${at(5)}`)).body['value'], [
    { [at(3)]: valueAt(3), [at(5)]: valueAt(5) },
  ]);
  t.deepEqual((await send('GET', `/Things(1)/${at(8)}`)).body, { value: valueAt(8) });
  t.deepEqual((await send('GET', `/Things(1)/${at(6)}/Two`)).body, { value: (valueAt(6) as { readonly Two: number }).Two });
});

test.serial('pages follow each other by a value that shares a column', async (t) => {
  const first = (await send('GET', `/Things?$orderby=${at(10)}&$select=Id`, undefined, { Prefer: 'maxpagesize=1' })).body;
  t.deepEqual(first['value'], [{ Id: 2 }]);
  const link = new URL(String(first['@odata.nextLink']));
  t.deepEqual((await send('GET', `${link.pathname.replace(/^\/odata/, '')}${link.search}`)).body['value'], [{ Id: 1 }]);
});

test.serial('and shown in an expansion', async (t) => {
  t.is((await send('POST', '/Notes', { Id: 1, ThingId: 1 })).status, 201);
  t.deepEqual((await send('GET', '/Notes(1)?$expand=Thing')).body, { Id: 1, ThingId: 1, Thing: { Id: 1, ...whole } });
});

test.serial('a change of one leaves the others, a change to the same nothing', async (t) => {
  const one = await send('PATCH', '/Things(1)', { [at(0)]: 'changed', [at(6)]: { Two: 5 } });
  t.deepEqual(one.body, { Id: 1, ...whole, [at(0)]: 'changed', [at(6)]: { One: (valueAt(6) as { readonly One: string }).One, Two: 5 } });
  t.deepEqual((await send('PATCH', '/Things(1)', changed)).body, { Id: 1, ...changed });
  t.deepEqual((await send('PUT', '/Things(1)', { P001: 'only' })).body['P001'], 'only');
  t.is((await send('GET', '/Things(1)')).body[at(0)], null);
});
