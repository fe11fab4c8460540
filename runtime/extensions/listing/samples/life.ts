import { own } from '../../../edm/index.js';
import { type TransitionTable } from '../../../edm/rules.js';
import { journeys, stays } from './journeys.js';
import { momentOf, secondsOfDay, today, todayDay } from './moments.js';
import { chance, integer, middling, pickWeighted, randomOf, type Random } from './random.js';
import { SeedError } from './seed-error.js';

/** One move of a listing, with the properties that the model sets. */
export interface Move {
  readonly second: number;
  readonly from: string;
  readonly to: string;
  readonly sets: { readonly [property: string]: string };
}

/** The time of entry, the moves, and the times of price changes. */
export interface Life {
  readonly entered: number;
  readonly moves: readonly Move[];
  readonly priceChanges: readonly number[];
  readonly state: string;
}

/** The life of one listing up to `today`. */
export function lifeOf(seed: number, number: number, transitions: TransitionTable): Life {
  const random = randomOf(seed, 'life', number);
  const { states } = pickWeighted(random, journeys);
  const path = [transitions.initial, ...states];
  const days = movingDays(random, path);
  const moves = states.map((to, index) => move(transitions, path[index] ?? '', to, momentOf(days[index + 1] ?? 0, random())));
  return {
    entered: enteredAt(random, days[0] ?? 0, moves[0]),
    moves,
    priceChanges: priceChanges(random, moves),
    state: path[path.length - 1] ?? '',
  };
}

/** Rejects journeys that the model does not permit, before anything is written. */
export function checkJourneys(transitions: TransitionTable): void {
  for (const { states } of journeys) {
    states.forEach((to, index) => move(transitions, states[index - 1] ?? transitions.initial, to, 0));
  }
}

function move(transitions: TransitionTable, from: string, to: string, second: number): Move {
  const found = own(transitions.moves, from)?.find((each) => each.to === to);
  if (found === undefined) {
    throw new SeedError(
      `The sample data has a transition from '${from}' to '${to}', which the model does not allow; change runtime/extensions/listing/samples/journeys.ts.`,
    );
  }
  return { second, from, to, sets: found.sets ?? {} };
}

// Built backwards: the last move is some days ago, earlier ones precede it by the days of each stay.
function movingDays(random: Random, path: readonly string[]): readonly number[] {
  const [low, high] = stays[path[path.length - 1] ?? '']?.since ?? [0, 30];
  const days = [todayDay - 1 - integer(random, low, high)];
  for (const state of path.slice(0, -1).toReversed()) {
    const [least, most] = stays[state]?.moves ?? [1, 30];
    days.unshift((days[0] ?? 0) - middling(random, least, most));
  }
  return days;
}

// Many drafts are published within an hour of their entry.
function enteredAt(random: Random, day: number, first: Move | undefined): number {
  if (first !== undefined && chance(random, 0.5)) return first.second - integer(random, 600, 7_200);
  return momentOf(day, random());
}

function priceChanges(random: Random, moves: readonly Move[]): readonly number[] {
  return moves.flatMap(({ to, second }, index) => {
    const days = Math.floor(((moves[index + 1]?.second ?? today) - second) / secondsOfDay) - 1;
    if (to !== 'Active' || days < 8) return [];
    const count = chance(random, 0.55) ? 0 : integer(random, 1, Math.min(3, Math.floor(days / 8)));
    return Array.from({ length: count }, (_, change) => second + (change + 1) * 7 * secondsOfDay + integer(random, -20_000, 20_000));
  });
}
