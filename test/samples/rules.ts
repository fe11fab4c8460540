import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import type { CopyValue } from '../../runtime/database/copy.js';
import type { Listing } from '../../runtime/extensions/listing/samples/listing.js';
import { places } from '../../runtime/extensions/listing/samples/places.js';

/** A rule for every listing of the sample data, with its description for failures. */
interface Rule {
  readonly what: string;
  readonly holds: (listing: Listing, container: EntityContainer) => boolean;
}

const offMarket = ['Withdrawn', 'Canceled', 'Expired', 'Sold', 'Pending'];

// oxfmt-ignore
/** One row per rule. */
export const rules: readonly Rule[] = [
  { what: 'a draft has a draft key, and every other listing its number', holds: ({ property, number }) => property.ListingKey === (draft(property) ? `Draft${number}` : `${number}`) },
  { what: 'the states are those of the last move', holds: statesAgree },
  { what: 'each move in the history is one that the model allows, from the state before', holds: movesAllowed },
  { what: 'town, county, province, country, postal code and point belong together', holds: ({ property }) => placeAgrees(property) },
  { what: 'the point is made of latitude and longitude', holds: ({ property: p }) => p.GeoLocation === (p.Latitude === null ? null : `(${String(p.Longitude)},${String(p.Latitude)})`) },
  { what: 'a rent is a rent and a price is a price', holds: ({ property: p }) => p.ListPrice === null || (p.TransactionType === 'For Lease' ? within(p.ListPrice, 500, 60_000) : within(p.ListPrice, 10_000, 40_000_000)) },
  { what: 'the price of a home fits its size and town', holds: ({ property }) => priceFits(property) },
  { what: 'only a sold listing has a price and a day of the sale', holds: ({ property: p }) => [p.SoldPrice, p.ClosePrice, p.CloseDate].every((cell) => (cell !== null) === (p.StandardStatus === 'Sold')) },
  { what: 'the closing price is the sold price, near the asked one', holds: ({ property: p }) => p.SoldPrice === null || (p.ClosePrice === p.SoldPrice && within(Number(p.SoldPrice) / Number(p.ListPrice), 0.9, 1.1)) },
  { what: 'dates are in order', holds: ({ property: p }) => ordered(p.ListingContractDate, p.OnMarketDate, p.PurchaseContractDate, p.CloseDate) && ordered(p.OnMarketDate, p.OffMarketDate) && ordered(p.ListingContractDate, p.ExpirationDate) },
  { what: 'who left the market has the day, and who is on it has none', holds: ({ property: p }) => p.StandardStatus === 'Hold' || (p.OffMarketDate !== null) === offMarket.includes(String(p.StandardStatus)) },
  { what: 'days on the market follow from the dates', holds: ({ property: p }) => p.DaysOnMarket === (p.OnMarketDate === null ? null : days(p.OnMarketDate, p.OffMarketDate ?? '2026-11-01')) },
  { what: 'the property was on the market at least as long as the listing', holds: ({ property: p }) => Number(p.CumulativeDaysOnMarket) >= Number(p.DaysOnMarket) },
  { what: 'the agreement of what is on offer, held or pending has not expired', holds: ({ property: p }) => !['Coming Soon', 'Active', 'Active Under Contract', 'Pending', 'Hold'].includes(String(p.StandardStatus)) || String(p.ExpirationDate) >= '2026-11-01' },
  { what: 'photos are counted', holds: ({ property: p, media }) => p.PhotosCount === media.length && media.length <= 25 },
  { what: 'photos are numbered and the first is preferred', holds: ({ media }) => media.every(({ Order, PreferredPhotoYN }, index) => Order === index && PreferredPhotoYN === (index === 0)) },
  { what: 'the stamp of the photos is that of the latest', holds: ({ property: p, media }) => p.PhotosChangeTimestamp === latest(media.map(({ MediaModificationTimestamp }) => MediaModificationTimestamp)) },
  { what: 'rooms are those that were counted', holds: ({ property, rooms }) => rooms.length === 0 || roomsFit(property, rooms) },
  { what: 'bathrooms add up', holds: ({ property: p }) => p.BathroomsTotalInteger === null || p.BathroomsTotalInteger === Number(p.BathroomsFull) + Number(p.BathroomsHalf) },
  { what: 'an area has a unit, and no unit stands alone', holds: ({ property: p }) => [[p.LivingArea, p.LivingAreaUnits], [p.BuildingAreaTotal, p.BuildingAreaUnits], [p.LotSizeArea, p.LotSizeUnits]].every(([area, unit]) => (area === null) === (unit === null)) },
  { what: 'the lot in acres is the lot', holds: ({ property }) => lotAgrees(property) },
  { what: 'bare land has no building', holds: ({ property: p }) => p.PropertyType !== 'Land' || [p.BedroomsTotal, p.YearBuilt, p.LivingArea, p.BuildingAreaTotal, p.GarageYN].every((cell) => cell === null) },
  { what: 'garage and fireplace are there when they are counted', holds: ({ property: p }) => (p.GarageSpaces !== null) === (p.GarageYN === true) && (Number(p.FireplacesTotal) > 0) === (p.FireplaceYN === true) },
  { what: 'the stamps are those of the history', holds: stampsAgree },
  { what: 'prices are those of the history', holds: pricesAgree },
  { what: 'nothing changed before the entry or after the last modification', holds: ({ property: p, history }) => history.every(({ ModificationTimestamp: at }) => String(p.OriginalEntryTimestamp) <= String(at) && String(at) <= String(p.ModificationTimestamp)) && String(p.OriginalEntryTimestamp) <= String(p.ModificationTimestamp) },
  { what: 'all of it happened before today, except visits to come', holds: ({ property: p, openHouses }) => String(p.ModificationTimestamp) < '2026-11-01' && openHouses.every((visit) => String(visit.ModificationTimestamp) < '2026-11-01') },
  { what: 'a visit to come is to something on offer', holds: ({ property: p, openHouses }) => openHouses.every((visit) => visit.OpenHouseStatus !== 'Active' || p.StandardStatus === 'Active') },
  { what: 'visits ended exactly when they are past', holds: ({ openHouses }) => openHouses.every((visit) => visit.OpenHouseStatus === 'Canceled' || (visit.OpenHouseStatus === 'Ended') === String(visit.OpenHouseDate) < '2026-11-01') },
  { what: 'there is one event for the entry and one for every later moment of change', holds: ({ events, history }) => events.length >= new Set(history.map((row) => row.ModificationTimestamp)).size },
  { what: 'what hangs on it carries its key', holds: ({ property: p, media, rooms, openHouses, history }) => [...media, ...history].every((row) => row.ResourceRecordKey === p.ListingKey) && [...rooms, ...openHouses].every((row) => row.ListingKey === p.ListingKey) },
];

