import type { ComplexTypeTable, RecordType } from './complex-type.js';
import type { EntityType } from './entity-type.js';
import type { EnumType } from './enum-type.js';
import type { OperationImport, OperationTable } from './operation.js';
import type { PrimitiveTypeName } from './primitive.js';

/** The whole generated model as the runtime sees it. */
export interface EntityContainer {
  readonly namespace: string;
  /** From Core.SchemaVersion of the schema that the container is in; a request may name it by `$schemaversion`. */
  readonly schemaVersion?: string;
  readonly entityTypes: { readonly [name: string]: EntityType };
  /** Entity set name to entity type name, in the order of the model. */
  readonly entitySets: { readonly [name: string]: string };
  /** Those that the service document leaves out, from IncludeInServiceDocument. */
  readonly unlistedSets?: readonly string[];
  /** Singleton name to entity type name. */
  readonly singletons?: { readonly [name: string]: string };
  /** Entity types by qualified name whose records are in no table: operations are called with them and answer with them. */
  readonly transientTypes?: { readonly [qualifiedName: string]: RecordType };
  /** Complex types by qualified name. */
  readonly complexTypes?: ComplexTypeTable;
  /** Enumerations by qualified name. */
  readonly enumTypes?: { readonly [name: string]: EnumType };
  /** Type definitions by qualified name: the primitive types behind them. */
  readonly typeDefinitions?: { readonly [name: string]: PrimitiveTypeName };
  /** Actions and functions by qualified name. */
  readonly operations?: OperationTable;
  /** Those that are called at the service root, by the name that they have there. */
  readonly operationImports?: { readonly [name: string]: OperationImport };
  /** Namespaces whose bound operations may be called without it (Core.DefaultNamespace). */
  readonly defaultNamespaces?: readonly string[];
  /** Namespaces by their aliases. */
  readonly aliases?: { readonly [alias: string]: string };
  /** Functions that `$filter` offers; `undefined` means all that the runtime knows. */
  readonly filterFunctions?: readonly string[];
}
