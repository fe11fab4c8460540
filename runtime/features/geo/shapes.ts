import type { Field } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { excerpt } from '../../errors/suggest.js';
import { isObject, type Json } from '../../json/json.js';
import type { Shapes } from '../../plan/value/hooks.js';
import { crsOf, defaultSystem, systemOfShape } from './geo-json.js';
import { planShape } from './plan-shape.js';
import { requireOneSystem } from './systems.js';
import { parseGeoLiteral, parseGeoValue, parseWellKnownText, printWellKnownText } from './well-known-text.js';

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
