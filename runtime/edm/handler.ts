/** The types of an entity set or singleton, as handlers use them; the key of a singleton is undefined. */
export interface SetTypes<Entity, Key, Create, Update> {
  readonly record: Entity;
  readonly key: Key;
  /** `never` where the set takes no new records. */
  readonly create: Create;
  readonly update: Update;
}

type AnySets = { readonly [Name in string]: SetTypes<unknown, unknown, unknown, unknown> };

/** Who calls. */
export interface OperationCaller {
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  /** The key of the member that the token names, if any. */
  readonly member?: string;
}

/** Which records are read, in the words of OData's query options; write values with `odata`, which quotes them. */
export interface ReadOptions {
  readonly filter?: string;
  readonly orderby?: string;
  readonly select?: string;
  readonly expand?: string;
  readonly top?: number;
}

/** Reads records as a request for them would. */
export interface Reading<Sets> {
  /** All records that the options leave; more than 10 000 are an error, never cut. */
  readonly read: <Name extends keyof Sets & string>(set: Name, options?: ReadOptions) => Promise<readonly RecordOf<Sets, Name>[]>;
  /** The record with that key; undefined where there is none. */
  readonly find: <Name extends keyof Sets & string>(set: Name, key: KeyOf<Sets, Name>) => Promise<RecordOf<Sets, Name> | undefined>;
  /** The entities at a path below the service root, such as contained ones; without a path, the binding value. */
  readonly at: <Entity = object>(path?: string) => ReadingAt<Entity>;
}

/** Read access to one address. */
export interface ReadingAt<Entity> {
  readonly read: (options?: ReadOptions) => Promise<readonly Entity[]>;
  readonly find: () => Promise<Entity | undefined>;
}

/** Read and write access to one address. */
export interface WritingAt<Entity> extends ReadingAt<Entity> {
  readonly create: (values: object) => Promise<Entity>;
  readonly update: (values: object) => Promise<Entity>;
  readonly remove: () => Promise<void>;
}

/** Changes records as requests would: by the same rules, with the same extensions, and with their errors. */
export interface Writing<Sets> extends Reading<Sets> {
  readonly at: <Entity = object>(path?: string) => WritingAt<Entity>;
  readonly create: <Name extends keyof Sets & string>(set: Name, values: Member<Sets, Name, 'create'>) => Promise<RecordOf<Sets, Name>>;
  readonly update: <Name extends keyof Sets & string>(
    set: Name,
    key: KeyOf<Sets, Name>,
    values: Member<Sets, Name, 'update'>,
  ) => Promise<RecordOf<Sets, Name>>;
  readonly remove: <Name extends keyof Sets & string>(set: Name, key: KeyOf<Sets, Name>) => Promise<void>;
}

type Member<Sets, Name extends keyof Sets, Part extends keyof AnySets[string]> = Sets[Name] extends { readonly [Key in Part]: infer Type }
  ? Type
  : never;
type RecordOf<Sets, Name extends keyof Sets> = Member<Sets, Name, 'record'>;
type KeyOf<Sets, Name extends keyof Sets> = Member<Sets, Name, 'key'>;

/** The context of a function's handler. */
export interface FunctionContext<Sets> {
  readonly caller: OperationCaller;
  /** The records, with the rights of the caller. */
  readonly records: Reading<Sets>;
  /** The records, with every right. */
  readonly elevated: Reading<Sets>;
}

/** The context of an action's handler: its changes and its answer share one transaction. */
export interface ActionContext<Sets, Tables = object> {
  readonly caller: OperationCaller;
  readonly records: Writing<Sets>;
  readonly elevated: Writing<Sets>;
  /** The Sequelize models by entity type, bound to the transaction; no rule, permission or extension applies to them. */
  readonly models: Tables;
}

/** Carries out a function; it may be called again for every page of its answer. */
export type FunctionHandler<Call, Sets, Answer> = (call: Call, context: FunctionContext<Sets>) => Answer | Promise<Answer>;

