import type { Size } from './building.js';
import { decimalText, dollars } from './columns.js';
import { dayOf, dayText, type Life, type Move, todayDay } from './life.js';
import type { Place } from './places.js';
import type { PropertyKind } from './property-kinds.js';
import { chance, integer, orNull, pick, type Random, randomOf } from './random.js';

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

/** Asking prices, first to last, and the sale price; whole dollars, monthly for a lease. */
export interface Prices {
  readonly asked: readonly number[];
  readonly sold: number | null;
}

/** Prices by kind, size and town. */
export function pricesOf(seed: number, number: number, kind: PropertyKind, place: Place, size: Size, life: Life): Prices {
  const random = randomOf(seed, 'price', number);
  const first = rounded(kind, (valueOf(kind, place, size) * integer(random, 82, 125)) / 100);
  const asked = [first];
  for (const _ of life.priceChanges) asked.push(nextPrice(random, kind, asked[asked.length - 1] ?? first));
  const last = asked[asked.length - 1] ?? first;
  return { asked, sold: life.state === 'Sold' ? rounded(kind, (last * integer(random, 94, 106)) / 100) : null };
}

/** The usual price of the kind and size in the place. */
function valueOf(kind: PropertyKind, place: Place, size: Size): number {
  const building = (place.perSquareFoot * size.squareFeet * kind.factor) / 100;
  // A lot of the usual size is included in the price; more land counts less per acre.
  const acres = Math.max(0, size.lot - (kind.area ? 500 : 0)) / 1_000;
  const land = place.perAcre * (Math.min(acres, 1) + Math.max(0, Math.min(acres, 20) - 1) * 0.15 + Math.max(0, acres - 20) * 0.04);
  return Math.max(kind.lease ? 900 : 20_000, kind.lease ? building / 230 : building + land);
}

/** Prices as properties of the entity. A draft may have none. */
export function priceCells(seed: number, number: number, kind: PropertyKind, place: Place, prices: Prices, life: Life) {
  const random = randomOf(seed, 'text', number);
  const { asked, sold } = prices;
  const priced = life.state !== 'Incomplete' || chance(random, 0.7);
  const [last, previous] = [asked[asked.length - 1] ?? 0, asked[asked.length - 2]];
  return {
    TransactionType: kind.lease ? 'For Lease' : 'For Sale',
    ListPrice: priced ? dollars(last) : null,
    OriginalListPrice: priced ? dollars(asked[0] ?? 0) : null,
    PreviousListPrice: previous === undefined ? null : dollars(previous),
    SoldPrice: sold === null ? null : dollars(sold),
    ClosePrice: sold === null ? null : dollars(sold),
    ...feeOf(random, kind),
    ...taxOf(random, kind, place, last, life),
  };
}

function nextPrice(random: Random, kind: PropertyKind, price: number): number {
  const wished = rounded(kind, (price * (chance(random, 0.12) ? integer(random, 102, 108) : integer(random, 91, 98))) / 100);
  return wished === price ? price - (kind.lease ? 25 : 1_000) : wished;
}

// Asking prices end in 00, and many are just below a round number.
function rounded({ lease }: PropertyKind, price: number): number {
  if (lease) return Math.round(price / 25) * 25;
  const step = price < 200_000 ? 500 : 5_000;
  const round = Math.max(step, Math.round(price / step) * step);
  return Math.floor(price) % 2 === 0 ? round - 100 : round;
}

function feeOf(random: Random, kind: PropertyKind) {
  const owners = !kind.lease && (kind.subType === 'Condominium' || (kind.subType === 'Townhouse' && chance(random, 0.5)));
  const cents = integer(random, 14_000, 98_050);
  return {
    AssociationYN: kind.area && !kind.lease ? owners : null,
    AssociationFee: owners ? decimalText(cents, 2) : null,
    AssociationFeeFrequency: owners ? 'Monthly' : null,
  };
}

function taxOf(random: Random, kind: PropertyKind, place: Place, price: number, life: Life) {
  const known = !kind.lease && !chance(random, life.state === 'Incomplete' ? 0.6 : 0.08);
  const cents = Math.round((price * place.taxRate * integer(random, 60, 105)) / 10_000);
  const year = new Date(life.entered * 1000).getUTCFullYear() - integer(random, 0, 1);
  return { TaxAnnualAmount: known ? decimalText(cents, 2) : null, TaxYear: known ? orNull(random, 0.03, year) : null };
}
