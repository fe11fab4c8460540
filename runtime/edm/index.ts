export type * from './complex-type.js';
export { defaultLimits } from './default-limits.js';
export { isDynamicName, openColumn } from './dynamic.js';
export type * from './entity-container.js';
export type * from './entity-type.js';
export type * from './enum-type.js';
export type * from './extension.js';
export { defineExtension } from './extension.js';
export type * from './field.js';
export type * from './handler.js';
export { bare, Bare, notImplemented, odata, Refusal } from './handler.js';
export {
  anyEntity,
  columnOf,
  complexTypeNamed,
  complexTypeOf,
  entityTypeOfSet,
  entityTypeOfSingleton,
  fieldOf,
  isArray,
  isDirect,
  isOfComplexType,
  isOfKey,
  keyColumnOf,
  keyFieldOf,
  navigationOf,
  own,
  propertyOf,
  qualify,
  rowColumn,
  targetOf,
  overloadsNamed,
} from './lookup.js';
export type * from './navigation.js';
export type * from './operation.js';
export type * from './permission.js';
export type { CellKind, Primitive, PrimitiveTypeName } from './primitive.js';
export { isNumeric, isPrimitive, primitives } from './primitive.js';
export type * from './recursive-hierarchy.js';
export type * from './route.js';
export type { Stream, StreamTable } from './stream.js';
export { chunkColumns, mediaStream, streamColumns, streamColumnTypes, streamOf, streamTable } from './stream.js';
export type * from './transition.js';
export type * from './write-rules.js';
