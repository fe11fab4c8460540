import type { Field } from '../../edm/index.js';
import { isObject, type Json } from '../../json/json.js';

/** What tells in which system a property's shapes are. */
type OfShapes = Pick<Field, 'type' | 'srid'>;

/** The system of shapes that do not say theirs: longitude and latitude, or a plane without units (CSDL XML 4.01, 7.2.6). */
export function defaultSystem(type: string): number {
  return type.startsWith('Edm.Geography') ? 4326 : 0;
}

/** The system that a shape is in, of a property whose shapes say theirs or leave the default; undefined where it says what is none. */
export function systemOfShape(type: string, shape: Json): number | undefined {
  const crs = isObject(shape) ? (shape.members.get('crs') ?? null) : null;
  return crs === null ? defaultSystem(type) : numberOf(crs);
}

/**
 * What is wrong with the reference system that a shape says it is in, as the end of a sentence (JSON format 7.1: the
 * member `crs`, by an EPSG number). Of most properties all values are in one system, and the coordinates alone are kept.
 */
export function systemFault({ type, srid = defaultSystem(type) }: OfShapes, shape: Json): string | undefined {
  const crs = isObject(shape) ? (shape.members.get('crs') ?? null) : null;
  const said = numberOf(crs);
  if (crs === null || (srid === 'variable' ? said !== undefined : said === srid)) return undefined;
  if (srid === 'variable') return `: write it as ${crsText('4326')}, with the number of the system`;
  return `: its coordinates are in SRID ${srid}; say so by ${crsText(String(srid))}, or leave crs out`;
}

/** The member that keeps a shape's system, where shapes of the property say theirs and it is not the one that is meant without it. */
export function systemMember({ type, srid }: OfShapes, shape: Json): readonly (readonly [string, Json])[] {
  const said = srid === 'variable' ? systemOfShape(type, shape) : undefined;
  return said === undefined || said === defaultSystem(type) ? [] : [['crs', crsOf(said)]];
}

/** A system as JSON names it. */
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
