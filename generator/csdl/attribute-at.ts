import type { Overlaid } from './csdl.js';

/** The position of a property's attribute: in the overlay, or else that of the property. */
export function attributeAt({ at, overlaid }: { readonly at: number; readonly overlaid?: Overlaid }, attribute: keyof Overlaid): number {
  return overlaid?.[attribute] ?? at;
}
