import { defaultSystem, type Field, primitives, type PrimitiveTypeName } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { excerpt } from '../../errors/suggest.js';
import { isObject, type Json, isArray, isNumber, printJson, jsonObject } from '../../json/json.js';
import type { Shapes } from '../../plan/value/hooks.js';
import { crsOf, systemOfShape, geoJson, hasAltitude, isShape, positionsWithin, shapeName, systemFault, systemMember } from './geo-json.js';
import { parseGeoLiteral, parseGeoValue, parseWellKnownText, printWellKnownText, placeFault } from './well-known-text.js';
import { describeJson } from '../../plan/value/plan-value.js';
import { validateText } from '../../plan/value/value-text.js';
import { mismatchAt } from '../../plan/scope.js';
import type { MethodCallExpr } from '../../expression/ast.js';
import { printExpr } from '../../expression/print.js';
import type { TypedExpr } from '../../plan/typed-expr.js';

/** The planners of shapes. */
export const shapes: Shapes = { literal: parseGeoLiteral, json: parseGeoValue, plan: planShape, requireOneSystem, printRaw, readRaw };

// Raw values are well-known text (ABNF rule fullPointLiteral).
function printRaw({ type, srid }: Field, shape: Json): string {
  return printWellKnownText(shape, typeof srid === 'number' ? srid : (systemOfShape(type, shape) ?? 0));
}

function readRaw({ type, srid = defaultSystem(type) }: Field, text: string): Json {
  const { srid: stated, shape } = parseWellKnownText(text) ?? {};
  const isOther = srid !== 'variable' && stated !== undefined && Number(stated) !== srid;
  if (shape === undefined || !isObject(shape) || isOther)
    throw errors.invalidValue(excerpt(text), '/$value', `: write SRID=${srid === 'variable' ? 4326 : srid};Point(-79.38 43.65)`);
  return stated === undefined ? shape : { ...shape, members: new Map([...shape.members, ['crs', crsOf(Number(stated))]]) };
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
  if (planned === undefined) return { fault: errors.wrongJsonType(name, expected(type), found(type, json)).at(name) };
  return planned.rule === undefined ? planned : { fault: errors.invalidValue(excerpt(planned.text, 64), name, planned.rule).at(name) };
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
  const point = jsonObject([
    ['type', 'Point'],
    ['coordinates', { kind: 'array', items }],
  ]);
  return { text, json: point, rule: validateText({ type }, text) ?? place };
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

// Every shape is an object, so the member that makes it another value is named.
function found(type: PrimitiveTypeName, json: Json): string {
  if (!isObject(json)) return describeJson(json);
  const stated = json.members.get('type');
  if (typeof stated !== 'string') return 'an object without a shape as its type';
  if (stated !== (shapeName(type) ?? stated) || !isShape(stated)) return `an object whose type is '${excerpt(stated, 64)}'`;
  return `an object whose ${stated === 'GeometryCollection' ? 'geometries' : 'coordinates'} are not those of a ${stated}`;
}

/** Whether shapes are in a plane; undefined where the expression does not tell. */
export function isFlat(expr: TypedExpr): boolean | undefined {
  if (expr.type.startsWith('Edm.Geometry')) return true;
  if (expr.kind === 'literal' && (expr.type === 'polygon' || expr.type === 'line')) return expr.flat ?? false;
  return expr.type.startsWith('Edm.Geography') && !isNull(expr) ? false : undefined;
}

/** The reference system of an expression's shapes: a number, or `variable`; undefined where unknown. */
export function systemOf(expr: TypedExpr): Field['srid'] {
  if (expr.kind === 'related') return systemOf(expr.value);
  if (expr.kind === 'case') return expr.branches[0] && systemOf(expr.branches[0].value);
  return 'srid' in expr ? expr.srid : undefined;
}

function isNull(expr: TypedExpr): boolean {
  return expr.kind === 'literal' && expr.value === null;
}

/**
 * Rejects arguments of a geo function unless both are on the earth or both in a plane, in one reference system (URL conventions
 * 5.1.1.8); values with their own system are compared at run time.
 */
function requireOneSystem(call: MethodCallExpr, [one, other]: readonly TypedExpr[], option: string): void {
  if (one === undefined || other === undefined) return;
  const [flat, otherFlat] = [isFlat(one), isFlat(other)];
  if (flat !== undefined && otherFlat !== undefined && flat !== otherFlat)
    throw different(call, 'two geographies or two geometries', [`a ${kindOf(flat)}`, `a ${kindOf(otherFlat)}`], option);
  const [system, otherSystem] = [systemOf(one), systemOf(other)];
  if (typeof system === 'number' && typeof otherSystem === 'number' && system !== otherSystem) {
    throw different(call, 'two shapes in one reference system', [`in SRID ${system}`, `in SRID ${otherSystem}`], option);
  }
}

function different(expr: MethodCallExpr, wanted: string, found: readonly [string, string], option: string): Error {
  const { method, arguments: given, at } = expr;
  const [left, right] = given.map(printExpr);
  return mismatchAt(at, { option }, `${method} needs ${wanted}, but ${left} is ${found[0]} and ${right} is ${found[1]}`);
}

function kindOf(flat: boolean): string {
  return flat ? 'geometry' : 'geography';
}
