import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import test from 'ava';
import { drawDiagram } from '../../generator/portal/diagram.js';
import { examplesOf } from '../../generator/emit/examples.js';
import { emitReference } from '../../generator/emit/emit-reference.js';
import { emitPortal } from '../../generator/portal/emit-portal.js';
import { printJson } from '../../runtime/json/json.js';
import { graphOf, graphOfText } from './portal.js';

test('the page of a singleton without a key does not list one', (t) => {
  const text = `<edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
  <Schema Namespace="House" xmlns="http://docs.oasis-open.org/odata/ns/edm">
  <EntityType Name="Thermostat"><Property Name="Target" Type="Edm.Int32"/></EntityType>
  <EntityContainer Name="Home"><Singleton Name="Thermostat" Type="House.Thermostat"/></EntityContainer>
  </Schema></edmx:DataServices></edmx:Edmx>`;
  const files = emitPortal(graphOfText(text));
  for (const path of ['sets/Thermostat.html', 'llms.txt']) {
    const page = files.find((file) => file.path === path)?.text ?? '';
    t.true(page.includes('One record, without a key.'), path);
    t.notRegex(page, /Key: \./, path);
  }
});

test('files of long names have names that file systems take', (t) => {
  const long = 'Ä'.repeat(128);
  const text = readFileSync('test/portal/orders.xml', 'utf8');
  const files = emitPortal(graphOfText(text.replaceAll('"Orders"', `"${long}"`).replaceAll(/(?<="(?:self\.)?)Address"/g, `${long}"`)));
  t.deepEqual(
    ['sets', 'types'].filter((folder) => !files.some(({ path }) => path.includes(`${folder}/`) && path.includes('ÄÄ'))),
    [],
  );
  t.deepEqual(
    files.map(({ path }) => posix.basename(path)).filter((name) => Buffer.byteLength(name) > 255),
    [],
  );
});

function keyedType(name: string, more = ''): string {
  return `<EntityType Name="${name}"><Key><PropertyRef Name="No"/></Key><Property Name="No" Type="Edm.Int32" Nullable="false"/>${more}</EntityType>`;
}

test('a navigation property may have a type without a set as its target', (t) => {
  const files = emitPortal(
    graphOfText(`<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
      <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
        ${keyedType('Order', '<NavigationProperty Name="Buyer" Type="Shop.Buyer"/>')}${keyedType('Buyer')}
        <EntityContainer Name="All"><EntitySet Name="Orders" EntityType="Shop.Order"/></EntityContainer>
      </Schema></edmx:DataServices></edmx:Edmx>`),
  );
  t.true(files.some(({ path }) => path === 'sets/Orders.html'));
});

test('a point whose values have reference systems of their own has its declared type', (t) => {
  const { complexTypes } = emitReference(graphOf('test/toy/systems.xml'));
  t.is(complexTypes.find(({ name }) => name === 'Survey')?.fields[0]?.type, 'Edm.GeographyPoint');
});

test('names of the members of every JavaScript object name boxes like others', (t) => {
  const names = ['toString', 'constructor', '__proto__', 'hasOwnProperty'];
  const boxes = names.map((name) => ({ id: name, text: name }));
  const arrows = names.flatMap((from) => names.map((to) => ({ from, to, label: [`${from} to ${to}`] })));
  const drawn = drawDiagram({ name: 'types', title: 'Types', direction: 'LR', boxes, arrows });
  t.deepEqual(
    names.filter((name) => !drawn.includes(`>${name}</text>`)),
    [],
  );
});

test('examples select the key of records that cannot be filtered, and nothing of records without a key or text', (t) => {
  const text = `<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01">
    <edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1.xml"><edmx:Include Namespace="Org.OData.Capabilities.V1" Alias="Capabilities"/></edmx:Reference>
    <edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
      ${keyedType('Range', '<NavigationProperty Name="Tags" Type="Shop.Tags"/>')}
      <EntityType Name="Tags"><Property Name="Names" Type="Collection(Edm.String)" Nullable="false"/></EntityType>
      <EntityContainer Name="All">
        <EntitySet Name="Ranges" EntityType="Shop.Range"><NavigationPropertyBinding Path="Tags" Target="Tags"/>
          <Annotation Term="Capabilities.FilterRestrictions"><Record><PropertyValue Property="Filterable" Bool="false"/></Record></Annotation></EntitySet>
        <Singleton Name="Tags" Type="Shop.Tags"/>
      </EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>`;
  const files = emitPortal(graphOfText(text));
  const requests = (path: string): readonly string[] =>
    [...new Set((files.find((file) => file.path === path)?.text ?? '').match(/(?<=explorer\/#GET\/)[^"]*/g))].map((request) =>
      request.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&'),
    );
  t.deepEqual(requests('sets/Ranges.html'), ['Ranges?$select=No&$top=1', 'Ranges?$select=No&$expand=Tags&$top=1', 'Ranges(1)?$select=No']);
  t.deepEqual(requests('sets/Tags.html'), ['Tags']);
  // A singleton is a record, although its address has no key.
  t.regex(files.find(({ path }) => path === 'sets/Tags.html')?.text ?? '', /const record [^]*record &#x3D; response\.json\(\)/);
});

function bodiesOf(text: string): readonly string[] {
  const graph = graphOfText(text);
  return graph.entities.flatMap((entity) =>
    examplesOf(entity, graph).flatMap(({ method, body }) => (method === 'POST' && body ? [printJson(body)] : [])),
  );
}

test('an example that creates a record has the required references of its complex values', (t) => {
  const bodies = bodiesOf(`<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
    <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
      ${keyedType('City')}${keyedType('Customer', '<Property Name="Address" Type="Shop.Address" Nullable="false"/>')}
      <ComplexType Name="Address"><Property Name="Street" Type="Edm.String" Nullable="false" MaxLength="4"/>
        <NavigationProperty Name="City" Type="Shop.City" Nullable="false"/></ComplexType>
      <EntityContainer Name="All"><EntitySet Name="Cities" EntityType="Shop.City"/>
        <EntitySet Name="Customers" EntityType="Shop.Customer"><NavigationPropertyBinding Path="Address/City" Target="Cities"/></EntitySet></EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>`);
  t.deepEqual(bodies, ['{"No":9001}', '{"No":9001,"Address":{"Street":"9001","City@odata.bind":"Cities(1)"}}']);
});

function keyOf(...names: readonly string[]): string {
  const refs = names.map((name) => `<PropertyRef Name="${name}"/>`);
  const properties = names.map((name) => `<Property Name="${name}" Type="Edm.Int32" Nullable="false"/>`);
  return `<Key>${refs.join('')}</Key>${properties.join('')}`;
}

test('an example that creates a record names a related one by all parts of its key', (t) => {
  const bodies = bodiesOf(`<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
    <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
      <EntityType Name="Item">${keyOf('Order', 'No')}</EntityType>
      <EntityType Name="Line">${keyOf('Order', 'Item', 'No')}
        <NavigationProperty Name="Parent" Type="Shop.Item" Nullable="false"><ReferentialConstraint Property="Order" ReferencedProperty="Order"/>
          <ReferentialConstraint Property="Item" ReferencedProperty="No"/></NavigationProperty>
      </EntityType>
      <EntityContainer Name="All"><EntitySet Name="Items" EntityType="Shop.Item"/>
        <EntitySet Name="Lines" EntityType="Shop.Line"><NavigationPropertyBinding Path="Parent" Target="Items"/></EntitySet></EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>`);
  t.deepEqual(bodies, ['{"Order":9001,"No":9001}', '{"Order":1,"Item":1,"No":9001}']);
});

test('no example creates a record in a set that takes no key', (t) => {
  const bodies = bodiesOf(`<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01">
    <edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1.xml"><edmx:Include Namespace="Org.OData.Capabilities.V1" Alias="Capabilities"/></edmx:Reference>
    <edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
      ${keyedType('Order', '<Property Name="Note" Type="Edm.String" MaxLength="4" Nullable="false"/>')}
      <EntityContainer Name="All"><EntitySet Name="Orders" EntityType="Shop.Order"/>
        <EntitySet Name="Archive" EntityType="Shop.Order"><Annotation Term="Capabilities.InsertRestrictions"><Record>
          <PropertyValue Property="NonInsertableProperties"><Collection><PropertyPath>No</PropertyPath></Collection></PropertyValue></Record></Annotation></EntitySet></EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>`);
  t.deepEqual(bodies, ['{"No":9001,"Note":"9001"}']);
});

function reference(name: string): string {
  return `<NavigationProperty Name="The${name}" Type="Shop.${name}"><ReferentialConstraint Property="${name}" ReferencedProperty="No"/></NavigationProperty>`;
}

test('an example creates another record than the first sample where the key consists of references', (t) => {
  const bodies = bodiesOf(`<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
    <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
      ${keyedType('Order')}${keyedType('Product')}
      <EntityType Name="Line">${keyOf('Order', 'Product')}${reference('Order')}${reference('Product')}</EntityType>
      <EntityContainer Name="All"><EntitySet Name="Orders" EntityType="Shop.Order"/><EntitySet Name="Products" EntityType="Shop.Product"/>
        <EntitySet Name="Lines" EntityType="Shop.Line"><NavigationPropertyBinding Path="TheOrder" Target="Orders"/>
          <NavigationPropertyBinding Path="TheProduct" Target="Products"/></EntitySet></EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>`);
  t.deepEqual(bodies, ['{"No":9001}', '{"No":9001}', '{"Order":1,"Product":2}']);
});

test('examples address records by a key under an alias with values of its type', (t) => {
  const graph = graphOf('test/toy/aliases.xml');
  const paths = graph.entities.flatMap((entity) =>
    examplesOf(entity, graph).flatMap(({ title, path }) => (title === 'Read one record' ? [path] : [])),
  );
  t.true(paths.includes('Categories(1)'), paths.join(' '));
});

test('no example creates a record whose key neither a body nor the service sets', (t) => {
  // The service generates the number of an order, and the GUIDs of a draft and a note.
  t.deepEqual(bodiesOf(readFileSync('test/samples/reports.xml', 'utf8')), ['{}', '{}', '{}']);
});

test('no example creates a record that must refer to one in no set', (t) => {
  const bodies = bodiesOf(`<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
    <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
      ${keyedType('Sale', '<NavigationProperty Name="Buyer" Type="Shop.Buyer" Nullable="false"/>')}${keyedType('Buyer')}${keyedType('Note')}
      <EntityContainer Name="All"><EntitySet Name="Sales" EntityType="Shop.Sale"/><EntitySet Name="Notes" EntityType="Shop.Note"/></EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>`);
  t.deepEqual(bodies, ['{"No":9001}']);
});
