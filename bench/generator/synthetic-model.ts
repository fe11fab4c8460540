/** How large a made model is. */
interface ModelSize {
  readonly properties: number;
  /** Properties of each entity type; the last one has the rest. */
  readonly perType: number;
}

// The kinds of properties in about the proportions of real models: half of them texts, a fifth value lists.
const kinds = [
  'Type="Edm.String" MaxLength="50"',
  'Type="Edm.String" MaxLength="255"',
  'Type="Edm.Decimal" Precision="14" Scale="2"',
  'Type="Edm.Boolean"',
  'Type="Test.Choice#"',
  'Type="Edm.String" MaxLength="1024"',
  'Type="Edm.Int32"',
  'Type="Edm.DateTimeOffset" Precision="3"',
  'Type="Collection(Test.Choice#)"',
  'Type="Edm.String" MaxLength="80"',
];
const choices = 20;

/** A CSDL document with a number of properties: related entity types, an entity set each, and enumerations. */
export function syntheticModel({ properties, perType }: ModelSize): string {
  const count = Math.ceil(properties / perType);
  const sizes = Array.from({ length: count }, (_, type) => Math.min(perType, properties - type * perType));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01">',
    '<edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Test">',
    ...Array.from({ length: choices }, (_, index) => enumType(index)),
    ...sizes.map((size, type) => entityType(type, size)),
    '<EntityContainer Name="Container">',
    ...sizes.map((_, type) => entitySet(type)),
    '</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>',
  ].join('\n');
}

function enumType(index: number): string {
  const members = Array.from({ length: 30 }, (_, member) => `  <Member Name="Value${index}x${member}" Value="${member}"/>`);
  return `<EnumType Name="Choice${index}">\n${members.join('\n')}\n</EnumType>`;
}

// The key counts as a property, and so does the foreign key that references the previous type.
function entityType(type: number, size: number): string {
  const own = [
    '  <Property Name="Key" Type="Edm.String" Nullable="false" MaxLength="36"/>',
    ...(type > 0 ? ['  <Property Name="OwnerKey" Type="Edm.String" MaxLength="36"/>'] : []),
  ];
  const others = Array.from(
    { length: Math.max(0, size - own.length) },
    (_, index) =>
      `  <Property Name="Field${index}" ${(kinds[index % kinds.length] ?? '').replace('#', String((type + index) % choices))}/>`,
  );
  const owner =
    type > 0
      ? [
          `  <NavigationProperty Name="Owner" Type="Test.Type${type - 1}"><ReferentialConstraint Property="OwnerKey" ReferencedProperty="Key"/></NavigationProperty>`,
        ]
      : [];
  return [`<EntityType Name="Type${type}">`, '  <Key><PropertyRef Name="Key"/></Key>', ...own, ...others, ...owner, '</EntityType>'].join(
    '\n',
  );
}

function entitySet(type: number): string {
  const binding = type > 0 ? `<NavigationPropertyBinding Path="Owner" Target="Set${type - 1}"/>` : '';
  return `  <EntitySet Name="Set${type}" EntityType="Test.Type${type}">${binding}</EntitySet>`;
}
