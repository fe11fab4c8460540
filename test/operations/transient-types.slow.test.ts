// Depends on PostgreSQL: SQL.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { OperationHandlers } from '../../runtime/edm/handler.js';
import { compileModel, startModel, temporaryFolder, type ToyService } from '../toy/toy-service.js';

// oxfmt-ignore
/** A property of each type, and a value of it as a body has it. */
const values: readonly (readonly [name: string, type: string, value: unknown])[] = [
  ['Text', 'Type="Edm.String" MaxLength="40"', 'a "b" \\ é 🏠'],
  ['Yes', 'Type="Edm.Boolean"', true],
  ['Small', 'Type="Edm.SByte"', -128],
  ['Octet', 'Type="Edm.Byte"', 255],
  ['Short', 'Type="Edm.Int16"', -32_768],
  ['Whole', 'Type="Edm.Int32"', 2_147_483_647],
  ['Long', 'Type="Edm.Int64"', 9_007_199_254_740_991],
  ['Exact', 'Type="Edm.Decimal" Precision="12" Scale="3"', 12.125],
  ['Ratio', 'Type="Edm.Double"', -1.5e-7],
  ['Infinite', 'Type="Edm.Double"', '-INF'],
  ['Third', 'Type="Edm.Single"', 0.25],
  ['Day', 'Type="Edm.Date"', '2024-02-29'],
  ['Hour', 'Type="Edm.TimeOfDay" Precision="3"', '23:59:59.125'],
  ['Moment', 'Type="Edm.DateTimeOffset" Precision="3"', '2024-02-29T12:30:00.5+02:00'],
  ['Span', 'Type="Edm.Duration" Precision="3"', '-P1DT2H3M4.5S'],
  ['Number', 'Type="Edm.Guid"', '0000000A-0000-4000-8000-00000000000a'],
  ['Bytes', 'Type="Edm.Binary" MaxLength="10"', '_-8A'],
  ['Point', 'Type="Edm.GeographyPoint" SRID="4326"', { type: 'Point', coordinates: [-79.5, 43.25] }],
  ['Line', 'Type="Edm.GeographyLineString" SRID="4326"', { type: 'LineString', coordinates: [[1, 2], [3, 4.5]] }],
  ['Level', 'Type="self.Level"', 'High'],
  ['Rights', 'Type="self.Rights"', 'Read,Write'],
  ['Weight', 'Type="self.Weight"', 1.25],
  ['Any', 'Type="Edm.Untyped"', { a: [1, 'x', null] }],
  ['Address', 'Type="self.Address"', { City: 'Oslo', Since: '2020-01-01', Rooms: [1, 2] }],
  ['Texts', 'Type="Collection(Edm.String)" Nullable="false"', ['b', 'a,"', '{}']],
  ['Days', 'Type="Collection(Edm.Date)" Nullable="false"', ['2024-02-29', '0001-01-01']],
  ['Spans', 'Type="Collection(Edm.Duration)" Nullable="false"', ['PT1S', '-P2D']],
  ['Levels', 'Type="Collection(self.Level)" Nullable="false"', ['Low', 'High']],
  ['Addresses', 'Type="Collection(self.Address)" Nullable="false"', [{ City: 'Oslo', Since: null, Rooms: [] }]],
];

const model = `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Kinds" Alias="self">
  <EnumType Name="Level"><Member Name="Low" Value="1"/><Member Name="High" Value="2"/></EnumType>
  <EnumType Name="Rights" IsFlags="true"><Member Name="Read" Value="1"/><Member Name="Write" Value="2"/></EnumType>
  <TypeDefinition Name="Weight" UnderlyingType="Edm.Decimal" Precision="6" Scale="2"/>
  <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/><Property Name="Since" Type="Edm.Date"/><Property Name="Rooms" Type="Collection(Edm.Int32)" Nullable="false"/></ComplexType>
  <EntityType Name="Thing"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
    ${values.map(([name, type]) => `<Property Name="${name}" ${type}/>`).join('\n    ')}
  </EntityType>
  <Function Name="Copy" IsComposable="true"><ReturnType Type="Collection(self.Thing)" Nullable="false"/></Function>
  <EntityContainer Name="Container"><EntitySet Name="Things" EntityType="self.Thing"/><FunctionImport Name="Copy" Function="self.Copy"/></EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`;

const thing = { Id: 1, ...Object.fromEntries(values.map(([name, , value]) => [name, value])) };
const empty = { Id: 2, ...Object.fromEntries(values.map(([name, type]) => [name, type.includes('Collection') ? [] : null])) };

const handlers: OperationHandlers = {
  copy: () => ({ values: [thing, empty] }),
};

let service: ToyService;

test.before(async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'model.xml'), model);
  service = await startModel(
    { ...(await compileModel(join(folder, 'model.xml'), folder)), extensions: {}, operations: handlers, generated: folder },
    folder,
  );
  for (const body of [thing, empty])
    await fetch(`${service.root}/Things`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
});

test.after.always(() => service.stop());

test('what is made is written as what is stored, whatever its type', async (t) => {
  for (const options of ['', '&$orderby=Id desc', '&$select=Id,Texts($orderby=$this),Address/City']) {
    for (const accept of ['application/json', 'application/json;IEEE754Compatible=true']) {
      const [stored, made] = [await read(`Things?$count=true${options}`, accept), await read(`Copy()?$count=true${options}`, accept)];
      t.is(stored.length, 2);
      t.deepEqual(made, stored);
    }
  }
});

test('and compared as what is stored', async (t) => {
  const conditions = [
    'Text eq \'a "b" \\ é 🏠\'',
    'Long gt 9007199254740990',
    'Exact eq 12.125',
    'Infinite lt 0',
    'Hour gt 23:59:59',
    'Moment eq 2024-02-29T10:30:00.5Z',
    "Span lt duration'PT0S'",
    'Number eq 0000000a-0000-4000-8000-00000000000a',
    "Bytes eq binary'_-8A'",
    "Level eq 'High'",
    "Rights has 'Write'",
    'Weight gt 1',
    'Address/Since le 2020-01-01',
    "Texts/any(x:x eq '{}')",
    "Spans/any(x:x lt duration'PT0S')",
    'Levels/$count eq 2',
    "Addresses/any(x:x/City eq 'Oslo')",
    'Day eq null',
    'geo.length(Line) gt 1',
    "geo.distance(Point,geography'SRID=4326;Point(-79.5 43.25)') lt 1",
  ];
  for (const condition of conditions) {
    const [stored, made] = await Promise.all(
      ['Things', 'Copy()'].map((path) => read(`${path}?$select=Id&$filter=${encodeURIComponent(condition)}`, 'application/json')),
    );
    t.is(stored?.length, 1, condition);
    t.deepEqual(made, stored, condition);
  }
});

async function read(path: string, accept: string): Promise<readonly object[]> {
  const response = await fetch(`${service.root}/${path}`, { headers: { Accept: accept } });
  const { value } = (await response.json()) as { readonly value?: readonly object[] };
  return (value ?? []).map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => name !== '@odata.id')));
}
