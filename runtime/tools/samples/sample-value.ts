import type { ComplexType, EntityContainer, Field, PrimitiveTypeName } from '../../edm/index.js';
import { complexTypeOf, isNumeric, own, complexTypeNamed } from '../../edm/index.js';
import { namedMembers } from '../../expression/enum-members.js';
import { type Json, jsonObject } from '../../json/json.js';
import { validateLimits } from '../../plan/value/compare-values.js';
import { daysLater, oneOf, plausibleNumber, plausibleText } from './sample-texts.js';
import { memoized } from '../../edm/memoized.js';

/** The position of a sample value. */
interface SamplePlace {
  readonly container: EntityContainer;
  readonly name: string;
  /** The type that has the property: a property called Name is its name. */
  readonly owner?: string;
  /** From 0; different indexes give different values, as far as the type has them. */
  readonly index: number;
  /** Part of a key, which other entities repeat in properties that may be shorter. */
  readonly isKey?: boolean;
  /** The nesting depth within complex values. */
  readonly depth: number;
}

/** A plausible value within the facets of its property, the same for the same position; null where none fits and null is allowed. */
export function sampleValue(field: Field, place: SamplePlace): Json {
  if (field.collection) return { kind: 'array', items: place.depth > 1 ? [] : [sampleItem(field, place)].filter((item) => item !== null) };
  if (field.nullable && place.depth > 1 && field.type === 'Edm.ComplexType') return null;
  const value = sampleItem(field, place);
  return typeof value === 'string' && field.nullable && !fits(value, field) ? null : value;
}

function sampleItem(field: Field, place: SamplePlace): Json {
  const { enumeration, allowedValues } = field;
  if (enumeration) return oneOf(allowedValues ?? namedMembers(enumeration).map(([name]) => name), place.index);
  const chosen = allowedValues && oneOf(allowedValues, place.index);
  if (chosen !== undefined) return listed(field, chosen);
  const sample = own<MakeSample>(samplesOfType, field.type);
  const value = sample === undefined ? sampleShape(shapeOf(field.type), place.index) : sample(field, place);
  return typeof value === 'string' ? within(field, value) : value;
}

function listed(field: Field, text: string): Json {
  if (field.type === 'Edm.Boolean') return text === 'true';
  return isNumeric(field.type) && !/[FN]/.test(text) ? number(field, text) : text;
}

// As in Edm.GeographyPoint; an abstract type has points.
function shapeOf(type: PrimitiveTypeName): string {
  const shape = type.replace(/^Edm\.Geo(?:graphy|metry)/, '');
  return shape === 'Collection' ? 'GeometryCollection' : shape || 'Point';
}

type MakeSample = (field: Field, place: SamplePlace) => Json;

const samplesOfType: { readonly [Name in Exclude<PrimitiveTypeName, `Edm.Geo${string}`>]: MakeSample } = {
  'Edm.String': (field, { name, owner, index, isKey }) => sampleText(field, isKey ? '' : name, index, owner),
  'Edm.Boolean': (_, { index }) => index % 2 === 0,
  'Edm.Byte': (field, place) => whole(field, place.index % 256, plausible(field, place)),
  'Edm.SByte': (field, place) => whole(field, place.index % 128, plausible(field, place)),
  'Edm.Int16': (field, place) => whole(field, place.index % 32_768, plausible(field, place)),
  'Edm.Int32': (field, place) => whole(field, place.index, plausible(field, place)),
  'Edm.Int64': (field, place) => whole(field, place.index, plausible(field, place)),
  'Edm.Decimal': (field, place) => number(field, plausible(field, place) ?? decimalText(field, place.index)),
  'Edm.Single': (field, place) => number(field, plausible(field, place) ?? `${place.index + 1}.5`),
  'Edm.Double': (field, place) => number(field, plausible(field, place) ?? `${place.index + 1}.25`),
  'Edm.Date': (_, place) => dayOf(place),
  'Edm.TimeOfDay': (_, { index }) => `${pad(index % 24)}:${pad(Math.floor(index / 24) % 60)}:00`,
  'Edm.DateTimeOffset': (_, place) => `${dayOf(place)}T08:00:00Z`,
  'Edm.Duration': (_, { index }) => `PT${index + 1}H`,
  'Edm.Guid': (_, { index }) => `00000000-0000-4000-8000-${(index + 1).toString(16).padStart(12, '0')}`,
  'Edm.Binary': ({ maxLength = Infinity }, { index }) => Buffer.from(String(index + 1).slice(-maxLength)).toString('base64url'),
  'Edm.Untyped': (field, { name, index }) => sampleText(field, name, index),
  'Edm.ComplexType': (field, place) => sampleComplex(complexTypeOf(place.container, field), place),
};

// An abstract type is replaced by a derived one, at depth by the one with the least nesting; null without one.
function sampleComplex(declared: ComplexType, place: SamplePlace): Json {
  const { container, depth } = place;
  const types = possibleTypes(declared, container);
  const type = depth > 1 ? flattest(types, container) : types[0];
  if (type === undefined) return null;
  const mark = type === declared ? [] : [['@odata.type', `#${type.qualifiedName}`] as const];
  const fields = Object.entries(type.fields).filter(([name]) => !type.computed.includes(name));
  const members = fields.map(
    ([name, field]) => [name, sampleValue(field, { ...place, name, owner: type.name, depth: depth + 1 })] as const,
  );
  return jsonObject([...mark, ...members]);
}

