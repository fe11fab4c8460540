/** A table whose rows relate records of two tables by their numbers. */
export interface JoinTable {
  readonly name: string;
  /** What it is named after, and after that what it would be named after from the other side. */
  readonly sides: readonly JoinSide[];
  readonly columns: readonly JoinColumn[];
}

/** A navigation property to many, by the names that a table is called by. */
export interface JoinSide {
  /** Qualified, and as the table's name has it. */
  readonly type: string;
  readonly name: string;
  readonly property: string;
  readonly suffix: string;
}

/** The column of one side, and what is to become of a row where its record is deleted. */
export interface JoinColumn {
  readonly column: string;
  readonly principal: string;
  readonly onDelete: 'cascade' | 'no action';
}

/** The column with another record's number. */
export interface InternalColumn {
  readonly column: string;
  readonly nullable: boolean;
  /** SQL of the complex value that leads there at any time, which not every record has; whoever has it has a number. */
  readonly value?: string;
}

/** A foreign key. */
export interface Relation {
  readonly columns: readonly string[];
  readonly principal: string;
  readonly principalColumns: readonly string[];
  readonly onDelete: 'cascade' | 'set null' | 'no action';
  /** The internal column holds the principal's number, because its key may change. */
  readonly internal: InternalColumn | undefined;
}
