import type { PrimitiveTypeName } from './primitive.js';

/** An enumeration with its members. The values are whole numbers of the underlying type. */
export interface EnumType {
  readonly qualifiedName: string;
  readonly underlyingType: PrimitiveTypeName;
  /** A value may combine members, whose values are bit sets. */
  readonly flags?: true;
  /** Values as decimal text, since they may have 64 bits. */
  readonly members: readonly (readonly [name: string, value: string])[];
}
