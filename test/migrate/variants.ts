/** A part of a small model in one of its forms; `property` is where its values are in the table of things, the same in every form that keeps them. */
interface Variant {
  /** Properties and navigation properties of Thing. */
  readonly thing?: string;
  /** Likewise of Owner. */
  readonly owner?: string;
  /** Types in addition to the two. */
  readonly types?: string;
  /** Members of the container. */
  readonly members?: string;
  /** Within the element of the set of things. */
  readonly set?: string;
  /** Attributes of the type Thing. */
  readonly attributes?: string;
  readonly property?: Stored;
}

/** A column, or a member of the shared one; values of one kind are kept from one form to another. */
export interface Stored {
  readonly name: string;
  readonly kind: string;
}

const text = (name: string, facets: string, kind = 'text', more = ''): Variant => ({
  thing: `<Property Name="${name}" Type="Edm.String" ${facets}>${more}</Property>`,
  property: { name, kind },
});
const typed = (name: string, type: string, kind: string, more = ''): Variant => ({
  thing: `<Property Name="${name}" ${type}>${more}</Property>`,
  property: { name, kind },
});
const was = (name: string): string => `<Annotation Term="Rules.RenamedFrom" String="${name}"/>`;
const indexes = (...lists: readonly string[]): string =>
  `<Annotation Term="Rules.Indexes"><Collection>${lists
    .map(
      (names) =>
        `<Record><PropertyValue Property="Properties"><Collection>${names
          .split(' ')
          .map((name) => `<PropertyPath>${name}</PropertyPath>`)
          .join('')}</Collection></PropertyValue></Record>`,
    )
    .join('')}</Collection></Annotation>`;
const part =
  '<EntityType Name="Part"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="What" Type="Edm.String"/></EntityType>';
const setting =
  '<EntityType Name="Setting"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="Value" Type="Edm.String"/></EntityType>';
const wide = (count: number): string =>
  Array.from({ length: count }, (_, index) => `<Property Name="W${String(index).padStart(3, '0')}" Type="Edm.String"/>`).join('');

