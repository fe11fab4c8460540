import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { compileModel, startModel, temporaryFolder, type ToyService } from '../toy/toy-service.js';

const model = `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1.xml"><edmx:Include Namespace="Org.OData.Capabilities.V1" Alias="Capabilities"/></edmx:Reference><edmx:DataServices>
<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Any" Alias="self">
  <EntityType Name="Product"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
  <EntityType Name="Lamp" BaseType="self.Product"><Property Name="Watts" Type="Edm.Int32"/></EntityType>
  <EntityType Name="Person"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType>
  <Function Name="Every" IsComposable="true"><ReturnType Type="Collection(Edm.EntityType)"/></Function>
  <Function Name="Some"><ReturnType Type="Collection(Edm.EntityType)"/></Function>
  <Function Name="One"><ReturnType Type="Edm.EntityType" Nullable="false"/></Function>
  <Action Name="Take"><Parameter Name="Record" Type="Edm.EntityType"/><Parameter Name="Records" Type="Collection(Edm.EntityType)"/><ReturnType Type="Edm.String"/></Action>
  <EntityContainer Name="Container">
    <EntitySet Name="Products" EntityType="self.Product"><Annotation Term="Capabilities.ReadRestrictions"><Record><PropertyValue Property="Permissions"><Collection><Record><PropertyValue Property="SchemeName" String="Bearer"/><PropertyValue Property="Scopes"><Collection><Record><PropertyValue Property="Scope" String="toy"/></Record></Collection></PropertyValue></Record></Collection></PropertyValue></Record></Annotation></EntitySet><EntitySet Name="People" EntityType="self.Person"/>
    <FunctionImport Name="Every" Function="self.Every"/><FunctionImport Name="Some" Function="self.Some"/><FunctionImport Name="One" Function="self.One"/><ActionImport Name="Take" Action="self.Take"/>
  </EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`;

let service: ToyService;

test.before(async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'model.xml'), model);
  const operations = {
    every: () => ({ path: '$all', filter: 'Any.Product/Id ne 1' }),
    some: () => ({ from: 'Products', keys: [1, 2] }),
    one: () => ({ path: 'People(7)' }),
    take: (call: object) => JSON.stringify(call),
  };
  service = await startModel(
    { ...(await compileModel(join(folder, 'model.xml'), folder)), extensions: {}, operations, generated: folder },
    folder,
    { stranger: { subject: 's', scopes: new Set() } },
  );
  await ask('Products', { Id: 1, Name: 'Table' });
  await ask('Products', { '@odata.type': '#Any.Lamp', Id: 2, Name: 'Lamp', Watts: 9 });
  await ask('Products', { Id: 3 });
  await ask('People', { Id: 7 });
});

test.after.always(() => service.stop());

const at = (path: string, type: string): object => ({
  '@odata.type': `#Any.${type}`,
  '@odata.id': `${service.root}/${path}`,
  '@odata.editLink': `${service.root}/${path}`,
});

test('records of several sets, each with its type and its own address', async (t) => {
  t.deepEqual(await ask('Every()'), {
    '@odata.context': `${service.root}/$metadata#Collection(Edm.EntityType)`,
    value: [
      { ...at('People(7)', 'Person'), Id: 7 },
      { ...at('Products(2)/Any.Lamp', 'Lamp'), '@odata.id': `${service.root}/Products(2)`, Id: 2, Name: 'Lamp', Watts: 9 },
      { ...at('Products(3)', 'Product'), Id: 3, Name: null },
    ],
  });
});

test('options name types in front of properties, as with $all', async (t) => {
  t.deepEqual((await ask("Every()?$filter=Any.Product/Name eq 'Lamp'&$select=Any.Product/Id&$count=true"))['@odata.count'], 1);
  t.deepEqual((await ask('Some()?$orderby=Any.Product/Id desc&$select=Any.Product/Id'))['value'], [
    { ...at('Products(2)/Any.Lamp', 'Lamp'), '@odata.id': `${service.root}/Products(2)`, Id: 2 },
    { ...at('Products(1)', 'Product'), Id: 1 },
  ]);
});

test('what lies behind the answer', async (t) => {
  t.is(await (await fetch(`${service.root}/Every()/$count`)).text(), '3');
  for (const path of ['Every()/Any.Lamp', 'Every()(1)', 'Every()/Name', 'Every()/$ref'])
    t.is((await fetch(`${service.root}/${path}`)).status, 501, path);
});

test('a single one is read at its address', async (t) => {
  t.deepEqual(await ask('One()'), { '@odata.context': `${service.root}/$metadata#People/$entity`, Id: 7 });
});

test('parameters are references, or records that say their types', async (t) => {
  const call = { Record: { '@id': 'People(7)' }, Records: [{ '@odata.type': '#Any.Lamp', Watts: 5 }, { '@odata.id': 'Products(1)' }] };
  t.deepEqual(JSON.parse(String((await ask('Take', call))['value'])), {
    Record: { '@id': 'People(7)' },
    Records: [{ '@odata.type': '#Any.Lamp', Watts: 5 }, { '@id': 'Products(1)' }],
  });
  const refused = await ask('Take', {
    Record: { Watts: 5 },
    Records: [{ '@odata.type': '#Any.Chair' }, { '@odata.type': '#Any.Lamp', Weight: 5 }],
  });
  t.deepEqual(detailsOf(refused), [
    ['1101', 'Record'],
    ['1105', 'Records[0]'],
    ['1102', 'Records[1]/Weight'],
  ]);
});

test('a type that is no text is told as what it is', async (t) => {
  const { details = [] } = (await ask('Take', { Record: { '@odata.type': 1 }, Records: [{ '@odata.type': { a: 1 } }] }))['error'] as {
    readonly details?: readonly { readonly message: string }[];
  };
  t.deepEqual(
    details.map(({ message }) => message),
    [
      'Record/@odata.type must be a string, and the body has the number 1.',
      'Records[0]/@odata.type must be a string, and the body has an object.',
    ],
  );
});

test('records of one set that a caller may not read are told by its name', async (t) => {
  const refused = await fetch(`${service.root}/Some()`, { headers: { Authorization: 'Bearer stranger' } });
  t.regex(await refused.text(), /Reading Products needs one of these scopes: toy\./);
});

test('what says neither a type nor an address is refused, whatever stands in their places', async (t) => {
  const records = [{}, { '@id': 1 }, { '@odata.id': null }, { '@odata.type': '#Edm.EntityType' }, { '@type': 'Edm.EntityType', '@id': {} }];
  t.deepEqual(
    detailsOf(await ask('Take', { Record: null, Records: records })),
    records.map((_, index) => ['1101', `Records[${index}]`]),
  );
});

function detailsOf(body: Record<string, unknown>): unknown {
  const { details = [] } = body['error'] as { readonly details?: readonly { readonly code: string; readonly target: string }[] };
  return details.map(({ code, target }) => [code, target]);
}

async function ask(path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(
    `${service.root}/${path}`,
    body ? { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {},
  );
  return (await answer.json()) as Record<string, unknown>;
}
