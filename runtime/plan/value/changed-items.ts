/** Names, and places of items, that lead from a record to something within it. */
export type ValuePath = readonly (string | number)[];

/** Items that a body changes, each alone in its collection there: what it leaves out of the others stays as it is. */
export interface ChangedItems {
  /** The property of the record that they lie in. */
  readonly root: string;
  /** By the path of the collection: `Lines`, `Lines[2]/Parts`. */
  readonly places: ReadonlyMap<string, number>;
  /** The path of the innermost collection, and what becomes of its item. */
  readonly last: string;
  readonly kind: ItemChange;
}

/** A new item at a place, one that is changed or replaced, and one that goes. */
export type ItemChange = 'insert' | 'change' | 'remove';

/** The items on a path; undefined where there is none. */
export function changedItems(path: ValuePath, kind: ItemChange): ChangedItems | undefined {
  const places = new Map<string, number>();
  for (const [index, step] of path.entries()) if (typeof step === 'number') places.set(shownAt(path.slice(0, index)), step);
  const last = [...places.keys()].at(-1);
  return last === undefined ? undefined : { root: String(path[0]), places, last, kind };
}

/** A path as messages have it: `Lines[2]/Parts`. */
export function shownAt(path: ValuePath): string {
  return path.reduce<string>(
    (before, step) => (typeof step === 'number' ? `${before}[${step}]` : before === '' ? step : `${before}/${step}`),
    '',
  );
}
