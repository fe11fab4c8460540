import { decimalText, type Row } from './columns.js';
import { roomFeatures } from './features.js';
import type { Place } from './places.js';
import type { PropertyKind } from './property-kinds.js';
import { chance, integer, middling, orNull, pickSome, type Random, randomOf } from './random.js';

/** The numbers that price and rooms depend on. */
export interface Size {
  readonly squareFeet: number;
  readonly bedrooms: number;
  readonly full: number;
  readonly half: number;
  readonly stories: number;
  readonly built: number;
  /** Thousandths of an acre; 0 for a property without its own lot. */
  readonly lot: number;
}

/** The size of a property of the kind; more bedrooms imply more space. */
export function sizeOf(seed: number, number: number, kind: PropertyKind): Size {
  const random = randomOf(seed, 'building', number);
  const bedrooms = kind.bedrooms ? middling(random, ...kind.bedrooms) : 0;
  const full = kind.bedrooms ? Math.max(1, integer(random, Math.floor(bedrooms / 2), Math.max(1, bedrooms - 1))) : 0;
  const half = kind.bedrooms && bedrooms > 1 ? integer(random, 0, 1) : 0;
  return {
    squareFeet: kind.area ? areaOf(random, kind.area, kind.bedrooms, bedrooms) : 0,
    bedrooms,
    full,
    half,
    stories: integer(random, ...kind.stories),
    built: chance(random, 0.2) ? integer(random, 1860, 1945) : integer(random, 1946, 2022),
    lot: kind.lot ? lotOf(random, kind.lot) : 0,
  };
}

/** The size as properties of the entity; nulls for a property without a building. */
export function buildingOf(seed: number, number: number, kind: PropertyKind, place: Place, size: Size) {
  const random = randomOf(seed, 'lot', number);
  const home = kind.bedrooms !== undefined;
  const total = kind.use === 'business' ? size.squareFeet : Math.floor((size.squareFeet * integer(random, 100, 135)) / 100);
  const unit = place.metric ? 'Square Meters' : 'Square Feet';
  const living = home && !chance(random, 0.05);
  const whole = kind.area !== undefined && !chance(random, home ? 0.3 : 0.04);
  return {
    BedroomsTotal: home ? size.bedrooms : null,
    BathroomsTotalInteger: home ? size.full + size.half : null,
    BathroomsFull: home ? size.full : null,
    BathroomsHalf: home ? size.half : null,
    Stories: kind.area ? orNull(random, 0.1, size.stories) : null,
    YearBuilt: kind.area ? orNull(random, 0.14, size.built) : null,
    LivingArea: living ? areaText(place, size.squareFeet) : null,
    LivingAreaUnits: living ? unit : null,
    BuildingAreaTotal: whole ? areaText(place, total) : null,
    BuildingAreaUnits: whole ? unit : null,
    ...lotText(random, place, size.lot),
  };
}

// The floor area grows with the number of bedrooms, with some variation.
function areaOf(
  random: Random,
  [low, high]: readonly [number, number],
  range: readonly [number, number] | undefined,
  bedrooms: number,
): number {
  const share = range ? (bedrooms - range[0] + random()) / (range[1] - range[0] + 1) : random() * random();
  return low + Math.floor((high - low) * (0.75 * share + 0.25 * random()));
}

// Small lots are common, large ones rare.
function lotOf(random: Random, [low, high]: readonly [number, number]): number {
  return low + Math.floor((high - low) * random() * random() * random());
}

function areaText({ metric }: Place, squareFeet: number): string {
  return metric ? decimalText(Math.round(squareFeet * 9.290304), 2) : decimalText(squareFeet * 100, 2);
}

const none = { LotSizeArea: null, LotSizeUnits: null, LotSizeAcres: null };

function lotText(random: Random, { metric }: Place, lot: number) {
  if (lot === 0 || chance(random, 0.05)) return none;
  const acres = decimalText(lot * 10, 4);
  if (metric && lot > 5_000)
    return { LotSizeArea: decimalText(Math.round(lot * 4.046856), 4), LotSizeUnits: 'Hectares', LotSizeAcres: acres };
  if (metric) return { LotSizeArea: decimalText(Math.round(lot * 40_468.56), 4), LotSizeUnits: 'Square Meters', LotSizeAcres: acres };
  if (lot < 500) return { LotSizeArea: decimalText(lot * 435_600, 4), LotSizeUnits: 'Square Feet', LotSizeAcres: acres };
  return { LotSizeArea: acres, LotSizeUnits: 'Acres', LotSizeAcres: acres };
}

const levels = ['Main', 'Second', 'Third', 'Fourth'];
const more = ['Dining Room', 'Laundry', 'Family Room', 'Office', 'Den', 'Mud Room'];

/** The rooms of a listing: every bedroom and bathroom of the entity, and some others. */
export function roomsOf(
  seed: number,
  number: number,
  listingKey: string,
  kind: PropertyKind,
  size: Size,
  draft: boolean,
  modified: string,
): readonly Row<'PropertyRooms'>[] {
  const random = randomOf(seed, 'rooms', number);
  const described = kind.bedrooms !== undefined && !chance(random, draft ? 0.5 : 0.06);
  return described
    ? roomTypes(random, size).map((type, index) => room(random, type, { number, listingKey, index, stories: size.stories, modified }))
    : [];
}

/** The number of rooms without bathrooms; null where rooms are not described. */
export function roomsTotal(rooms: readonly Row<'PropertyRooms'>[]): number | null {
  return rooms.length === 0 ? null : rooms.filter(({ RoomType }) => RoomType !== 'Bathroom').length;
}

function roomTypes(random: Random, { bedrooms, full, half, squareFeet }: Size): readonly string[] {
  const beds = Array.from({ length: bedrooms }, (_, index) => (index === 0 ? 'Primary Bedroom' : 'Bedroom'));
  const baths = Array.from({ length: full + half }, () => 'Bathroom');
  return [
    'Kitchen',
    'Living Room',
    ...beds,
    ...baths,
    ...(squareFeet > 900 ? pickSome(random, more, 0, Math.min(2, Math.floor(squareFeet / 1_100))) : []),
  ];
}

interface RoomSite {
  readonly number: number;
  readonly listingKey: string;
  readonly index: number;
  readonly stories: number;
  readonly modified: string;
}

function room(random: Random, type: string, { number, listingKey, index, stories, modified }: RoomSite): Row<'PropertyRooms'> {
  const [width, length] = [integer(random, 6, 14), integer(random, 8, 22)];
  const measured = !chance(random, type === 'Bathroom' ? 0.6 : 0.12);
  const upstairs = type.endsWith('Bedroom') || type === 'Bathroom' ? integer(random, 0, Math.min(stories, levels.length) - 1) : 0;
  return {
    RoomKey: `${number}-R${index + 1}`,
    ListingKey: listingKey,
    RoomType: type,
    RoomLevel: orNull(random, 0.1, levels[Math.max(0, upstairs)] ?? 'Main'),
    RoomDimensions: measured ? `${length}' x ${width}'` : null,
    RoomDescription: orNull(random, 0.85, type === 'Kitchen' ? 'Island with seating for four; "chef\'s" range.' : 'Freshly painted.'),
    RoomArea: measured ? decimalText(width * length * 100, 2) : null,
    RoomFeatures: chance(random, 0.4) ? pickSome(random, roomFeatures, 1, 3) : [],
    Order: index,
    ModificationTimestamp: modified,
  };
}
