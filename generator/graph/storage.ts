import type { EnumType, Field } from '../../runtime/edm/field.js';
import type { EntitySet, NavigationProperty, Property, Singleton } from '../csdl/csdl.js';

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

/**
 * A generated column for a property nested in a complex value that a key or foreign key uses, or a key property with an
 * alias.
 */
export interface PathColumn {
  /** The path from the entity type: `Info/ID`. */
  readonly path: string;
  readonly column: string;
  readonly property: Property;
  readonly field: Omit<Field, 'enumeration'>;
  readonly enumeration?: EnumType | undefined;
  /**
   * SQL over the column of the complex value: the text, and a cast to its type; none where the property has a column.
   */
  readonly generated: string | undefined;
}

/** An entity source of a type and its derived types, each with its own table. */
export interface Place {
  readonly kind: 'EntitySet' | 'Singleton' | 'Containment';
  /** The name of the set or singleton; `Type.Property` for a containment. */
  readonly name: string;
  /** Qualified name of its declared type. */
  readonly declared: string;
  /** The set or singleton. */
  readonly member?: EntitySet | Singleton;
  /** The containment: a navigation property, and the qualified name of its declaring type. */
  readonly containment?: { readonly owner: string; readonly property: NavigationProperty };
}

/** The division of a table that outgrows one table or one machine. */
export interface StorageLayout {
  readonly at: number;
  /** The numbers of a partition; absent where the table has none. */
  readonly partitionRows?: number;
  /** Days for which a partition is kept after its last row. */
  readonly keptDays?: number;
  /** Whether rows are distributed over the nodes of a Citus cluster. */
  readonly distributed: boolean;
}
