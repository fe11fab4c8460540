/** Choices that a seed decides. */
export interface Random {
  readonly below: (limit: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly chance: (share: number) => boolean;
}

/** A generator of the kind xorshift32: small, and the same everywhere. */
export function createRandom(seed: number): Random {
  let state = (seed * 2654435761 + 1) >>> 0 || 1;
  const below = (limit: number): number => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    chance: (share) => below(1_000) < share * 1_000,
  };
}
