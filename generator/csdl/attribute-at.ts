import type { Overlaid } from './csdl.js';

/** Where an attribute of a property is said: in the overlay, or else where the property is. */
export function attributeAt({ at, overlaid }: { readonly at: number; readonly overlaid?: Overlaid }, attribute: keyof Overlaid): number {
  return overlaid?.[attribute] ?? at;
}
