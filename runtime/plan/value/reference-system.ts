import type { Field } from '../../edm/index.js';
import { isObject, type Json } from '../../json/json.js';

/** The facets that determine the reference system of a property's shapes. */
type OfShapes = Pick<Field, 'type' | 'srid'>;

/** The default reference system: longitude and latitude, or a plane without units (CSDL XML 4.01, 7.2.6). */
export function defaultSystem(type: string): number {
  return type.startsWith('Edm.Geography') ? 4326 : 0;
}

/** The reference system of a shape that may have its own; undefined for an invalid one. */
export function systemOfShape(type: string, shape: Json): number | undefined {
  const crs = isObject(shape) ? (shape.members.get('crs') ?? null) : null;
  return crs === null ? defaultSystem(type) : numberOf(crs);
}

/**
 * The fault of a shape's reference system, as the end of a sentence (JSON format 7.1: the member `crs` with an EPSG
 * number). Most properties have one system for all values, and only coordinates are stored.
 */
export function systemFault({ type, srid = defaultSystem(type) }: OfShapes, shape: Json): string | undefined {
  const crs = isObject(shape) ? (shape.members.get('crs') ?? null) : null;
  const said = numberOf(crs);
  if (crs === null || (srid === 'variable' ? said !== undefined : said === srid)) return undefined;
  if (srid === 'variable') return `: write it as ${crsText('4326')}, with the number of the system`;
  return `: its coordinates are in SRID ${srid}; write ${crsText(String(srid))}, or omit crs`;
}

/** The `crs` member to store, where shapes have their own system and it is not the default. */
export function systemMember({ type, srid }: OfShapes, shape: Json): readonly (readonly [string, Json])[] {
  const said = srid === 'variable' ? systemOfShape(type, shape) : undefined;
  return said === undefined || said === defaultSystem(type) ? [] : [['crs', crsOf(said)]];
}

/** A reference system as JSON. */
export function crsOf(srid: number): Json {
  return object([
    ['type', 'name'],
    ['properties', object([['name', `EPSG:${srid}`]])],
  ]);
}

function object(members: readonly (readonly [string, Json])[]): Json {
  return { kind: 'object', members: new Map(members) };
}

function crsText(number: string): string {
  return `{"type":"name","properties":{"name":"EPSG:${number}"}}`;
}

function numberOf(crs: Json): number | undefined {
  const properties = isObject(crs) && crs.members.get('type') === 'name' ? crs.members.get('properties') : undefined;
  const name = properties !== undefined && isObject(properties) ? properties.members.get('name') : undefined;
  const [, number] = typeof name === 'string' ? (/^EPSG:(\d{1,6})$/i.exec(name) ?? []) : [];
  return number === undefined ? undefined : Number(number);
}