// oxfmt-ignore
/** The forms of every part; the first is the one that a small model has most often. */
export const parts = {
  front: [{}, { thing: wide(290) }, { thing: wide(297) }, { thing: wide(304) }],
  note: [text('Note', 'MaxLength="50"'), text('Note', 'MaxLength="90"'), {}, text('Remark', 'MaxLength="50"', 'text', was('Note')), { ...text('Note', 'MaxLength="60"', 'text', was('Remark')) }],
  amount: [typed('Amount', 'Type="Edm.Decimal" Precision="10" Scale="2"', 'amount'), typed('Amount', 'Type="Edm.Decimal" Precision="12" Scale="2"', 'amount'), {}, typed('Price', 'Type="Edm.Decimal" Precision="10" Scale="2"', 'amount', was('Amount')), typed('Amount', 'Type="Edm.Int32"', 'count')],
  count: [typed('Count', 'Type="Edm.Int32"', 'number'), typed('Count', 'Type="Edm.Int64"', 'number'), typed('Count', 'Type="Edm.String"', 'number'), typed('Count', 'Type="Edm.Int32" Nullable="false" DefaultValue="4"', 'number'), {}],
  flag: [{}, typed('Flag', 'Type="Edm.Boolean" Nullable="false" DefaultValue="true"', 'flag'), typed('Flag', 'Type="Edm.Boolean"', 'flag'), typed('Flag', 'Type="Edm.Boolean" Nullable="false"', 'flag')],
  tags: [{}, typed('Tags', 'Type="Collection(Edm.String)" Nullable="false"', 'tags'), typed('Labels', 'Type="Collection(Edm.String)" Nullable="false"', 'tags', was('Tags'))],
  home: [{}, typed('Home', 'Type="Self.Address"', 'address'), typed('Homes', 'Type="Collection(Self.Address)"', 'addresses')],
  moment: [{}, typed('Moment', 'Type="Edm.DateTimeOffset" Precision="3"', 'moment'), typed('At', 'Type="Edm.DateTimeOffset" Precision="6"', 'moment', was('Moment'))],
  colour: [{}, typed('Colour', 'Type="Self.Colour"', 'colour'), typed('Shade', 'Type="Self.Colour"', 'colour', was('Colour'))],
  photo: [{}, { thing: '<Property Name="Photo" Type="Edm.Stream"/>', property: { name: '#Photo.stream', kind: 'photo' } }, { thing: `<Property Name="Picture" Type="Edm.Stream">${was('Photo')}</Property>`, property: { name: '#Picture.stream', kind: 'photo' } }],
  media: [{}, { attributes: 'HasStream="true"', property: { name: '#$value.stream', kind: 'media' } }],
  open: [{}, { attributes: 'OpenType="true"', property: { name: '#open', kind: 'open' } }],
  derived: [{}, { types: '<EntityType Name="Special" BaseType="Self.Thing"><Property Name="Extra" Type="Edm.Int32"/></EntityType>', property: { name: 'Extra', kind: 'extra' } }, { types: `<EntityType Name="Peculiar" BaseType="Self.Thing">${was('Special')}<Property Name="Bonus" Type="Edm.Int32">${was('Extra')}</Property></EntityType>`, property: { name: 'Bonus', kind: 'extra' } }],
  contained: [{}, { types: part, thing: '<NavigationProperty Name="Parts" Type="Collection(Self.Part)" ContainsTarget="true"/>' }, { types: part, thing: `<NavigationProperty Name="Pieces" Type="Collection(Self.Part)" ContainsTarget="true">${was('Parts')}</NavigationProperty>` }, { types: part, thing: '<NavigationProperty Name="Parts" Type="Collection(Self.Part)" ContainsTarget="true"/>', owner: '<NavigationProperty Name="Parts" Type="Collection(Self.Part)" ContainsTarget="true"/>' }, { types: part, members: '<EntitySet Name="Parts" EntityType="Self.Part"/>' }],
  singleton: [{}, { types: setting, members: '<Singleton Name="Main" Type="Self.Setting"/>' }, { members: '<Singleton Name="First" Type="Self.Thing"/>' }, { types: setting, members: `<Singleton Name="Top" Type="Self.Setting">${was('Main')}</Singleton>` }],
  others: [{}, { members: '<EntitySet Name="Others" EntityType="Self.Thing"/>' }, { members: `<EntitySet Name="More" EntityType="Self.Thing">${was('Others')}</EntitySet>` }],
  many: [{}, { thing: '<NavigationProperty Name="Owners" Type="Collection(Self.Owner)"/>' }, { thing: '<NavigationProperty Name="Owners" Type="Collection(Self.Owner)" Partner="Held"/>', owner: '<NavigationProperty Name="Held" Type="Collection(Self.Thing)" Partner="Owners"/>' }, { thing: `<NavigationProperty Name="Holders" Type="Collection(Self.Owner)">${was('Owners')}</NavigationProperty>` }],
  back: [{}, { owner: '<NavigationProperty Name="Things" Type="Collection(Self.Thing)"/>' }],
  one: [{}, { thing: '<NavigationProperty Name="Owner" Type="Self.Owner"/>', property: { name: '#Owner', kind: 'one' } }, { thing: `<NavigationProperty Name="Keeper" Type="Self.Owner">${was('Owner')}</NavigationProperty>`, property: { name: '#Keeper', kind: 'one' } }, { thing: '<NavigationProperty Name="Owner" Type="Self.Owner" Nullable="false"/>', property: { name: '#Owner', kind: 'one' } }],
  constraint: [{}, { thing: '<Property Name="OwnerCode" Type="Edm.String" MaxLength="20"/><NavigationProperty Name="Payer" Type="Self.Owner"><ReferentialConstraint Property="OwnerCode" ReferencedProperty="Code"/></NavigationProperty>', property: { name: 'OwnerCode', kind: 'code' } }],
  search: [{}, text('Title', 'MaxLength="50"', 'title', '<Annotation Term="Rules.Searchable"/>'), text('Title', 'MaxLength="50"', 'title'), text('Heading', 'MaxLength="80"', 'title', `<Annotation Term="Rules.Searchable"/>${was('Title')}`)],
  index: [{}, { set: indexes('Code') }, { set: indexes('Code Id', 'Id') }],
  rows: [{}, { set: `<Annotation Term="Capabilities.ReadRestrictions"><Record><PropertyValue Property="Permissions"><Collection><Record><PropertyValue Property="SchemeName" String="OAuth2"/><PropertyValue Property="Scopes"><Collection><Record><PropertyValue Property="Scope" String="reader"/></Record></Collection></PropertyValue></Record></Collection></PropertyValue></Record></Annotation><Annotation Term="Rules.RowRules"><Collection><Record><PropertyValue Property="Scope" String="reader"/><PropertyValue Property="Filter" String="Id ne 4"/></Record></Collection></Annotation>` }],
  back2: [{}, { thing: wide(20).replaceAll('"W', '"X') }],
} as const satisfies { readonly [part: string]: readonly [Variant, ...Variant[]] };

