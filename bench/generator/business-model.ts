// Counts per entity type, as in the metadata of SAP Business One: 1.2 MB with 400 entity types.
const complexPerType = 1.5;
const membersOfComplex = 11;
const hubs = 5;
const setsOfFirst = 20;

const kinds = ['String', 'String', 'Int32', 'Double', 'String', 'DateTimeOffset', 'String', 'Boolean'];

/**
 * A CSDL document of business software: hubs that every type references and that list it as partner, nested complex
 * types, a type with many entity sets, and an action import per type.
 */
export function businessModel(types: number): string {
  const complex = Math.round(types * complexPerType);
  return [
    '<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">',
    '<edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Test">',
    ...each(complex, complexType),
    ...each(types, (index) => entityType(index, types, complex)),
    ...each(
      types,
      (index) =>
        `<Action Name="Do${index}"><Parameter Name="Value" Type="Test.Line${index}"/><ReturnType Type="Test.Entity${index}"/></Action>`,
    ),
    '<EntityContainer Name="Container">',
    ...each(types, (index) => entitySet(`Set${index}`, index, types)),
    ...each(setsOfFirst, (index) => entitySet(`More${index}`, 0, types)),
    ...each(types, (index) => `<ActionImport Name="Do${index}" Action="Test.Do${index}" EntitySet="Set${index}"/>`),
    '</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>',
  ].join('\n');
}

function each(count: number, print: (index: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, index) => print(index));
}

function properties(count: number): readonly string[] {
  return each(count, (at) => `  <Property Name="Field${at}" Type="Edm.${kinds[at % kinds.length]}"/>`);
}

function complexType(index: number): string {
  const nested = index % 3 === 2 ? [`  <Property Name="Nested" Type="Collection(Test.Line${index - 1})"/>`] : [];
  return [`<ComplexType Name="Line${index}">`, ...properties(membersOfComplex), ...nested, '</ComplexType>'].join('\n');
}

function entityType(index: number, types: number, complex: number): string {
  return [
    `<EntityType Name="Entity${index}"><Key><PropertyRef Name="Code"/></Key><Property Name="Code" Type="Edm.Int32" Nullable="false"/>`,
    ...properties(index === 0 ? 200 : 7),
    `  <Property Name="Lines" Type="Collection(Test.Line${(index * 3) % complex})"/>`,
    `  <Property Name="Address" Type="Test.Line${(index * 5) % complex}"/>`,
    ...navigationOf(index, types).map(
      ({ name, target, collection, partner }) =>
        `  <NavigationProperty Name="${name}" Type="${collection ? `Collection(Test.Entity${target})` : `Test.Entity${target}`}" Partner="${partner}"/>`,
    ),
    '</EntityType>',
  ].join('\n');
}

function navigationOf(index: number, types: number) {
  if (index >= hubs) return [{ name: 'Hub', target: index % hubs, collection: false, partner: `Children${index}` }];
  return Array.from({ length: types }, (_, at) => at)
    .filter((at) => at >= hubs && at % hubs === index)
    .map((at) => ({ name: `Children${at}`, target: at, collection: true, partner: 'Hub' }));
}

function entitySet(name: string, index: number, types: number): string {
  const bindings = navigationOf(index, types).map(
    ({ name: path, target }) => `<NavigationPropertyBinding Path="${path}" Target="Set${target}"/>`,
  );
  return `  <EntitySet Name="${name}" EntityType="Test.Entity${index}">${bindings.join('')}</EntitySet>`;
}
