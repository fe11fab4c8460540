/** A join table, whose rows relate ids of two tables. */
export interface JoinTable {
  readonly name: string;
  /** The side that names it, followed by the other one. */
  readonly sides: readonly JoinSide[];
  readonly columns: readonly JoinColumn[];
}

/** A collection-valued navigation property, as it names a join table. */
export interface JoinSide {
  /** The qualified name, and the form in the table's name. */
  readonly type: string;
  readonly name: string;
  readonly property: string;
  readonly suffix: string;
}

/** The column of one side, and the effect of deleting its row. */
export interface JoinColumn {
  readonly column: string;
  readonly principal: string;
  readonly onDelete: 'cascade' | 'no action';
}

/** An internal column that references another row's `#id`. */
export interface InternalColumn {
  readonly column: string;
  readonly nullable: boolean;
  /** SQL of the optional complex value with the required reference; rows with the value must have the reference. */
  readonly value?: string;
}

/** A foreign key. */
export interface Relation {
  readonly columns: readonly string[];
  readonly principal: string;
  readonly principalColumns: readonly string[];
  readonly onDelete: 'cascade' | 'set null' | 'no action';
  /** The internal column with the principal's `#id`, because its key may change. */
  readonly internal: InternalColumn | undefined;
}