type Property = Listing['property'];

function draft(property: Property): boolean {
  return property.StandardStatus === 'Incomplete';
}

function statesAgree({ property: p, history }: Listing, container: EntityContainer): boolean {
  const states = ['StandardStatus', 'ContractStatus', 'MlsStatus'] as const;
  return states.every(
    (name) =>
      p[name] === (history.findLast((row) => row.FieldName === name)?.NewValue ?? container.entityTypes['Property']?.fields[name]?.default),
  );
}

function movesAllowed({ history }: Listing, container: EntityContainer): boolean {
  const transitions = container.entityTypes['Property']?.transitions;
  let state = transitions?.initial;
  return history
    .filter((row) => row.FieldName === 'StandardStatus')
    .every(({ PreviousValue, NewValue }) => {
      const move = transitions?.moves[String(state)]?.find(({ to }) => to === NewValue);
      const agrees = PreviousValue === state && move !== undefined;
      state = String(NewValue);
      return agrees;
    });
}

function placeAgrees({
  City,
  CountyOrParish,
  StateOrProvince,
  Country,
  PostalCode,
  SubdivisionName,
  Latitude,
  Longitude,
}: Property): boolean {
  const place = places.find(({ city }) => city === City);
  const area = place?.areas.find(([, postal]) => String(PostalCode).startsWith(postal));
  if (place === undefined || area === undefined) return false;
  const near = Latitude === null || (Math.abs(Number(Latitude) - area[2]) < 0.02 && Math.abs(Number(Longitude) - area[3]) < 0.02);
  const form = Country === 'US' ? /^\d{5}(-\d{4})?$/ : /^[A-Z]\d[A-Z] \d[A-Z]\d$/;
  const same = [CountyOrParish, StateOrProvince, Country].every(
    (cell, index) => cell === [place.county, place.state, place.country][index],
  );
  return near && same && form.test(String(PostalCode)) && [null, area[0]].includes(SubdivisionName as string | null);
}

