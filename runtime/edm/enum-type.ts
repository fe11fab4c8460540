import type { PrimitiveTypeName } from './primitive.js';

/** An enumeration: the names that its values have. The values are whole numbers of the underlying type. */
export interface EnumType {
  readonly qualifiedName: string;
  readonly underlyingType: PrimitiveTypeName;
  /** A value may have several members; each is a set of bits. */
  readonly flags?: true;
  /** Values as decimal text, since they may have 64 bits. */
  readonly members: readonly (readonly [name: string, value: string])[];
}