/** Handles an action; a thrown error rolls back its changes. */
export type ActionHandler<Call, Sets, Answer, Tables = object> = (
  call: Call,
  context: ActionContext<Sets, Tables>,
) => Answer | Promise<Answer>;

/** The collection that an operation is bound to. */
export interface BoundCollection<Entity> {
  /** Its records that match the options, with all properties, hidden ones included. */
  readonly read: (options?: ReadOptions) => Promise<readonly Entity[]>;
}

/** An entity as a parameter: some of its properties, or the id of an existing one, and likewise for its navigation properties. */
export type RecordArgument<Entity, Related extends keyof Entity = never> = Without<Entity, Related> & {
  readonly [Name in Related]?: RelatedArgument<Entity[Name]>;
} & { readonly '@id'?: string; readonly '@odata.type'?: string };

// Of each type that derives from the declared one.
type Without<Entity, Names extends PropertyKey> = Entity extends unknown ? Partial<Omit<Entity, Names>> : never;

type RelatedArgument<Value> = Value extends readonly (infer One)[]
  ? readonly RecordArgument<One>[]
  : Value extends object
    ? RecordArgument<Value>
    : Value;

/** A transient entity of a handler; one of a derived type names it. */
export type TransientEntity<Entity> = Entity & { readonly '@odata.type'?: string };

/** An entity as an answer: one of a set or singleton, at a path, or bound; or transient values. `created` makes the answer 201. */
export type RecordAnswer<Sets, Name extends keyof Sets, Entity> =
  | { readonly [Set in Name]: { readonly from: Set; readonly key: KeyOf<Sets, Set>; readonly created?: true } }[Name]
  | { readonly path: string; readonly created?: true }
  | { readonly bound: true }
  | { readonly value: TransientEntity<Entity> };

/** Entities as an answer: those of a set, at a path, or of the binding value, chosen by a condition or keys; or transient values. */
export type CollectionAnswer<Sets, Name extends keyof Sets, Entity> =
  | { readonly [Set in Name]: { readonly from: Set; readonly filter?: string; readonly orderby?: string } }[Name]
  | { readonly [Set in Name]: { readonly from: Set; readonly keys: readonly KeyOf<Sets, Set>[]; readonly orderby?: string } }[Name]
  | { readonly path: string; readonly filter?: string; readonly orderby?: string }
  | { readonly bound: true; readonly filter?: string; readonly orderby?: string }
  | { readonly values: readonly TransientEntity<Entity>[] };

/** A media stream as an answer. */
export interface StreamAnswer {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A handler as the runtime calls it. */
export type OperationHandler = (call: never, context: never) => unknown;

/** Handlers by their names. */
export type OperationHandlers = { readonly [handler: string]: OperationHandler };

/** The placeholder for a missing handler: the operation answers 501 with its name. */
export const notImplemented = (): never => {
  throw new Error('An operation without a handler was called.');
};

/** Why a handler refuses: the status that the client gets. */
export type RefusalStatus = 400 | 403 | 404 | 409;

/** The error for a client's mistake; any other error of a handler is an internal failure, which the client does not see. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    /** The faulty part of the call: a parameter, or a path within it. */
    readonly target?: string,
    readonly status: RefusalStatus = 400,
  ) {
    super(message);
  }
}

/** A value that is inserted into a condition without quotes: a date, a time, a GUID, a number as text. */
export class Bare {
  constructor(readonly text: string) {
    if (!/^[\w.:+-]+$/.test(text)) throw new TypeError(`'${text}' is not a date, time, GUID or number.`);
  }
}

/** Marks the text of a date, time, GUID or number, so that `odata` does not quote it. */
export function bare(text: string): Bare {
  return new Bare(text);
}

/** A condition with values in it, each written as OData's literal: odata`Price gt ${price} and Name eq ${name}`. */
export function odata(texts: TemplateStringsArray, ...values: readonly (string | number | bigint | boolean | null | Bare)[]): string {
  return texts.map((text, index) => (index < values.length ? `${text}${literal(values[index] ?? null)}` : text)).join('');
}

function literal(value: string | number | bigint | boolean | null | Bare): string {
  if (value instanceof Bare) return value.text;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
