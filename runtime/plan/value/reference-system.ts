import type { Field } from '../../edm/index.js';
import { isObject, type Json } from '../../json/json.js';

/**
 * What is wrong with the reference system that a shape says it is in, as the end of a sentence (JSON format 7.1: the
 * member `crs`, by an EPSG number). A property keeps the coordinates alone, so that all of its values are in one system.
 */
export function systemFault({ type, srid = type.startsWith('Edm.Geography') ? 4326 : 0 }: Pick<Field, 'type' | 'srid'>, shape: Json): string | undefined {
  const crs = isObject(shape) ? (shape.members.get('crs') ?? null) : null;
  if (crs === null || numberOf(crs) === srid) return undefined;
  return `: its coordinates are in SRID ${srid}; say so by {"type":"name","properties":{"name":"EPSG:${srid}"}}, or leave crs out`;
}

function numberOf(crs: Json): number | undefined {
  const properties = isObject(crs) && crs.members.get('type') === 'name' ? crs.members.get('properties') : undefined;
  const name = properties !== undefined && isObject(properties) ? properties.members.get('name') : undefined;
  const [, number] = typeof name === 'string' ? (/^EPSG:(\d{1,6})$/i.exec(name) ?? []) : [];
  return number === undefined ? undefined : Number(number);
}
