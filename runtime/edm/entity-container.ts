import type { ComplexTypeTable, EntityType, RecordType } from './entity-type.js';
import type { EnumType } from './field.js';
import type { OperationImport, OperationTable } from './operation.js';
import type { PrimitiveTypeName } from './primitive.js';

/** The generated model. */
export interface EntityContainer {
  readonly namespace: string;
  /** The Core.SchemaVersion of the container's schema; a request may name it by `$schemaversion`. */
  readonly schemaVersion?: string;
  readonly entityTypes: { readonly [name: string]: EntityType };
  /** Entity sets with the names of their entity types, in the order of the model. */
  readonly entitySets: { readonly [name: string]: string };
  /** Entity sets that the service document omits, from IncludeInServiceDocument. */
  readonly unlistedSets?: readonly string[];
  /** Singletons with the names of their entity types. */
  readonly singletons?: { readonly [name: string]: string };
  /** Entity types without a table, by qualified name, for parameters and results of operations. */
  readonly transientTypes?: { readonly [qualifiedName: string]: RecordType };
  /** Complex types by qualified name. */
  readonly complexTypes?: ComplexTypeTable;
  /** Enumerations by qualified name. */
  readonly enumTypes?: { readonly [name: string]: EnumType };
  /** The underlying primitive types of type definitions, by qualified name. */
  readonly typeDefinitions?: { readonly [name: string]: PrimitiveTypeName };
  /** Actions and functions by qualified name. */
  readonly operations?: OperationTable;
  readonly operationImports?: { readonly [name: string]: OperationImport };
  /** Namespaces whose bound operations may be called without it (Core.DefaultNamespace). */
  readonly defaultNamespaces?: readonly string[];
  /** Namespaces by alias. */
  readonly aliases?: { readonly [alias: string]: string };
  /** Resources of the root that the model switches off: `$batch`, or `$crossjoin` and `$all`; `$all` where a set is distributed. */
  readonly unsupported?: readonly string[];
  /** The functions that `$filter` supports; `undefined` means all. */
  readonly filterFunctions?: readonly string[];
}
