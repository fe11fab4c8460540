import type { Field } from './field.js';
import type { Permission } from './permission.js';

/** Whether an operation may change something, and is called by POST. */
export type OperationKind = 'Action' | 'Function';

/** What a parameter or a result is: a value as a property would have it, or a record. */
export interface OperationValue {
  /** As `$metadata` names it, without `Collection(...)`: `Edm.Decimal`, `Shop.Item`. */
  readonly type: string;
  readonly collection?: true;
  readonly nullable?: true;
  /** Of a primitive type, an enumeration or a complex type; absent where the type is an entity type. */
  readonly field?: Field;
}

/** A parameter; the one that an operation is bound to stands apart from the others. */
export interface OperationParameter extends OperationValue {
  readonly name: string;
  /** Core.OptionalParameter: it may be left out, and then has its field's default, if there is one. */
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
  /** More segments may follow its call. */
  readonly composable?: true;
  /** Scopes that permit a call; `undefined` means that every token will do. */
  readonly permissions?: readonly Permission[];
  /** A type that it uses and that nobody can send or answer here, so that it cannot be called. */
  readonly unsupported?: string;
}

/** All overloads by qualified name, in the order of the model. */
export type OperationTable = { readonly [qualifiedName: string]: readonly Operation[] };

/** The name under which an unbound operation is called at the service root. */
export interface OperationImport {
  readonly kind: OperationKind;
  /** Qualified name of its overloads. */
  readonly operation: string;
  /** The service document names it. */
  readonly listed?: true;
}
