/** What the name of a property begins with that no client knows of, and no identifier begins with: it repeats the key of a related record, which is part of the record's own under an alias (CSDL 4.01, 6.5). */
export const hiddenMark = '~';

/** Whether clients can name a property; what begins with `#` is made by the service. */
export function isShownName(name: string): boolean {
  return !name.startsWith(hiddenMark) && !name.startsWith('#');
}
