export type * from './complex-type.js';
export { isDynamicName, openColumn } from './dynamic.js';
export type * from './entity-type.js';
export type * from './extension.js';
export { defineExtension } from './extension.js';
export { enumText, enumValue, namedMembers, storedText } from './enum-value.js';
export { columnOf, complexTypeNamed, complexTypeOf, entityTypeOfSet, fieldOf, isArray, navigationOf, own, propertyOf, qualify, targetOf } from './lookup.js';
export type { CellKind, Primitive, PrimitiveTypeName } from './primitive.js';
export { isNumeric, isPrimitive, primitives } from './primitive.js';
