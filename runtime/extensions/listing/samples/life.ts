import { ConfigError } from '../../../config/config.js';
import { own, type TransitionTable } from '../../../edm/index.js';
import { chance, integer, middling, pickWeighted, type Random, randomOf } from './random.js';

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
    throw new ConfigError(
      `The sample data has a transition from '${from}' to '${to}', which the model does not allow; change runtime/extensions/listing/samples/life.ts.`,
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

/** The frequencies of journeys; every step is a transition that the model permits. */
const journeys: readonly { readonly weight: number; readonly states: readonly string[] }[] = [
  { weight: 6, states: [] },
  { weight: 3, states: ['Coming Soon'] },
  { weight: 24, states: ['Active'] },
  { weight: 4, states: ['Coming Soon', 'Active'] },
  { weight: 2, states: ['Active', 'Hold', 'Active'] },
  { weight: 3, states: ['Active', 'Pending', 'Active'] },
  { weight: 5, states: ['Active', 'Active Under Contract'] },
  { weight: 6, states: ['Active', 'Pending'] },
  { weight: 2, states: ['Active', 'Active Under Contract', 'Pending'] },
  { weight: 2, states: ['Active', 'Hold'] },
  { weight: 4, states: ['Active', 'Withdrawn'] },
  { weight: 3, states: ['Active', 'Canceled'] },
  { weight: 1, states: ['Active', 'Withdrawn', 'Canceled'] },
  { weight: 6, states: ['Active', 'Expired'] },
  { weight: 16, states: ['Active', 'Sold'] },
  { weight: 10, states: ['Active', 'Pending', 'Sold'] },
  { weight: 3, states: ['Active', 'Active Under Contract', 'Pending', 'Sold'] },
  { weight: 2, states: ['Coming Soon', 'Active', 'Pending', 'Sold'] },
];

/** Days in each state before the next one, and the age of a current state. */
const stays: { readonly [state: string]: { readonly moves: readonly [number, number]; readonly since: readonly [number, number] } } = {
  Incomplete: { moves: [1, 20], since: [0, 90] },
  'Coming Soon': { moves: [3, 21], since: [0, 14] },
  Active: { moves: [3, 120], since: [0, 150] },
  'Active Under Contract': { moves: [3, 20], since: [0, 15] },
  Pending: { moves: [10, 60], since: [0, 45] },
  Hold: { moves: [5, 45], since: [0, 40] },
  Withdrawn: { moves: [5, 60], since: [0, 1_050] },
  Canceled: { moves: [1, 1], since: [0, 1_050] },
  Expired: { moves: [1, 1], since: [0, 1_050] },
  Sold: { moves: [1, 1], since: [0, 1_050] },
};

/** Seconds of a day. */
export const secondsOfDay = 86_400;

/** The end of the sample data; fixed, so that two runs give the same bytes. */
export const today = Date.UTC(2026, 10, 1) / 1000;

/** The day of `today`, counted from 1970. */
export const todayDay = today / secondsOfDay;

/** The day of a moment (UTC). */
export function dayOf(second: number): number {
  return Math.floor(second / secondsOfDay);
}

/** A moment within a day's working hours (13:00 to 23:59 UTC is morning to evening in North America). */
export function momentOf(day: number, share: number): number {
  return day * secondsOfDay + 46_800 + Math.floor(share * 39_600);
}

/** The last Monday 02:00 up to the moment, when nightly feeds modify many rows together. */
export function feedBefore(second: number): number {
  const shift = 4 * secondsOfDay + 7_200;
  const week = 7 * secondsOfDay;
  return Math.floor((second - shift) / week) * week + shift;
}

/** A moment as text, with seconds and `Z`. */
export function momentText(second: number): string {
  return `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
}

/** A day as text. */
export function dayText(day: number): string {
  return new Date(day * secondsOfDay * 1000).toISOString().slice(0, 10);
}
