import type { Column, Table } from '../../runtime/schema/schema.js';

/** A table or column, with its names in earlier schemas. */
export type Renamable = Pick<Table, 'name' | 'renamedFrom' | 'declaredFrom' | 'swappedFrom'> & Pick<Column, 'generated'>;

/** A declared rename that cannot be done, with the reason. */
export interface Clash {
  readonly from: string;
  readonly to: string;
  readonly why: 'taken' | 'twice';
}

/** The renames among the tables of a schema or the columns of a table. */
export interface FormerNames {
  /** New names by old ones. */
  readonly renames: ReadonlyMap<string, string>;
  readonly clashes: readonly Clash[];
}

/**
 * Chooses the former name of each item. A declared name is binding, also where names are exchanged or used anew; a
 * likely one counts only if it is unused. A declaration that the old schema records has been carried out, except for an
 * item that is dropped: whatever has its name now is another.
 */
export function formerNames(
  now: readonly Renamable[],
  old: readonly Renamable[],
  decided: (item: Renamable) => readonly string[],
  dropped: ReadonlySet<string>,
): FormerNames {
  const known = new Map(old.map((item) => [item.name, item]));
  const used = new Set(now.map(({ name }) => name));
  const { renames, clashes } = declaredNames(now, known, used, decided, dropped);
  for (const [from, to] of renames) if (known.has(to) && !renames.has(to)) clashes.push({ from, to, why: 'taken' });
  const given = new Set(renames.values());
  for (const item of now) {
    const likely = given.has(item.name) || known.has(item.name) ? [] : [...(item.renamedFrom ?? []), ...(item.swappedFrom ?? [])];
    const from = likely.find((name) => known.has(name) && !used.has(name) && !renames.has(name));
    if (from !== undefined) renames.set(from, item.name);
  }
  return { renames, clashes };
}

// The record of a renaming moves with its item: if the item gets another name, the declaration is a new one.
function declaredNames(
  now: readonly Renamable[],
  known: ReadonlyMap<string, Renamable>,
  used: ReadonlySet<string>,
  decided: (item: Renamable) => readonly string[],
  left: ReadonlySet<string>,
): { readonly renames: Map<string, string>; readonly clashes: Clash[] } {
  const renames = new Map<string, string>();
  const clashes: Clash[] = [];
  for (const item of now) {
    const done = left.has(item.name) ? [] : (known.get(item.name)?.declaredFrom ?? []);
    const from = declaredName(item, done, known, used, decided(item));
    if (from === undefined) continue;
    if (renames.has(from)) clashes.push({ from, to: item.name, why: 'twice' });
    else renames.set(from, item.name);
  }
  const leaving = new Set([...left, ...renames.keys()]);
  return leaving.size === left.size ? { renames, clashes } : declaredNames(now, known, used, decided, leaving);
}

function declaredName(
  { name, declaredFrom = [], generated }: Renamable,
  done: readonly string[],
  known: ReadonlyMap<string, Renamable>,
  used: ReadonlySet<string>,
  decided: readonly string[],
): string | undefined {
  const isFormer = (from: string): boolean => from !== name && known.has(from);
  const now = decided.filter(isFormer);
  // The annotation of an earlier rename may stay at a property that an option renames.
  const names = now.length > 0 ? now : declaredFrom.filter((from) => isFormer(from) && !done.includes(from));
  const free = names.find((from) => !used.has(from));
  // A generated column is computed anew, and loses nothing.
  return generated !== undefined && (free === undefined || known.has(name)) ? undefined : (free ?? names[0]);
}

/** Orders renames so that each new name is free; a cycle passes through a temporary name. */
export function inOrder(renames: ReadonlyMap<string, string>, temporary: string): readonly (readonly [from: string, to: string])[] {
  const open = new Map(renames);
  const ordered: (readonly [string, string])[] = [];
  while (open.size > 0) {
    const [from, to] = [...open].find(([, name]) => !open.has(name)) ?? [...open][0] ?? ['', ''];
    open.delete(from);
    if (!open.has(to)) ordered.push([from, to]);
    else {
      ordered.push([from, temporary]);
      open.set(temporary, to);
    }
  }
  return ordered;
}
