/** A scope that permits an operation, and the properties it does not show. */
export interface Permission {
  readonly scope: string;
  readonly except: readonly string[];
  /** What records must meet for the scope to permit it, in the words of `$filter`; absent where it permits it on all of them. */
  readonly rows?: string;
}

/** What a record must meet as it is stored before anybody may change or delete it, in the words of `$filter`. */
export interface RecordConditions {
  readonly update?: string;
  readonly delete?: string;
}

/** Permissions by operation; `undefined` means that every token will do. */
export interface Permissions {
  readonly read: readonly Permission[] | undefined;
  /** To read a record by its key; absent where those of the collection hold for that too. */
  readonly readByKey?: readonly Permission[];
  readonly insert: readonly Permission[] | undefined;
  readonly update: readonly Permission[] | undefined;
  readonly delete: readonly Permission[] | undefined;
}
