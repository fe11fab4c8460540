import type { Size } from './building.js';
import { decimalText, dollars } from './decimal-text.js';
import type { Life } from './life.js';
import type { Place } from './places.js';
import type { PropertyKind } from './property-kinds.js';
import { chance, integer, orNull, randomOf, type Random } from './random.js';

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
