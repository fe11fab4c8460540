import type { Size } from './building.js';
import type { Row } from './columns.js';
import { decimalText } from './decimal-text.js';
import { roomFeatures } from './features.js';
import type { PropertyKind } from './property-kinds.js';
import { chance, integer, orNull, pickSome, randomOf, type Random } from './random.js';

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
