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
 * likely one counts only if it is unused. A declaration that the old schema records has been carried out.
 */
export function formerNames(
  now: readonly Renamable[],
  old: readonly Renamable[],
  decided: (item: Renamable) => readonly string[],
): FormerNames {
  const known = new Map(old.map((item) => [item.name, item]));
  const used = new Set(now.map(({ name }) => name));
  const renames = new Map<string, string>();
  const clashes: Clash[] = [];
  for (const item of now) {
    const from = declaredName(item, known, used, decided(item));
    if (from === undefined) continue;
    if (renames.has(from)) clashes.push({ from, to: item.name, why: 'twice' });
    else renames.set(from, item.name);
  }
  for (const [from, to] of renames) if (known.has(to) && !renames.has(to)) clashes.push({ from, to, why: 'taken' });
  const given = new Set(renames.values());
  for (const item of now) {
    const likely = given.has(item.name) || known.has(item.name) ? [] : [...(item.renamedFrom ?? []), ...(item.swappedFrom ?? [])];
    const from = likely.find((name) => known.has(name) && !used.has(name) && !renames.has(name));
    if (from !== undefined) renames.set(from, item.name);
  }
  return { renames, clashes };
}

function declaredName(
  { name, declaredFrom = [], generated }: Renamable,
  known: ReadonlyMap<string, Renamable>,
  used: ReadonlySet<string>,
  decided: readonly string[],
): string | undefined {
  const done = known.get(name)?.declaredFrom ?? [];
  const names = [...decided, ...declaredFrom.filter((from) => !done.includes(from))].filter((from) => from !== name && known.has(from));
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
