export type * from './entity-type.js';
export type * from './extension.js';
export { defineExtension } from './extension.js';
export { columnOf, entityTypeOfSet, fieldOf, navigationOf, own, targetOf } from './lookup.js';
export type { CellKind, Primitive, PrimitiveTypeName } from './primitive.js';
export { isNumeric, primitives } from './primitive.js';
