/** The characters that an identifier begins with, within a class (ABNF rule identifierLeadingCharacter). */
export const identifierStart = String.raw`\p{L}\p{Nl}_`;

/** Its other characters, within a class (ABNF rule identifierCharacter). */
export const identifierPart = String.raw`\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}`;

/** The pattern of an identifier of any length, for the flag `u`. */
export const identifier = `[${identifierStart}][${identifierPart}]*`;

const simple = new RegExp(`^[${identifierStart}][${identifierPart}]{0,127}$`, 'u');

/** Whether a name is a simple identifier of at most 128 characters (ABNF rule odataIdentifier). */
export function isIdentifier(name: string): boolean {
  return simple.test(name);
}
