import type { Life, Move } from './life.js';
import { dayOf, dayText, todayDay } from './moments.js';
import { chance, integer, pick, randomOf, type Random } from './random.js';

/** The days of a listing as numbers, in their order. */
interface Days {
  readonly contract: number | null;
  readonly onMarket: number | null;
  readonly purchase: number | null;
  readonly offMarket: number | null;
  readonly close: number | null;
}

const offMarketStates = ['Hold', 'Withdrawn', 'Canceled', 'Expired'];
const terms = [90, 120, 180, 270, 365, 730, 1_460];

/** The dates of a listing, derived from its moves. */
export function dateCells(seed: number, number: number, life: Life) {
  const random = randomOf(seed, 'openHouses', number);
  const days = daysOf(random, life);
  const onMarket = days.onMarket === null ? null : (days.offMarket ?? todayDay) - days.onMarket;
  return {
    ListingContractDate: text(days.contract),
    OnMarketDate: text(days.onMarket),
    PurchaseContractDate: text(days.purchase),
    OffMarketDate: text(days.offMarket),
    CloseDate: text(days.close),
    ExpirationDate: text(days.contract === null ? null : expiration(random, life, days.contract, days.offMarket)),
    DaysOnMarket: onMarket,
    CumulativeDaysOnMarket: onMarket === null ? null : onMarket + (chance(random, 0.1) ? integer(random, 20, 240) : 0),
  };
}

function daysOf(random: Random, { moves, state, priceChanges, entered }: Life): Days {
  const first = moves[0];
  const published = moves.find(({ to }) => to === 'Active');
  const last = moves[moves.length - 1];
  const onMarket = published ? dayOf(published.second) : null;
  const sold = state === 'Sold' && last ? dayOf(last.second) : null;
  const earliest = Math.max(onMarket ?? 0, dayOf(priceChanges[priceChanges.length - 1] ?? 0));
  const purchase = purchaseDay(random, moves, state, sold, earliest);
  const left =
    last && offMarketStates.includes(state)
      ? dayOf(moves.find(({ to }) => offMarketStates.includes(to) && to !== 'Hold')?.second ?? last.second)
      : null;
  return {
    contract: first ? dayOf(first.second) - integer(random, 0, 6) : chance(random, 0.35) ? dayOf(entered) : null,
    onMarket,
    purchase,
    offMarket: left ?? (state === 'Pending' || state === 'Sold' ? purchase : null),
    close: sold,
  };
}

// The day on which the present offer was accepted; a sale entered directly had it some weeks before.
function purchaseDay(random: Random, moves: readonly Move[], state: string, sold: number | null, earliest: number): number | null {
  if (!['Active Under Contract', 'Pending', 'Sold'].includes(state)) return null;
  const active = moves.map(({ to }) => to).lastIndexOf('Active');
  const accepted = moves[active + 1];
  if (accepted === undefined) return null;
  return accepted.to === 'Sold' && sold !== null ? Math.max(earliest, sold - integer(random, 14, 60)) : dayOf(accepted.second);
}

function expiration(random: Random, { state, moves }: Life, contract: number, offMarket: number | null): number {
  const last = moves[moves.length - 1];
  if (state === 'Expired' && last) return dayOf(last.second);
  const ended = ['Withdrawn', 'Canceled', 'Sold'].includes(state);
  const needed = Math.max(ended ? (offMarket ?? 0) : todayDay, last ? dayOf(last.second) : 0) - contract;
  const long = terms.filter((term) => term > needed);
  return contract + pick(random, long.length > 0 ? long.slice(0, 2) : [needed + 90]);
}

function text(day: number | null): string | null {
  return day === null ? null : dayText(day);
}
