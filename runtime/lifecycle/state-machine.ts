import { own, type Transition, type TransitionTable } from '../edm/index.js';

/** What becomes of a wish to move: nothing to do, a move of the table, or no such move. */
type Move =
  | { readonly kind: 'stay' }
  | { readonly kind: 'move'; readonly transition: Transition }
  | { readonly kind: 'refused'; readonly allowed: readonly string[] };

/** Looks a move up in the model's table; staying where one is needs no row. */
export function moveBetween(table: TransitionTable, from: string, to: string): Move {
  if (from === to) return { kind: 'stay' };
  const moves = own(table.moves, from) ?? [];
  const transition = moves.find((candidate) => candidate.to === to);
  return transition ? { kind: 'move', transition } : { kind: 'refused', allowed: moves.map((move) => move.to) };
}
