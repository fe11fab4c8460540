import { noDecisions, type Decisions } from '../../generator/migrate/step.js';

/** One change of the model in test/migrate/first.xml: texts taken out and put in, and what somebody decides about it. */
export interface ModelChange {
  readonly what: string;
  readonly edits: readonly (readonly [from: string, to: string])[];
  readonly decisions?: Partial<Decisions>;
  /** The content of the orders table from here on, by the number of the row; `undefined` for a deleted row. */
  readonly holds: { readonly [column: string]: string | undefined };
}

/** The initial rows. */
export const firstValues: ModelChange['holds'] = {
  Number: "'N' || i",
  City: "'Town ' || i % 50",
  Amount: 'i * 1.25',
  Pieces: 'nullif(i % 7, 0)',
  Colour: "nullif((array['red', 'green', ''])[1 + i % 3], '')",
  Remark: "'remark ' || i",
  Old: 'i % 2 = 0',
  CustomerCode: "'C' || i % 10",
};

/** Ten changes, each on top of the one before. */
export const modelChanges: readonly ModelChange[] = [
  {
    what: 'an optional property and an index on it',
    edits: [
      ['<Property Name="Remark"', '<Property Name="Sent" Type="Edm.DateTimeOffset" Precision="0"/><Property Name="Remark"'],
      ['<PropertyPath>Pieces</PropertyPath>', '<PropertyPath>Pieces</PropertyPath><PropertyPath>Sent</PropertyPath>'],
    ],
    holds: { Sent: 'null' },
  },
  {
    what: 'a required property with a default',
    edits: [
      [
        '<Property Name="Remark"',
        '<Property Name="Status" Type="Edm.String" Nullable="false" MaxLength="10" DefaultValue="New"/><Property Name="Remark"',
      ],
    ],
    holds: { Status: "'New'" },
  },
  {
    what: 'a property renamed, which an index and the words of $search stand on',
    edits: [
      [
        '<Property Name="City" Type="Edm.String" MaxLength="50"><Annotation Term="Rules.Searchable"/>',
        '<Property Name="Town" Type="Edm.String" MaxLength="50"><Annotation Term="Rules.Searchable"/><Annotation Term="Rules.RenamedFrom" String="City"/>',
      ],
      ['<PropertyPath>City</PropertyPath>', '<PropertyPath>Town</PropertyPath>'],
    ],
    holds: { City: undefined, Town: "'Town ' || i % 50" },
  },
  {
    what: 'longer texts, of a searched property as well',
    edits: [
      ['Name="Town" Type="Edm.String" MaxLength="50"', 'Name="Town" Type="Edm.String" MaxLength="200"'],
      ['Name="Remark" Type="Edm.String" MaxLength="100"', 'Name="Remark" Type="Edm.String"'],
    ],
    holds: {},
  },
  {
    what: 'a property that is now required',
    edits: [
      [
        '<Property Name="Colour" Type="Edm.String" MaxLength="20"/>',
        '<Property Name="Colour" Type="Edm.String" Nullable="false" MaxLength="20"/>',
      ],
    ],
    decisions: { fills: new Map([['Order/Colour', "'none'"]]) },
    holds: { Colour: "coalesce(nullif((array['red', 'green', ''])[1 + i % 3], ''), 'none')" },
  },
  {
    what: 'wider numbers',
    edits: [
      ['<Property Name="Pieces" Type="Edm.Int32"/>', '<Property Name="Pieces" Type="Edm.Int64"/>'],
      ['Precision="12" Scale="2"', 'Precision="16" Scale="4"'],
    ],
    holds: {},
  },
  {
    what: 'a new type that belongs to what is there, and a longer key that a foreign key stands on',
    edits: [
      [
        '<EntityContainer',
        '<EntityType Name="Line"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="OrderNumber" Type="Edm.String" Nullable="false" MaxLength="20"/><NavigationProperty Name="Order" Type="Self.Order" Nullable="false"><ReferentialConstraint Property="OrderNumber" ReferencedProperty="Number"/></NavigationProperty></EntityType><EntityContainer',
      ],
      [
        '<EntitySet Name="Customers" EntityType="Self.Customer"/>',
        '<EntitySet Name="Customers" EntityType="Self.Customer"/><EntitySet Name="Lines" EntityType="Self.Line"><NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>',
      ],
      [
        '<Property Name="Code" Type="Edm.String" Nullable="false" MaxLength="20"/>',
        '<Property Name="Code" Type="Edm.String" Nullable="false" MaxLength="40"/>',
      ],
      [
        '<Property Name="CustomerCode" Type="Edm.String" Nullable="false" MaxLength="20"/>',
        '<Property Name="CustomerCode" Type="Edm.String" Nullable="false" MaxLength="40"/>',
      ],
    ],
    holds: {},
  },
  {
    what: 'one value that becomes a collection, and a number that becomes a text',
    edits: [
      [
        '<Property Name="Colour" Type="Edm.String" Nullable="false" MaxLength="20"/>',
        '<Property Name="Colour" Type="Collection(Edm.String)"/>',
      ],
      ['<Property Name="Pieces" Type="Edm.Int64"/>', '<Property Name="Pieces" Type="Edm.String" MaxLength="30"/>'],
    ],
    holds: { Colour: "array[coalesce(nullif((array['red', 'green', ''])[1 + i % 3], ''), 'none')]", Pieces: 'nullif(i % 7, 0)::text' },
  },
  {
    what: 'a type renamed, with its table, keys, indexes and what refers to it',
    edits: [
      ['<EntityType Name="Order">', '<EntityType Name="Purchase"><Annotation Term="Rules.RenamedFrom" String="Order"/>'],
      ['EntityType="Self.Order"', 'EntityType="Self.Purchase"'],
      ['Type="Self.Order"', 'Type="Self.Purchase"'],
    ],
    holds: {},
  },
  {
    what: 'a property that is dropped by name, one that may be null again, another key, and no index',
    edits: [
      ['<Property Name="Old" Type="Edm.Boolean" Nullable="false"/>', ''],
      [
        '<Property Name="Status" Type="Edm.String" Nullable="false" MaxLength="10" DefaultValue="New"/>',
        '<Property Name="Status" Type="Edm.String" MaxLength="10"><Annotation Term="Rules.Searchable"/></Property>',
      ],
      [
        '<Key><PropertyRef Name="Code"/></Key>',
        '<Key><PropertyRef Name="Code"/></Key><Property Name="Vat" Type="Edm.String" MaxLength="20"/>',
      ],
      [
        '<Record><PropertyValue Property="Properties"><Collection><PropertyPath>Town</PropertyPath></Collection></PropertyValue></Record>',
        '',
      ],
    ],
    decisions: { dropped: new Set(['Purchase/Old']) },
    holds: { Old: undefined },
  },
];

/** The model after a change. */
export function editModel(model: string, { what, edits }: ModelChange): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${what}: the model has no ${from}`);
    return text.replace(from, () => to);
  }, model);
}

/** All that is decided about a change. */
export function decisionsOf({ decisions }: ModelChange): Decisions {
  return { ...noDecisions, ...decisions };
}
