/** A hierarchy over the entities of a type (Data Aggregation 5.5.1). */
interface RecursiveHierarchy {
  /** The property that identifies a node. */
  readonly node: string;
  /** The navigation property to a node's parent. */
  readonly parent: string;
}

/** The recursive hierarchies of a type, by qualifier. */
export type RecursiveHierarchies = { readonly [qualifier: string]: RecursiveHierarchy };