// The distinguishing part is at the end, which a short text keeps.
function sampleText(field: Field, property: string, index: number, owner?: string): string {
  const name = property === 'Name' ? (owner ?? property) : property;
  const number = String(index + 1);
  const longest = field.maxLength ?? 255;
  const words = [...name].slice(0, Math.max(longest - number.length - 1, 0)).join('');
  const text = words === '' ? number : `${words} ${number}`;
  const candidates = [
    plausibleText(property === name ? name : `${name}Name`, index) ?? text,
    text,
    number,
    (index + 1).toString(36),
    number.padStart(5, '0'),
    `A${number}`,
    `user${number}@example.com`,
    `https://example.com/${number}`,
    `+1 555 ${number.padStart(7, '0')}`,
    'US',
    'en',
    'A',
  ];
  return candidates.find((candidate) => fits(candidate, field)) ?? text.slice(-longest);
}

function fits(text: string, { pattern, maxLength, type, allowedValues }: Field): boolean {
  if (type !== 'Edm.String' || allowedValues) return true;
  return [...text].length <= (maxLength ?? Number.POSITIVE_INFINITY) && (pattern === undefined || new RegExp(pattern, 'u').test(text));
}

function whole(field: Field, index: number, chosen?: string): Json {
  const start = field.minimum === undefined ? 1n : BigInt(field.minimum.replace(/\..*$/, ''));
  return number(field, chosen ?? String(start + BigInt(index)));
}

function decimalText({ precision = 9, scale = 0 }: Field, index: number): string {
  const digits = Math.max(precision - scale, 0);
  const integer = digits === 0 ? '0' : String((index + 1) % 10 ** Math.min(digits, 9));
  return scale > 0 ? `${integer}.5` : integer;
}

function number(field: Field, text: string): Json {
  return { kind: 'number', text: within(field, text) };
}

// The text, or one within the limits of its property.
function within(field: Field, text: string): string {
  const limits = [field.minimum, field.maximum].filter((limit) => limit !== undefined);
  const inner = isNumeric(field.type) ? between(limits.map(Number)) : [];
  return [text, ...limits, ...inner].find((one) => validateLimits(field, one) === undefined) ?? text;
}

// Numbers next to the limits, which may be none of the values themselves, and the one in the middle.
function between(limits: readonly number[]): readonly string[] {
  const middle = limits.reduce((sum, limit) => sum + limit, 0) / limits.length;
  return [...limits.flatMap((limit) => [limit + 1, limit - 1]), Math.trunc(middle), middle].map(String);
}

function plausible(field: Field, { name, index, isKey }: SamplePlace): string | undefined {
  return isKey ? undefined : plausibleNumber(name, field, index);
}

function dayOf({ name, index, isKey }: SamplePlace): string {
  return new Date(Date.UTC(2025, 0, 1 + index + (isKey ? 0 : daysLater(name)))).toISOString().slice(0, 10);
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** A small GeoJSON shape; the index determines its location. */
export function sampleShape(type: string, index: number): Json {
  if (type === 'GeometryCollection')
    return object(type, 'geometries', array([sampleShape('Point', index), sampleShape('LineString', index)]));
  const line = array(corners.slice(0, 2).map((corner) => positionOf(corner, index)));
  const ring = array(corners.map((corner) => positionOf(corner, index)));
  const coordinates: { readonly [type: string]: Json } = {
    Point: positionOf([0, 0], index),
    MultiPoint: line,
    LineString: line,
    MultiLineString: array([line]),
    Polygon: array([ring]),
    MultiPolygon: array([array([ring])]),
  };
  return object(type, 'coordinates', coordinates[type] ?? null);
}

type Corner = readonly [x: number, y: number];

// oxfmt-ignore
/** A closed square. */
const corners: readonly Corner[] = [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]];

function positionOf([x, y]: Corner, index: number): Json {
  const step = (index % 90) / 2;
  return array([-80 + step + x / 10, 43 + step + y / 10].map((number) => ({ kind: 'number', text: String(Number(number.toFixed(1))) })));
}

function array(items: readonly Json[]): Json {
  return { kind: 'array', items };
}

function object(type: string, member: string, value: Json): Json {
  return jsonObject(Object.entries({ type, [member]: value }));
}

/** The instantiable types of a property's value. */
function possibleTypes(declared: ComplexType, container: EntityContainer): readonly ComplexType[] {
  return typesOf(declared, container).filter(({ qualifiedName }) => heightsOf(container).has(qualifiedName));
}

/** The type with the least nesting. */
function flattest(types: readonly ComplexType[], container: EntityContainer): ComplexType | undefined {
  const heightOf = ({ qualifiedName }: ComplexType): number => heightsOf(container).get(qualifiedName) ?? Number.POSITIVE_INFINITY;
  return types.toSorted((one, other) => heightOf(one) - heightOf(other))[0];
}

// Each round finds the types that are one level deeper, until there is none.
const heightsOf = memoized((container: EntityContainer): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  const isPossible = (field: Field): boolean =>
    typesOf(complexTypeOf(container, field), container).some(({ qualifiedName }) => found.has(qualifiedName));
  for (let height = 0; ; height++) {
    const next = Object.values(container.complexTypes ?? {}).filter(
      (type) => !found.has(type.qualifiedName) && neededIn(type).every(isPossible),
    );
    if (next.length === 0) return found;
    for (const { qualifiedName } of next) found.set(qualifiedName, height);
  }
});

function neededIn({ fields, computed }: ComplexType): readonly Field[] {
  return Object.entries(fields)
    .filter(([name, field]) => field.type === 'Edm.ComplexType' && !field.nullable && !field.collection && !computed.includes(name))
    .map(([, field]) => field);
}

function typesOf(declared: ComplexType, container: EntityContainer): readonly ComplexType[] {
  return [declared, ...declared.derived.flatMap((name) => complexTypeNamed(container, name) ?? [])].filter(({ abstract }) => !abstract);
}
