import { own, type Transition, type TransitionTable } from '../edm/index.js';

/** The result of a requested transition: none needed, a row of the table, or none exists. */
type Move =
  | { readonly kind: 'stay' }
  | { readonly kind: 'move'; readonly transition: Transition }
  | { readonly kind: 'refused'; readonly allowed: readonly string[] };

/** Looks a transition up in the model's table; staying in a state needs no row. */
export function moveBetween(table: TransitionTable, from: string, to: string): Move {
  if (from === to) return { kind: 'stay' };
  const moves = own(table.moves, from) ?? [];
  const transition = moves.find((candidate) => candidate.to === to);
  return transition ? { kind: 'move', transition } : { kind: 'refused', allowed: moves.map((move) => move.to) };
}
