import { type Field, primitives, type PrimitiveTypeName } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { excerpt } from '../../errors/suggest.js';
import { isObject, type Json, isArray, isNumber, printJson } from '../../json/json.js';
import type { Shapes } from '../../plan/value/hooks.js';
import {
  crsOf,
  defaultSystem,
  systemOfShape,
  geoJson,
  hasAltitude,
  positionsWithin,
  shapeName,
  systemFault,
  systemMember,
} from './geo-json.js';
import { requireOneSystem } from './systems.js';
import { parseGeoLiteral, parseGeoValue, parseWellKnownText, printWellKnownText, placeFault } from './well-known-text.js';
import { cut, describeJson } from '../../plan/value/plan-value.js';
import { validateText } from '../../plan/value/value-text.js';

/** The planners of shapes. */
export const shapes: Shapes = { literal: parseGeoLiteral, json: parseGeoValue, plan: planShape, requireOneSystem, printRaw, readRaw };

// Raw values are well-known text (ABNF rule fullPointLiteral).
function printRaw({ type, srid }: Field, shape: Json): string {
  return printWellKnownText(shape, typeof srid === 'number' ? srid : (systemOfShape(type, shape) ?? 0));
}

function readRaw({ type, srid = defaultSystem(type) }: Field, text: string): Json {
  const { srid: said, shape } = parseWellKnownText(text) ?? {};
  const isOther = srid !== 'variable' && said !== undefined && Number(said) !== srid;
  if (shape === undefined || !isObject(shape) || isOther)
    throw errors.invalidValue(excerpt(text), '/$value', `: write SRID=${srid === 'variable' ? 4326 : srid};Point(-79.38 43.65)`);
  return said === undefined ? shape : { ...shape, members: new Map([...shape.members, ['crs', crsOf(Number(said))]]) };
}

type Planned = ReturnType<Shapes['plan']>;

/** A shape of a body, checked against its property. */
function planShape(name: string, field: Field, json: Json): Planned {
  const system = systemFault(field, json);
  if (system !== undefined) return { fault: errors.invalidValue('crs', name, system).at(name) };
  if (hasAltitude(json))
    return { fault: errors.invalidValue('coordinates', name, ': each position has exactly two numbers, without an altitude').at(name) };
  const type = field.shape ?? field.type;
  const planned = primitives[field.type].cell === 'point' ? planPoint(field, json) : planOther(field, json);
  if (planned === undefined) return { fault: errors.wrongJsonType(name, expected(type), describeJson(json)).at(name) };
  return planned.rule === undefined ? planned : { fault: errors.invalidValue(cut(planned.text), name, planned.rule).at(name) };
}

interface CheckedShape {
  readonly text: string;
  readonly json: Json;
  readonly rule: string | undefined;
}

// A column of points has the form `(x,y)`.
function planPoint({ type, srid }: Field, json: Json): CheckedShape | undefined {
  if (!isObject(json) || json.members.get('type') !== 'Point') return undefined;
  const coordinates = json.members.get('coordinates') ?? null;
  const items = isArray(coordinates) ? coordinates.items.filter(isNumber) : [];
  if (!isArray(coordinates) || coordinates.items.length !== 2 || items.length !== 2) return undefined;
  const text = `(${items.map((item) => item.text).join(',')})`;
  const place = type === 'Edm.GeographyPoint' && (srid ?? 4326) === 4326 ? placeFault(text) : undefined;
  const members = new Map<string, Json>([
    ['type', 'Point'],
    ['coordinates', { kind: 'array', items }],
  ]);
  return { text, json: { kind: 'object', members }, rule: validateText({ type }, text) ?? place };
}

function planOther(field: Field, json: Json): CheckedShape | undefined {
  const { type } = field;
  const value = geoJson(field.shape ?? type, json, systemMember(field, json));
  if (value === undefined) return undefined;
  const text = printJson(value);
  return { text, json: value, rule: validateText({ type }, text) ?? misplaced(type, value) };
}

// Reference systems other than 4326 have their own bounds.
function misplaced(type: PrimitiveTypeName, shape: Json): string | undefined {
  if (!type.startsWith('Edm.Geography') || systemOfShape(type, shape) !== defaultSystem(type)) return undefined;
  return positionsWithin(shape)
    .map((position) => placeFault(`(${position.join(',')})`))
    .find((fault) => fault !== undefined);
}

function expected(type: PrimitiveTypeName): string {
  return `a GeoJSON ${shapeName(type) ?? 'shape'}${type.endsWith('Polygon') ? ', each ring of which ends at its first position' : ''}`;
}
