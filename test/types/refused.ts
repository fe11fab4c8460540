// Code that must not compile. Each directive is followed by the compiler's code and the reason; the test checks both.
import type { LotSizeUnits, MemberKey, Property, PropertyCreate, PropertyUpdate, StandardStatus } from 'gable/types';

declare const listing: Property;

const required = {
  ListAgentKey: 'M000001',
  ListOfficeKey: 'M000002',
  PropertyType: 'Residential',
  StreetNumber: '12',
  StreetName: 'Elm',
} as const;
const draft = { ...required, City: 'Toronto' } as const;
const changed = { ChangedByMemberKey: 'M000001' } as const;

// @ts-expect-error 2741: City is required on create.
export const withoutCity: PropertyCreate = required;

// @ts-expect-error 2353: the service gives the key.
export const withKey: PropertyCreate = { ...draft, ListingKey: '1' };

// @ts-expect-error 2353: ModificationTimestamp is computed.
export const withStamp: PropertyCreate = { ...draft, ModificationTimestamp: '2026-01-31T00:00:00Z' };

// @ts-expect-error 2353: a draft begins in its initial state.
export const withState: PropertyCreate = { ...draft, StandardStatus: 'Active' };

// @ts-expect-error 2353: the model has no Colour.
export const withUnknown: PropertyCreate = { ...draft, Colour: 'red' };

// @ts-expect-error 2561: a misspelt name is an unknown one.
export const withMisspelt: PropertyCreate = { ...draft, ListPrise: 1 };

// @ts-expect-error 2353: related records are not created along with a listing.
export const withMedia: PropertyCreate = { ...draft, Media: [] };

// @ts-expect-error 2322: a required property is never null.
export const withNullCity: PropertyCreate = { ...required, City: null };

// @ts-expect-error 2322: a price is a number.
export const withTextPrice: PropertyCreate = { ...draft, ListPrice: '500000' };

// @ts-expect-error 2322: a house number is text.
export const withNumericStreet: PropertyCreate = { ...draft, StreetNumber: 12 };

// @ts-expect-error 2322: yes or no is a boolean.
export const withTextFlag: PropertyCreate = { ...draft, GarageYN: 'Y' };

// @ts-expect-error 2322: a collection is a list, also of one.
export const withSingleHeating: PropertyCreate = { ...draft, Heating: 'Forced Air' };

// @ts-expect-error 2322: a collection is empty, never null.
export const withNullHeating: PropertyCreate = { ...draft, Heating: null };

// @ts-expect-error 2322: a position is longitude and latitude.
export const withHalfPosition: PropertyCreate = { ...draft, GeoLocation: { type: 'Point', coordinates: [-79.38] } };

// @ts-expect-error 2322: the unit is one of the model's.
export const withWrongUnit: PropertyCreate = { ...draft, LotSizeUnits: 'Feet' };

// @ts-expect-error 2375: left out is not the same as undefined.
export const withUndefined: PropertyCreate = { ...draft, ListPrice: undefined };

// @ts-expect-error 2741: an update names the member who makes it.
export const withoutMember: PropertyUpdate = { ListPrice: 1 };

// @ts-expect-error 2322: and that member is somebody.
export const withNullMember: PropertyUpdate = { ChangedByMemberKey: null };

// @ts-expect-error 2353: a key never changes.
export const withNewKey: PropertyUpdate = { ...changed, ListingKey: '2' };

// @ts-expect-error 2820: a state has its exact spelling.
export const withSmallState: PropertyUpdate = { ...changed, StandardStatus: 'active' };

// @ts-expect-error 2322: a required property cannot be emptied.
export const withEmptiedCity: PropertyUpdate = { ...changed, City: null };

// @ts-expect-error 2322: Closed is not a state of this model.
export const closed: StandardStatus = 'Closed';

// @ts-expect-error 2322: a unit is not a state.
export const unit: LotSizeUnits = listing.StandardStatus;

// @ts-expect-error 2322: a key of a member is text.
export const member: MemberKey = 1;

// @ts-expect-error 18047: a price may be null.
export const doubled = listing.ListPrice * 2;

// @ts-expect-error 2532: a list may be empty.
export const firstHeating = listing.Heating[0].length;

// @ts-expect-error 18048: an expansion is there only when it was asked for.
export const photos = listing.Media.length;

// @ts-expect-error 2339: the model has no Colour to read.
export const colour = listing.Colour;
