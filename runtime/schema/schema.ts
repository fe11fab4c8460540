/** A database schema as data, made by the generator; migrations compare two of them, `verify` compares one with a database. */
export interface Schema {
  readonly extensions: readonly string[];
  readonly tables: readonly Table[];
}

/** A table; hints say what a migration needs to know of an earlier schema. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly constraints: readonly Constraint[];
  readonly indexes: readonly Index[];
  /** The numbers of `#id` in each of its partitions; absent where it has none. */
  readonly partitionRows?: number;
  /** Its place on the nodes of a Citus cluster; absent where the coordinator alone has it. */
  readonly distribution?: Distribution;
  /** The entity source of its rows (entity set, singleton or containment), where several tables hold one type. */
  readonly place?: string;
  /** The qualified name of its type; a hint for migrations, not part of the schema. */
  readonly type?: string;
  /** A row that it starts with, SQL by column; a hint for migrations, not part of the schema. */
  readonly row?: { readonly [column: string]: string };
  /** A former table whose rows it takes over; a hint for migrations, not part of the schema. */
  readonly takesOver?: TakeOver;
  /** Possible earlier names, the likeliest first; a hint for migrations, not part of the schema. */
  readonly renamedFrom?: readonly string[];
  /** The earlier names that the model declares; kept, so that a declaration is carried out once. */
  readonly declaredFrom?: readonly string[];
  /** The navigation properties whose links a table of pairs has, by side: the source, then the target. */
  readonly ends?: readonly string[];
  /** The former names of these properties, where the model declares one; a hint. */
  readonly endsFrom?: readonly (string | undefined)[];
  /** Earlier names under which a table of pairs had its two sides swapped; a hint. */
  readonly swappedFrom?: readonly string[];
}

/** Rows distributed by a column, along with those of another table; or copies of all rows on each node. */
export type Distribution = { readonly column: string; readonly along?: string } | 'copied';

/** A former table, and the statements that copy its rows: when the new table is created, and before the former one is dropped. */
export interface TakeOver {
  readonly table: string;
  readonly first: readonly string[];
  readonly last: readonly string[];
}

/** A column; `type`, `default` and `generated` are SQL. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly collation?: string;
  readonly notNull?: true;
  readonly default?: string;
  /** The primary key, a number that the database gives. */
  readonly identity?: true;
  /** The expression of a stored generated column. */
  readonly generated?: string;
  /** The column that it supplements: it is added and dropped with that column, without being a loss. */
  readonly follows?: string;
  /** The properties stored in it together, as texts by name, each as its separate column would be; of a JSON column only. */
  readonly holds?: readonly Column[];
  /** Its OData type, with the length of binary data, where others have the same SQL type; the database does not check it. */
  readonly edm?: string;
  /** The values of the enumeration's members by number; the database does not check them. */
  readonly members?: { readonly [name: string]: string };
  /** Values of the enumeration may combine members. */
  readonly flags?: true;
  /** The values of its closed list; the database does not check them. */
  readonly allowed?: readonly string[];
  /** The qualified names that its values may be: the types of the rows, the table's own first. */
  readonly types?: readonly string[];
  /** Those of `types` that are abstract, so that no row may be of them. */
  readonly abstract?: readonly string[];
  /** The qualified names of the types that have the column, where the table also holds other types. */
  readonly of?: readonly string[];
  /** The types whose rows must have a value, where rows of others have none; the database does not check it. */
  readonly requiredOf?: readonly string[];
  /** The qualified names of the types that its complex or dynamic values may have. */
  readonly valueTypes?: readonly string[];
  /** Whether items may be null, which the database does not check. */
  readonly nullItems?: true;
  /** The type of the items of a text collection that has a length in the model; the database does not check it. */
  readonly items?: string;
  /** The members of its complex values, in the order of the model. */
  readonly within?: readonly ValueMember[];
  /** The earlier names that the model declares; kept, so that a declaration is carried out once. */
  readonly declaredFrom?: readonly string[];
  /** The earlier names of its types, without namespace, by their current names; kept like `declaredFrom`. */
  readonly typesFrom?: { readonly [name: string]: string };
  /** The least and the greatest value; a hint. */
  readonly limits?: {
    readonly minimum?: string;
    readonly exclusiveMinimum?: true;
    readonly maximum?: string;
    readonly exclusiveMaximum?: true;
  };
  /** The value of the column in rows written before it was added; a literal, and a hint. */
  readonly fill?: string;
  /** The `#id` of the row that other columns reference by its key, as an expression; a hint. */
  readonly linkedBy?: string;
  /** The complex type of its values; a hint. */
  readonly complex?: ComplexHint;
}

/** A member of complex values, at any depth; the database does not check it. */
export interface ValueMember extends Pick<Column, FactOfMember> {
  /** The path from the column's value; a member of a derived type follows the type's qualified name. */
  readonly path: string;
  /** Its OData type, in `Collection(...)` for collections; `enumeration` for any enumeration. */
  readonly type: string;
  /** The SQL type that its own column or item would have, where facets restrict the type. */
  readonly sql?: string;
  /** Its earlier name, as the model declares it; kept, so that it is carried out once. */
  readonly renamedFrom?: string;
}

type FactOfMember = 'notNull' | 'edm' | 'members' | 'flags' | 'allowed' | 'of' | 'nullItems' | 'limits' | 'fill' | 'complex';

/** A complex type: its name as decisions are told it, and its qualified name with those of its base types. */
export interface ComplexHint {
  readonly name: string;
  readonly types: readonly string[];
  /** Its values may have other members, too. */
  readonly open?: true;
}

/** A constraint that the database enforces. */
export type Constraint =
  | { readonly kind: 'primary key' | 'unique'; readonly name: string; readonly columns: readonly string[] }
  | { readonly kind: 'check'; readonly name: string; readonly expression: string }
  | ForeignKey;

/** A foreign key: columns that reference a row of another table, and the action on its deletion. */
export interface ForeignKey {
  readonly kind: 'foreign key';
  readonly name: string;
  readonly columns: readonly string[];
  readonly principal: string;
  readonly principalColumns: readonly string[];
  readonly onDelete?: 'cascade' | 'set null';
  readonly deferrable?: true;
}

/** An index; every term is SQL: a quoted column with its options, or an expression in parentheses. */
export interface Index {
  readonly name: string;
  readonly unique?: true;
  /** The access method, by default a b-tree. */
  readonly method?: 'gin' | 'spgist' | 'gist';
  readonly terms: readonly string[];
  /** The predicate of a partial index, as SQL. */
  readonly where?: string;
}
