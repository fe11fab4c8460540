/** A stored entity by property name, with values in the database's text form or null. */
export type StoredRecord = ReadonlyMap<string, StoredValue>;

/** A value in the database's text form; for a collection those of its items. */
export type StoredValue = string | null | readonly (string | null)[];

/** The input of a hook. */
export interface ChangeContext {
  /** Absent on create. */
  readonly before: StoredRecord | undefined;
  /** The properties that this request sets, after the model's rules. */
  readonly changes: StoredRecord;
  /** The entity's immutable `#id`. */
  readonly id: string;
  /** The database's clock, ISO 8601 with seconds and `Z`. */
  readonly now: string;
  /** The key of the member that the token names, if any. */
  readonly member: string | undefined;
}

/** A row of another entity type that is written in the same transaction. */
export interface JournalEntry {
  readonly entityType: string;
  readonly values: StoredRecord;
}

/** Sequelize models by the names of entity types. */
export type Models = { readonly [entityType: string]: unknown };

/** Hand-written behaviour of one entity type, in addition to its generated tables. */
export interface EntityExtension {
  /** Additional values to store on create or update; they take precedence over the body's. */
  readonly assign?: (change: ChangeContext) => StoredRecord;
  /** Rows that record a create, an update or a delete; `after` is absent on delete. */
  readonly record?: (change: ChangeContext & { readonly after: StoredRecord | undefined }) => readonly JournalEntry[];
  /**
   * Further work in the transaction of a create, an update or a delete, with the Sequelize models bound to it; `after` is absent on delete.
   */
  readonly follow?: (change: ChangeContext & { readonly after: StoredRecord | undefined }, models: Models) => Promise<void>;
  /** The context URL in the answer to a create without $select and $expand, where a specification of the service fixes it. */
  readonly createdContext?: string;
}

/** Extensions by entity type name. */
export type Extensions = { readonly [entityType: string]: EntityExtension };

/** The properties of an entity, which its type requires; navigation properties and annotations are optional there. */
type PropertyOf<Entity> = keyof {
  [Name in keyof Entity as string extends Name ? never : IfRequired<Entity[Name], Name>]: 0;
} &
  string;

type IfRequired<Value, Name> = undefined extends Value ? (unknown extends Value ? Name : never) : Name;

/** The stored form of a property's values: text, null where the property may be null, and the texts of a collection's items. */
type StoredOf<Value> = unknown extends Value
  ? string | null
  : [Value] extends [readonly (infer Item)[]]
    ? readonly (string | Extract<Item, null>)[]
    : string | Extract<Value, null>;

/** A typed view of an entity, for hooks. */
export interface TypedRecord<Entity> {
  readonly get: <Name extends PropertyOf<Entity>>(name: Name) => StoredOf<Entity[Name & keyof Entity]> | undefined;
  readonly has: (name: PropertyOf<Entity>) => boolean;
}

/** The input of a hook, with the names of the entity's properties. */
export interface TypedChange<Entity> extends Omit<ChangeContext, 'before' | 'changes'> {
  readonly before: TypedRecord<Entity> | undefined;
  readonly changes: TypedRecord<Entity>;
}

/** The same after the change; `after` is absent on delete. */
export interface TypedResult<Entity> extends TypedChange<Entity> {
  readonly after: TypedRecord<Entity> | undefined;
}

/** Values to store, by property. */
export type Assigned<Entity> = { readonly [Name in PropertyOf<Entity>]?: StoredOf<Entity[Name & keyof Entity]> };

/** The extension of one generated entity type: a name that the model lacks does not compile. */
export interface TypedExtension<Entity, Tables = object> {
  readonly assign?: (change: TypedChange<Entity>) => Assigned<Entity>;
  readonly record?: (change: TypedResult<Entity>) => readonly JournalEntry[];
  readonly follow?: (change: TypedResult<Entity>, models: Tables) => Promise<void>;
  readonly createdContext?: string;
}

/** Checks an extension against its entity type, and erases the type for the runtime. */
export function defineExtension<Entity, Tables = object>(extension: TypedExtension<Entity, Tables>): EntityExtension {
  // The records and models are those of the generated code that names their types.
  const { assign, ...others } = extension as unknown as Omit<EntityExtension, 'assign'> & {
    readonly assign?: (change: ChangeContext) => { readonly [property: string]: StoredValue };
  };
  return { ...others, ...(assign && { assign: (change) => new Map(Object.entries(assign(change))) }) };
}
