/** One row of a route table; `path` is `/Set`, `/Set({key})` or `/Singleton`, of contained records `/Type/Property` with or without a key. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly operation: OperationName;
  /** What is not there yet is created, since clients choose the keys. */
  readonly upsert?: true;
}

/** The names of the operations that a route may lead to. */
export type OperationName = 'readCollection' | 'readEntity' | 'createEntity' | 'updateEntity' | 'replaceEntity' | 'deleteEntity';
