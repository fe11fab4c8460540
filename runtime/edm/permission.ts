/** A scope that permits an operation, with the properties that it hides. */
export interface Permission {
  readonly scope: string;
  readonly except: readonly string[];
  /** The row filter of the scope as a `$filter` expression; absent where it permits all entities. */
  readonly rows?: string;
}

/** Conditions on the stored entity for changes and deletions by anyone, as `$filter` expressions. */
export interface RecordConditions {
  readonly update?: string;
  readonly delete?: string;
}

/** Permissions by operation; `undefined` means that any token suffices. */
export interface Permissions {
  readonly read: readonly Permission[] | undefined;
  /** Permissions to read by key; by default those of the collection. */
  readonly readByKey?: readonly Permission[];
  readonly insert: readonly Permission[] | undefined;
  readonly update: readonly Permission[] | undefined;
  readonly delete: readonly Permission[] | undefined;
}