function priceFits({ PropertyType, PropertySubType, ListPrice, LivingArea, LivingAreaUnits, City }: Property): boolean {
  if (PropertyType !== 'Residential' || PropertySubType === 'Cabin' || ListPrice === null || LivingArea === null) return true;
  const squareFeet = Number(LivingArea) * (LivingAreaUnits === 'Square Meters' ? 10.7639 : 1);
  const usual = places.find(({ city }) => city === City)?.perSquareFoot ?? 0;
  return within(Number(ListPrice) / squareFeet / usual, 0.55, 2);
}

function lotAgrees({ LotSizeArea, LotSizeUnits, LotSizeAcres }: Property): boolean {
  const acres: { readonly [unit: string]: number } = {
    Acres: 1,
    Hectares: 2.471054,
    'Square Feet': 1 / 43_560,
    'Square Meters': 1 / 4_046.856,
  };
  return LotSizeArea === null || within((Number(LotSizeArea) * (acres[String(LotSizeUnits)] ?? 0)) / Number(LotSizeAcres), 0.99, 1.01);
}

function roomsFit({ BedroomsTotal, BathroomsTotalInteger, RoomsTotal }: Property, rooms: Listing['rooms']): boolean {
  const count = (end: string): number => rooms.filter(({ RoomType }) => String(RoomType).endsWith(end)).length;
  return (
    count('Bedroom') === BedroomsTotal && count('Bathroom') === BathroomsTotalInteger && rooms.length - count('Bathroom') === RoomsTotal
  );
}

function stampsAgree({ property: p, history }: Listing): boolean {
  const at = (name: string): CopyValue => history.findLast((row) => row.FieldName === name)?.ModificationTimestamp ?? null;
  return (
    p.StatusChangeTimestamp === at('StandardStatus') &&
    p.PriceChangeTimestamp === at('ListPrice') &&
    p.MajorChangeTimestamp === latest([at('StandardStatus'), at('ListPrice')])
  );
}

function pricesAgree({ property: p, history }: Listing): boolean {
  const changes = history.filter((row) => row.FieldName === 'ListPrice');
  const last = changes[changes.length - 1];
  const chained = changes.every(
    (row, index) => row.PreviousValue === (changes[index - 1]?.NewValue ?? p.OriginalListPrice) && row.PreviousValue !== row.NewValue,
  );
  return chained && p.PreviousListPrice === (last?.PreviousValue ?? null) && p.ListPrice === (last?.NewValue ?? p.OriginalListPrice);
}

function within(value: CopyValue, low: number, high: number): boolean {
  return Number(value) >= low && Number(value) <= high;
}

function ordered(...cells: readonly CopyValue[]): boolean {
  const known = cells.filter((cell) => cell !== null).map(String);
  return known.every((cell, index) => index === 0 || (known[index - 1] ?? '') <= cell);
}

function days(from: CopyValue, to: CopyValue): number {
  return (Date.parse(String(to)) - Date.parse(String(from))) / 86_400_000;
}

function latest(cells: readonly CopyValue[]): string | null {
  return (
    cells
      .filter((cell) => cell !== null)
      .map(String)
      .sort()
      .at(-1) ?? null
  );
}
