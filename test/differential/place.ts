import type { fc } from '../support/fast-check.js';
import type { Expression } from './expression.js';
import type { Names } from './names.js';

/** A generator of expressions. */
export type Expressions = fc.Arbitrary<Expression>;

/** Where an expression stands: its names, and how much may still be nested. */
export interface Place {
  readonly names: Names;
  readonly depth: number;
  readonly lambdas: number;
}

const memo = new WeakMap<Names, Map<string, Expressions>>();

/** The same arbitrary stands in many places; made once, or their number would grow with the power of the depth. */
export function once(name: string, place: Place, make: () => Expressions): Expressions {
  const known = memo.get(place.names) ?? new Map<string, Expressions>();
  memo.set(place.names, known);
  const key = `${name} ${place.depth} ${place.lambdas}`;
  const made = known.get(key) ?? make();
  known.set(key, made);
  return made;
}

/** The place of what is within. */
export const inner = (place: Place): Place => ({ ...place, depth: place.depth - 1 });
