/** A stored record by property name, cells in the database's text form; null is null. */
export type StoredRecord = ReadonlyMap<string, StoredValue>;

/** A value in the database's text form; of a collection those of its items. */
export type StoredValue = string | null | readonly (string | null)[];

/** What a hook may decide from. */
export interface ChangeContext {
  /** Absent on create. */
  readonly before: StoredRecord | undefined;
  /** The properties that this request sets, after the model's own rules. */
  readonly changes: StoredRecord;
  /** The record's immutable number. */
  readonly id: string;
  /** The database's clock, ISO 8601 with seconds and `Z`. */
  readonly now: string;
  /** The key of the member who is behind the request, where the token names one. */
  readonly member: string | undefined;
}

/** A record of another entity type that is written in the same transaction. */
export interface CompanionRecord {
  readonly entityType: string;
  readonly values: StoredRecord;
}

/** Hand-written behaviour of one entity type, beside its generated tables. */
export interface EntityExtension {
  /** Further values to store with a create or an update; they win over the body's. */
  readonly assign?: (change: ChangeContext) => StoredRecord;
  /** Records that tell of a create, an update or a delete; `after` is absent on delete. */
  readonly record?: (change: ChangeContext & { readonly after: StoredRecord | undefined }) => readonly CompanionRecord[];
  /** The context URL in the answer to a create that asks for nothing beside the record, where a specification of the service fixes it. */
  readonly createdContext?: string;
}

/** Extensions by entity type name. */
export type Extensions = { readonly [entityType: string]: EntityExtension };

/** A hook's view of a record whose names are checked against the generated types. */
export interface TypedRecord<Entity> {
  readonly get: (name: keyof Entity & string) => StoredValue | undefined;
}

/** Extension of one generated entity type: a name that the model no longer has does not compile. */
export interface TypedExtension<Entity> {
  readonly assign?: (
    change: Omit<ChangeContext, 'before' | 'changes'> & {
      readonly before: TypedRecord<Entity> | undefined;
      readonly changes: TypedRecord<Entity>;
    },
  ) => Partial<Record<keyof Entity & string, string | null>>;
  readonly record?: NonNullable<EntityExtension['record']>;
  readonly createdContext?: string;
}

/** Checks an extension against its entity and forgets the type, so that the runtime stays generic. */
export function defineExtension<Entity>(extension: TypedExtension<Entity>): EntityExtension {
  const { assign, record, createdContext } = extension;
  return {
    ...(assign && { assign: (change) => new Map(Object.entries(assign(change)) as [string, string | null][]) }),
    ...(record && { record }),
    ...(createdContext !== undefined && { createdContext }),
  };
}
