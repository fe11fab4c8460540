/** Changes of a set besides creates by JSON and updates: `createMedia` creates a media entity from its bytes. */
export type ChangeName = 'createMedia' | 'replace' | 'delete';

/** The types of one entity set: its records, keys and bodies, its further changes, and the operations bound to them. */
export interface SetOf<
  Entity,
  KeyName extends string = never,
  Key = never,
  Create = never,
  Update = never,
  Changes extends ChangeName = never,
  Bound = object,
  BoundToSet = object,
> {
  readonly entity: Entity;
  /** The names of the key properties, which every record has that stands for itself. */
  readonly keyName: KeyName;
  readonly key: Key;
  readonly create: Create;
  readonly update: Update;
  readonly changes: Changes;
  readonly bound: Bound;
  readonly boundToSet: BoundToSet;
}

/** Any entity set. */
export type AnySet = SetOf<object, string, unknown, unknown, unknown, ChangeName, unknown, unknown>;

/** The types of a singleton. */
export interface SingletonOf<Entity, Update = never, Bound = object> {
  readonly singleton: Entity;
  readonly update: Update;
  readonly bound: Bound;
}

/** Any singleton. */
export type AnySingleton = SingletonOf<object, unknown, unknown>;

/** An operation: its parameters, and its result. */
export interface OperationOf<Parameters, Result> {
  readonly parameters: Parameters;
  readonly result: Result;
}

/** An action or function as the client calls it; types of parameters by name, without `Edm.`. */
export interface OperationRow {
  readonly name: string;
  readonly isFunction?: true;
  /** The result is the member `value` of the response: it is a collection or no record. */
  readonly hasValue?: true;
  readonly parameters?: { readonly [name: string]: string };
}

/** Operations by the names under which they are called. */
export interface OperationRows {
  readonly [name: string]: OperationRow;
}

/** An entity set or singleton: the types of its key properties, without `Edm.`, and its bound operations. */
export interface SetRow {
  /** Absent for a singleton. */
  readonly key?: { readonly [name: string]: string };
  readonly bound?: OperationRows;
  readonly boundToSet?: OperationRows;
}

/** The generated table of a service, with the types of its sets. */
export interface Schema<Sets, ExactSets = Sets> {
  readonly sets: { readonly [name: string]: SetRow };
  /** Operation imports. */
  readonly operations?: OperationRows;
  /** No value: carries the types, and those with decimals and 64-bit numbers as text. */
  readonly types?: readonly [Sets, ExactSets];
}
