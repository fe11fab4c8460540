export type * from './entity-type.js';
export { defaultLimits } from './entity-type.js';
export type * from './entity-container.js';
export type * from './change-log.js';
export { changeColumns, changeSequence, changeStateColumns, changeStateTable, changeTable } from './change-log.js';
export type * from './field.js';
export type * from './extension.js';
export { defineExtension } from './extension.js';
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
  generatedKeyProperty,
  hiddenMark,
  isArray,
  isDirect,
  isDynamicName,
  isOfComplexType,
  isOfKey,
  isShownName,
  keyColumnOf,
  keyFieldOf,
  navigationOf,
  openColumn,
  own,
  overloadsNamed,
  propertyOf,
  qualify,
  rowColumn,
  streamOf,
  targetOf,
} from './lookup.js';
export type * from './navigation.js';
export type * from './operation.js';
export type * from './rules.js';
export type { CellKind, Primitive, PrimitiveTypeName } from './primitive.js';
export { defaultSystem, isFloating, isGeo, isNumeric, isPrimitive, primitives } from './primitive.js';
export type { Stream, StreamTable } from './stream.js';
export { chunkColumns, mediaStream, streamColumns, streamColumnTypes, streamTable } from './stream.js';
