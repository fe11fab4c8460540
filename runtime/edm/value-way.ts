import type { EntityType } from './entity-type.js';

/**
 * Complex values that lie within others of their type: the path of each, from the record, and that of the value around it.
 * What lies behind the one is told of as if it lay behind the other: `Tree/Children/Children` is `Tree/Children`.
 */
export type RecursiveValues = { readonly [path: string]: string };

/** A place on the way from a record to the values that have what a path names; where values lie within others of their type it leads in a circle. */
export interface ValueWay {
  /** The values here have it. */
  readonly ends: boolean;
  /** Where a value's members lead on to. */
  readonly names: ReadonlyMap<string, ValueWay>;
  /** Where a value of one of these types, or of one that derives from it, leads on to besides. */
  readonly casts: ReadonlyMap<string, ValueWay>;
}

const known = new WeakMap<object, Map<string, ValueWay>>();

/** The way from a record to the values that a path's last name is one of: `Lines/Ns.Gift/Receiver`. */
export function wayTo(type: Pick<EntityType, 'fields' | 'recursiveValues'>, path: string): ValueWay {
  const ways = known.get(type) ?? new Map<string, ValueWay>();
  known.set(type, ways);
  const way = ways.get(path) ?? makeWay(path, type.recursiveValues ?? {});
  ways.set(path, way);
  return way;
}

// Of what leads to records of any type a part has their type behind its name.
function valueOf(path: string): string {
  const value = path.slice(0, path.lastIndexOf('/'));
  return path.includes('.', value.length) ? value.slice(0, value.lastIndexOf('/')) : value;
}

interface Making extends ValueWay {
  ends: boolean;
  readonly names: Map<string, Making>;
  readonly casts: Map<string, Making>;
}

function makeWay(path: string, again: RecursiveValues): ValueWay {
  const way = noWay();
  placeAt(way, valueOf(path)).ends = true;
  const root = `${path.split('/')[0]}/`;
  for (const [inner, outer] of Object.entries(again)) {
    const last = inner.lastIndexOf('/');
    if (inner.startsWith(root)) placeAt(way, inner.slice(0, last)).names.set(inner.slice(last + 1), placeAt(way, outer));
  }
  return way;
}

function placeAt(way: Making, path: string): Making {
  return path.split('/').reduce((at, part) => {
    const inner = part.includes('.') ? at.casts : at.names;
    const found = inner.get(part) ?? noWay();
    inner.set(part, found);
    return found;
  }, way);
}

function noWay(): Making {
  return { ends: false, names: new Map(), casts: new Map() };
}

/** The names that lead to a value as a type tells of it, each time that a value lies within one of its type left out; `length` is how many of them were. */
export function toldNames(
  { recursiveValues }: Pick<EntityType, 'recursiveValues'>,
  names: readonly string[],
  isSame: (path: string, names: readonly string[]) => boolean = isWritten,
): { readonly names: readonly string[]; readonly left: number } {
  if (recursiveValues === undefined) return { names, left: 0 };
  const all = Object.entries(recursiveValues);
  let told: readonly string[] = [];
  for (const name of names) {
    const longer = [...told, name];
    told = all.find(([inner]) => isSame(inner, longer))?.[1].split('/') ?? longer;
  }
  return { names: told, left: names.length - told.length };
}

function isWritten(path: string, names: readonly string[]): boolean {
  return path === names.join('/');
}
