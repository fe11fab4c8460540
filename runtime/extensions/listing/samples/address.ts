import { decimalText } from './columns.js';
import { type Area, type Place, places } from './places.js';
import type { PropertyKind } from './property-kinds.js';
import { chance, integer, middling, orNull, pick, pickWeighted, type Random, randomOf } from './random.js';
import { directions } from './remarks.js';

/** The town of a listing, and the area within it. */
export interface Site {
  readonly place: Place;
  readonly area: Area;
}

const letters = 'ABCEGHJKLMNPRSTVWXYZ';

/** The location of a listing. */
export function siteOf(seed: number, number: number): Site {
  const random = randomOf(seed, 'site', number);
  const place = pickWeighted(random, places);
  return { place, area: pick(random, place.areas) };
}

/** The address of a listing, consistent with its town and area. */
export function addressOf(seed: number, number: number, site: Site, kind: PropertyKind) {
  const random = randomOf(seed, 'address', number);
  const { place, area } = site;
  const street = streetOf(random, place);
  const cross = pick(random, streetNames[place.streets].names);
  const unit = kind.unit ? unitOf(random) : null;
  const postal = postalCode(random, place, area);
  const streetNumber = numberOf(random);
  return {
    ...street,
    ...positionOf(random, area),
    StreetNumber: streetNumber,
    StreetNumberNumeric: Number.parseInt(streetNumber, 10),
    UnitNumber: unit,
    City: place.city,
    CountyOrParish: place.county,
    StateOrProvince: place.state,
    Country: place.country,
    PostalCode: postal,
    SubdivisionName: orNull(random, 0.12, area[0]),
    CrossStreet: orNull(random, 0.4, cross),
    Directions: orNull(random, 0.5, pick(random, directions).replaceAll('{cross}', cross)),
    UnparsedAddress: orNull(
      random,
      0.05,
      `${streetNumber} ${oneLine(place, street)}${unit === null ? '' : ` ${unit}`}, ${place.city}, ${place.state} ${postal}`,
    ),
  };
}

interface Street {
  readonly StreetDirPrefix: string | null;
  readonly StreetName: string;
  readonly StreetSuffix: string | null;
}

function streetOf(random: Random, { streets }: Place): Street {
  const { names, suffixes, directions: prefixes } = streetNames[streets];
  return {
    StreetDirPrefix: orNull(random, 0.88, pick(random, prefixes)),
    StreetName: pick(random, names),
    StreetSuffix: orNull(random, 0.03, pick(random, suffixes)),
  };
}

function oneLine({ streets }: Place, { StreetDirPrefix, StreetName, StreetSuffix }: Street): string {
  const parts = streets === 'french' ? [StreetSuffix, StreetName, StreetDirPrefix] : [StreetDirPrefix, StreetName, StreetSuffix];
  return parts.filter((part) => part !== null).join(' ');
}

function numberOf(random: Random): string {
  const number = chance(random, 0.7) ? integer(random, 1, 399) : integer(random, 400, 9_899);
  if (chance(random, 0.04)) return `${number}${pick(random, ['A', 'B', ' ½'])}`;
  return chance(random, 0.02) ? `${number}-${number + 4}` : String(number);
}

function unitOf(random: Random): string {
  if (chance(random, 0.08)) return pick(random, ['PH1', 'PH02', 'TH 4', 'Lower', 'Main']);
  return `${integer(random, 1, 32)}${String(integer(random, 1, 18)).padStart(2, '0')}`;
}

function postalCode(random: Random, { country }: Place, [, prefix]: Area): string {
  if (country === 'US') return chance(random, 0.15) ? `${prefix}-${integer(random, 1000, 9999)}` : prefix;
  return `${prefix} ${integer(random, 1, 9)}${letters[integer(random, 0, letters.length - 1)] ?? 'A'}${integer(random, 0, 9)}`;
}

// In millionths of a degree, within about a kilometre and a half of the area's centre.
function positionOf(random: Random, [, , latitude, longitude]: Area) {
  const north = decimalText(Math.round(latitude * 1e6) + middling(random, -13_000, 13_000), 6);
  const east = decimalText(Math.round(longitude * 1e6) + middling(random, -18_000, 18_000), 6);
  const known = !chance(random, 0.06);
  return { Latitude: known ? north : null, Longitude: known ? east : null, GeoLocation: known ? `(${east},${north})` : null };
}

interface StreetNames {
  readonly names: readonly string[];
  readonly suffixes: readonly string[];
  readonly directions: readonly string[];
}

// oxfmt-ignore
/** Names, suffixes and directions of streets by language. */
export const streetNames: { readonly [language in 'english' | 'french']: StreetNames } = {
  english: {
    names: [
      'Maple', 'King', 'Queen', 'Main', 'Church', "O'Connor", "D'Arcy", 'St. Clair', 'Lakeshore', 'Elgin', 'Wellington', 'Birch',
      'Cedar', 'Dundas', 'Victoria', 'Albert', 'Riverside', 'Hunt Club', "King's Mill", 'Heron', 'Bank', 'Simcoe', 'Ridgeway',
      'Orchard', 'Mill', 'Sherwood Forest', 'Old Orchard', "Saddler's Croft", 'Brock', 'Talbot', 'Oxford', '1st', '42nd',
      'County Road 12', 'Concession 7', 'Lake', 'Park', 'Willow', 'Chestnut', 'Fox Hollow', 'Stone', 'Princess', 'Cathcart',
      'Pine Ridge', 'Meadowlands', 'Fernbank', 'St. Lawrence', 'Kingfisher',
    ],
    suffixes: ['Street', 'Avenue', 'Road', 'Drive', 'Crescent', 'Boulevard', 'Court', 'Lane', 'Way', 'Trail', 'Place', 'Circle'],
    directions: ['N', 'S', 'E', 'W', 'NE', 'SW'],
  },
  french: {
    names: [
      'Saint-Denis', "de l'Église", 'Sherbrooke', 'Saint-André', 'de Lorimier', 'Papineau', 'des Érables', "de l'Hôtel-de-Ville",
      'Laurier', 'Beaubien', 'Garnier', 'Marquette', 'Saint-Hubert', 'Bélanger', 'des Forges', 'Notre-Dame', 'Décarie', 'Monkland',
      'Girouard', "d'Orléans",
    ],
    suffixes: ['Rue', 'Avenue', 'Boulevard', 'Chemin', 'Place'],
    directions: ['E', 'O'],
  },
};
