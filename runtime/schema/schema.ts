/** A database's schema as data: the generator makes it, migrations compare two of them, and `verify` holds a database to it. */
export interface Schema {
  readonly extensions: readonly string[];
  readonly tables: readonly Table[];
}

/** A table as it should be; hints tell a migration what it was. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly constraints: readonly Constraint[];
  readonly indexes: readonly Index[];
  /** The set, singleton or containment whose records it has; several tables of one type are told apart by it. */
  readonly place?: string;
  /** A row that it has from the beginning, SQL by column; a hint for migrations, no part of the schema. */
  readonly row?: { readonly [column: string]: string };
  /** What it may have been called before, the likeliest first; a hint for migrations, no part of the schema. */
  readonly renamedFrom?: readonly string[];
  /** Likewise, of pairs that had their two sides the other way round. */
  readonly swappedFrom?: readonly string[];
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
  /** Computed from the other columns of the row, and stored. */
  readonly generated?: string;
  /** The column that it tells more of, so that it comes and goes with it and is no loss of its own. */
  readonly follows?: string;
  /** The properties whose values lie in it together, as texts by name, each as the column that it would have; of a JSON column only. */
  readonly holds?: readonly Column[];
  /** The names that its numbers have, of an enumeration; the database does not know them, but rows mean them. */
  readonly members?: { readonly [name: string]: string };
  /** The qualified names that its values may be: a record's own type, that of the table first. */
  readonly types?: readonly string[];
  /** The qualified names of the types that have it, where the table has records of others, too. */
  readonly of?: readonly string[];
  /** The qualified names that complex values in it may say they are of. */
  readonly valueTypes?: readonly string[];
  /** The items of its values may be null, which the database does not look at. */
  readonly nullItems?: true;
  /** The type of the items of a collection of texts, where the model gives them a length, which the database does not look at. */
  readonly items?: string;
  /** What complex values in it are made of, in the order of the model. */
  readonly within?: readonly ValueMember[];
  /** What it may have been called before, the likeliest first; a hint for migrations, no part of the schema. */
  readonly renamedFrom?: readonly string[];
  /** What its types were called before, without namespace, by their names now; a hint as well. */
  readonly typesFrom?: { readonly [name: string]: string };
  /** What rows have that were written before the column was; a literal, and likewise a hint. */
  readonly fill?: string;
  /** The number of the record that other columns of the row name by its key, as an expression; a hint as well. */
  readonly linkedBy?: string;
  /** Not all is known of what values in it were made of: the format of the old schema that told of it; a hint as well. */
  readonly untold?: number;
}

/** A member of complex values, however deep; the database does not know it, but rows mean it. */
export interface ValueMember {
  /** The names that lead to it from the column's value; where a derived type adds it, behind that type's qualified name. */
  readonly path: string;
  /** Its OData type, `Collection(...)` around that of many; `enumeration` for any of those. */
  readonly type: string;
  readonly notNull?: true;
  /** The names of members beside it of which one, or it, is there: those of the sets that it leads to one record of. */
  readonly instead?: readonly string[];
  /** The SQL type that a column of its own would have, or each of its items, where facets say more than the type. */
  readonly sql?: string;
  /** Its items may be null. */
  readonly nullItems?: true;
  /** The names that its numbers have, of an enumeration. */
  readonly members?: { readonly [name: string]: string };
  /** The types that have it, where not all do. */
  readonly of?: readonly string[];
  /** Its values are of a type that they lie within, so that their members are not told again; true where it is not told which, or not told at all. */
  readonly again?: true | ValueAround;
  /** What it was called before; a hint for migrations, no part of the schema. */
  readonly renamedFrom?: string;
  /** What values have that were written before it was; a literal, and likewise a hint. */
  readonly fill?: string;
}

/** A value that others of its type lie within. */
export interface ValueAround {
  /** The path that leads to it; empty for the column's own value. */
  readonly at: string;
  /** The type that a value is of which says none, where that is derived from the one that is declared there. */
  readonly as?: string;
}

/** What the database itself refuses, so that it holds whoever writes. */
export type Constraint =
  | { readonly kind: 'primary key' | 'unique'; readonly name: string; readonly columns: readonly string[] }
  | { readonly kind: 'check'; readonly name: string; readonly expression: string }
  | ForeignKey;

/** Columns that name a row of another table, and what becomes of this row when that one goes. */
export interface ForeignKey {
  readonly kind: 'foreign key';
  readonly name: string;
  readonly columns: readonly string[];
  readonly principal: string;
  readonly principalColumns: readonly string[];
  readonly onDelete?: 'cascade' | 'set null';
  readonly deferrable?: true;
  /** The row that it names leads back by it, and no other one leads there; the service keeps to that, and the database does not know it. */
  readonly mutual?: Mutual;
}

/** A navigation property that is its own partner. */
export interface Mutual {
  readonly property: string;
  /** Each row names one. */
  readonly required?: true;
}

/** An index; every term is SQL, a quoted column with what follows it or an expression in parentheses. */
export interface Index {
  readonly name: string;
  readonly unique?: true;
  /** The access method; a b-tree where it is left out. */
  readonly method?: 'gin' | 'spgist' | 'gist';
  readonly terms: readonly string[];
  /** Rows that it is limited to, as SQL. */
  readonly where?: string;
}
