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

/** A typed view of an entity, for hooks. */
export interface TypedRecord<Entity> {
  readonly get: (name: keyof Entity & string) => StoredValue | undefined;
}

/** The extension of one generated entity type: a name that the model lacks does not compile. */
export interface TypedExtension<Entity, Tables = object> {
  readonly assign?: (
    change: Omit<ChangeContext, 'before' | 'changes'> & {
      readonly before: TypedRecord<Entity> | undefined;
      readonly changes: TypedRecord<Entity>;
    },
  ) => Partial<Record<keyof Entity & string, string | null>>;
  readonly record?: NonNullable<EntityExtension['record']>;
  readonly follow?: (
    change: Omit<ChangeContext, 'before' | 'changes'> & {
      readonly before: TypedRecord<Entity> | undefined;
      readonly changes: TypedRecord<Entity>;
      readonly after: TypedRecord<Entity> | undefined;
    },
    models: Tables,
  ) => Promise<void>;
  readonly createdContext?: string;
}

/** Checks an extension against its entity type, and erases the type for the runtime. */
export function defineExtension<Entity, Tables = object>(extension: TypedExtension<Entity, Tables>): EntityExtension {
  const { assign, record, follow, createdContext } = extension;
  return {
    ...(assign && { assign: (change) => new Map(Object.entries(assign(change)) as [string, string | null][]) }),
    ...(record && { record }),
    // The models are those of the generated code that names their types.
    ...(follow && { follow: (change, models) => follow(change, models as Tables) }),
    ...(createdContext !== undefined && { createdContext }),
  };
}
