/** A stream of numbers from 0 up to 1, reproducible on every machine. */
export type Random = () => number;

/** One stream per part of a listing, so that a change to one part leaves the others unchanged. */
// oxfmt-ignore
const streams = ['life', 'kind', 'address', 'building', 'price', 'people', 'media', 'rooms', 'openHouses', 'text', 'member', 'office', 'lot', 'site', 'features'] as const;

/** The stream of one part of one entity; integer arithmetic only, which no engine rounds differently. */
export function randomOf(seed: number, stream: (typeof streams)[number], index: number): Random {
  let state = mix(mix(mix(mix(seed) ^ Math.floor(seed / 2 ** 32)) ^ (streams.indexOf(stream) + 1)) ^ index);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) / 2 ** 32;
  };
}

/** A whole number from low to high, both included. */
export function integer(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** A whole number from low to high, mostly near the middle. */
export function middling(random: Random, low: number, high: number): number {
  return low + Math.floor(((random() + random() + random()) / 3) * (high - low + 1));
}

/** True with the given probability. */
export function chance(random: Random, share: number): boolean {
  return random() < share;
}

/** A random item. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('Nothing can be picked from an empty list.');
  return item;
}

/** A random item by weight. */
export function pickWeighted<Item extends { readonly weight: number }>(random: Random, items: readonly Item[]): Item {
  let left = random() * items.reduce((sum, { weight }) => sum + weight, 0);
  const found = items.find(({ weight }) => (left -= weight) < 0);
  return found ?? pick(random, items);
}

/** Random distinct items, in the list's order. */
export function pickSome<Item>(random: Random, items: readonly Item[], low: number, high: number): readonly Item[] {
  let wanted = Math.min(integer(random, low, high), items.length);
  return items.filter((_, index) => {
    const taken = random() * (items.length - index) < wanted;
    if (taken) wanted -= 1;
    return taken;
  });
}

/** The value, or null with the given probability: real data has gaps. */
export function orNull<Value>(random: Random, share: number, value: Value): Value | null {
  return random() < share ? null : value;
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
