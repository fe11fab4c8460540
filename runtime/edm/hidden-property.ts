/**
 * The prefix of internal properties, which no identifier begins with: they mirror the key of a related entity that is
 * part of the entity's own key under an alias (CSDL 4.01, 6.5).
 */
export const hiddenMark = '~';

/** Whether clients can name a property; names that begin with `#` are internal. */
export function isShownName(name: string): boolean {
  return !name.startsWith(hiddenMark) && !name.startsWith('#');
}