type PartName = keyof typeof parts;

/** Which form every part has. */
export type Choice = { readonly [Part in PartName]?: number };

/** The kinds of the type and its key. */
export interface Shape {
  readonly name: 'Thing' | 'Item';
  readonly key: 'Id' | 'Code' | 'Id Code' | 'alias';
  readonly storage: boolean;
  readonly namespace: 'Shop' | 'Shop.V2';
}

export const names = Object.keys(parts) as readonly PartName[];

/** The forms that are chosen. */
export function chosen(choice: Choice): ReadonlyMap<PartName, Variant> {
  return new Map(names.map((part) => [part, parts[part][choice[part] ?? 0] ?? {}]));
}

/** A model as CSDL. */
export function printModel(choice: Choice, { name, key, storage, namespace }: Shape): string {
  const all = [...chosen(choice).values()];
  const join = (member: 'thing' | 'owner' | 'types' | 'members' | 'set' | 'attributes'): string =>
    all
      .map((variant) => variant[member] ?? '')
      .join(' ')
      .trim();
  const hints = `${name === 'Item' ? was('Thing') : was('Item')}${storage ? '<Annotation Term="Rules.Storage" String="things"/>' : ''}`;
  const refs =
    key === 'alias'
      ? '<PropertyRef Name="Spot/Number" Alias="Nr"/>'
      : key
          .split(' ')
          .map((each) => `<PropertyRef Name="${each}"/>`)
          .join('');
  return `<?xml version="1.0" encoding="utf-8"?><edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01">
<edmx:Reference Uri="https://gable.example/ServiceRules.V1.xml"><edmx:Include Namespace="ServiceRules.V1" Alias="Rules"/></edmx:Reference>
<edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1.xml"><edmx:Include Namespace="Org.OData.Capabilities.V1" Alias="Capabilities"/></edmx:Reference>
<edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="${namespace}" Alias="Self">
<EnumType Name="Colour"><Member Name="Red" Value="1"/><Member Name="Green" Value="2"/><Member Name="Blue" Value="3"/></EnumType>
<ComplexType Name="Address"><Property Name="Street" Type="Edm.String"/></ComplexType>
<ComplexType Name="Spot"><Property Name="Number" Type="Edm.Int32" Nullable="false"/></ComplexType>
<EntityType Name="Owner"><Key><PropertyRef Name="Code"/></Key><Property Name="Code" Type="Edm.String" Nullable="false" MaxLength="20"/>${join('owner')}</EntityType>
<EntityType Name="Thing" ${join('attributes')}>${hints}<Key>${refs}</Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="Code" Type="Edm.String" Nullable="false" MaxLength="20"/><Property Name="Spot" Type="Self.Spot" Nullable="false"/>${join('thing')}</EntityType>
${join('types')}<EntityContainer Name="Container"><EntitySet Name="Owners" EntityType="Self.Owner"/><EntitySet Name="Things" EntityType="Self.Thing">${join('set')}</EntitySet>${join('members')}</EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`
    .replaceAll('Name="Thing"', `Name="${name}"`)
    .replaceAll('Self.Thing', `Self.${name}`);
}
