import type { Field } from './field.js';
import type { Permission } from './rules.js';

/** Whether an operation may have side effects, and is called by POST. */
export type OperationKind = 'Action' | 'Function';

/** A parameter or a result: a value like that of a property, or an entity. */
export interface OperationValue {
  /** The type as in `$metadata`, without `Collection(...)`: `Edm.Decimal`, `Shop.Item`. */
  readonly type: string;
  readonly collection?: true;
  readonly nullable?: true;
  /** The facets of a primitive, enumeration or complex type; absent for an entity type. */
  readonly field?: Field;
}

/** A parameter; binding parameters are separate. */
export interface OperationParameter extends OperationValue {
  readonly name: string;
  /** Core.OptionalParameter: it may be omitted, and then has its field's default, if any. */
  readonly optional?: true;
}

/** One overload of an action or a function: a row of the generated table of operations. */
export interface Operation {
  readonly kind: OperationKind;
  /** Namespace-qualified, as in `$metadata`. */
  readonly name: string;
  /** The name of its handler. */
  readonly handler: string;
  readonly binding?: OperationParameter;
  readonly parameters: readonly OperationParameter[];
  readonly result?: OperationValue;
  /** Path segments may follow its call. */
  readonly composable?: true;
  /** Scopes that permit a call; `undefined` means that any token suffices. */
  readonly permissions?: readonly Permission[];
  /** A type that it uses and that the service cannot represent, so that calls are rejected. */
  readonly unsupported?: string;
}

/** All overloads by qualified name, in the order of the model. */
export type OperationTable = { readonly [qualifiedName: string]: readonly Operation[] };

/** The name of an unbound operation at the service root. */
export interface OperationImport {
  readonly kind: OperationKind;
  /** Qualified name of its overloads. */
  readonly operation: string;
  /** Whether the service document lists it. */
  readonly listed?: true;
}
