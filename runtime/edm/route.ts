/** A method that an entity source accepts: `readCollection` and `createEntity` at its address, the others at an entity of it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly operation: OperationName;
  /** Whether a missing entity is created, since clients choose the keys. */
  readonly upsert?: true;
}

/** The operations of routes. */
export type OperationName = 'readCollection' | 'readEntity' | 'createEntity' | 'updateEntity' | 'replaceEntity' | 'deleteEntity';
