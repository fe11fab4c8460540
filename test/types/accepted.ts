// Code that another project writes with `gable/types`. It compiles as it is, and runs without the package.
import type {
  EntityEventKey,
  LotSizeUnits,
  Media,
  Member,
  Property,
  PropertyCreate,
  PropertyKey,
  PropertyUpdate,
  StandardStatus,
} from 'gable/types';
import type { Config } from 'gable/config';

/** A draft has the members that a create requires, and omits unknown ones. */
export const draft: PropertyCreate = {
  ListAgentKey: 'M000001',
  ListOfficeKey: 'M000002',
  PropertyType: 'Residential',
  StreetNumber: '12',
  StreetName: 'Elm',
  City: 'Toronto',
};

/** Optional properties take their value, and null where the model says so. */
export const fullDraft: PropertyCreate = {
  ...draft,
  ListPrice: 500000.5,
  TaxYear: null,
  LotSizeArea: 40,
  LotSizeUnits: 'Square Feet',
  Heating: ['Forced Air', 'Natural Gas'],
  GarageYN: true,
  ListingContractDate: '2026-01-31',
  GeoLocation: { type: 'Point', coordinates: [-79.38, 43.65] },
  CoListAgentKey: null,
};

/** An update names who makes it; everything else is optional. */
export const touch: PropertyUpdate = { ChangedByMemberKey: 'M000001' };
export const publish: PropertyUpdate = { ...touch, StandardStatus: 'Active', ListPrice: 500000 };
export const clear: PropertyUpdate = { ...touch, PublicRemarks: null, Heating: [] };

/** A union names its values, so that a table over it is complete or does not compile. */
export const colours: Readonly<Record<StandardStatus, string>> = {
  Incomplete: 'grey',
  'Coming Soon': 'blue',
  Active: 'green',
  'Active Under Contract': 'orange',
  Pending: 'orange',
  Hold: 'yellow',
  Withdrawn: 'grey',
  Canceled: 'grey',
  Expired: 'grey',
  Sold: 'red',
};

export const acres: LotSizeUnits = 'Acres';

/** Keys are named, and are what the record has. */
export function keyOf(listing: Property): PropertyKey {
  return listing.ListingKey;
}

/** An Int64 key is a number, as it is on the wire. */
export const firstEvent: EntityEventKey = 1;

/** Expansions are there when they were asked for. */
export function photosOf({ Media: media }: Property): readonly Media[] {
  return media ?? [];
}

/** A navigation that may lead nowhere is undefined when not expanded, and null when empty. */
export function buyerOf({ BuyerAgent }: Property): Member | 'none' | 'not expanded' {
  return BuyerAgent === undefined ? 'not expanded' : (BuyerAgent ?? 'none');
}

/** Null is a case to write down. */
export function priceOf({ ListPrice }: Property): number {
  return ListPrice ?? 0;
}

/** A configuration in TypeScript is held to its type. */
export const config = { mode: 'lenient', diagnostics: { CSDL027: 'off' } } satisfies Config;
