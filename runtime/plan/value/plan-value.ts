import type { EnumType, Field, PrimitiveTypeName, StoredValue } from '../../edm/index.js';
import { isArray as isStoredAsArray, isGeo, primitives } from '../../edm/index.js';
import { enumText, enumValue } from '../../expression/enum-members.js';
import { databaseText } from '../../schema/identifier.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { excerpt, listAdvice } from '../../errors/suggest.js';
import { canonicalDecimal, fitsDecimal, maxDigits } from '../../json/canonical-number.js';
import { isArray, isNumber, isObject, type Json, printJson } from '../../json/json.js';
import { enumAdvice } from './check-enum.js';
import { validateLimits } from './compare-values.js';
import { requireShapes } from './hooks.js';
import { type CheckedValue, dayAtMidnight, validateText } from './value-text.js';

/** A value of a body: its text for the database, or its fault. */
type PlannedValue = { readonly value: StoredValue } | { readonly fault: ODataError };

/** The permitted forms of numbers in a body. */
export interface JsonFormat {
  /** Whether Int64 and Decimal may be strings (JSON format 3.2). */
  readonly ieee754Compatible: boolean;
}

/** Checks a JSON value against a property: JSON type, null, range, facets, allowed values. */
export function planValue(name: string, field: Field, json: Json, format: JsonFormat): PlannedValue {
  if (json === null) return field.nullable && !field.collection ? { value: null } : { fault: errors.nullNotAllowed(name).at(name) };
  return field.collection ? planCollection(name, field, json, format) : planSingle(name, field, json, format);
}

function planCollection(name: string, field: Field, json: Json, format: JsonFormat): PlannedValue {
  if (!isArray(json)) return { fault: errors.wrongJsonType(name, 'an array', describeJson(json)).at(name) };
  const planned = json.items.map((item, index) => planItem(`${name}[${index}]`, name, field, item, format));
  const wrong = planned.find((item) => 'fault' in item);
  if (wrong && 'fault' in wrong) return wrong;
  const values = planned.flatMap((item) =>
    'value' in item && (item.value === null || typeof item.value === 'string') ? [item.value] : [],
  );
  return { value: isStoredAsArray(field) ? values : `[${values.map(String).join(',')}]` };
}

function planItem(path: string, name: string, field: Field, json: Json, format: JsonFormat): PlannedValue {
  if (json === null) return field.nullableItems ? { value: null } : { fault: errors.nullNotAllowed(path).at(name) };
  const planned = planSingle(path, field, json, format);
  return 'fault' in planned ? { fault: planned.fault.at(name) } : planned;
}

function planSingle(name: string, field: Field, json: Json, format: JsonFormat): PlannedValue {
  const planned = planText(name, field, json, format);
  return 'fault' in planned ? planned : { value: databaseText(field.type, planned.text) };
}

/** The text of a single value, checked against type and facets. */
export function planText(name: string, field: Field, json: Json, format: JsonFormat): CheckedValue | { readonly fault: ODataError } {
  if (field.enumeration) return planMember(name, field.enumeration, field.allowedValues, json);
  if (isGeo(field.type)) return requireShapes(name).plan(name, field, json);
  if (field.type === 'Edm.Untyped') return planUntyped(name, json);
  const text = textOf(field.type, json, format);
  if (text === undefined) return { fault: errors.wrongJsonType(name, expectedJson(field.type), describeJson(json)).at(name) };
  const rule = validateText(field, text) ?? validateRange(field, text);
  if (rule !== undefined) return { fault: errors.invalidValue(excerpt(text, 64), name, rule).at(name) };
  return { text };
}

/** A value of any form as it was sent. */
export function planUntyped(name: string, json: Json): { readonly text: string; readonly json: Json } | { readonly fault: ODataError } {
  const long = longNumber(json);
  if (long !== undefined)
    return {
      fault: errors
        .invalidValue(excerpt(long, 64), name, `: a number has at most ${maxDigits} digits, written without an exponent`)
        .at(name),
    };
  return { text: printJson(json), json };
}

// The database stores 1e100000 with all its digits.
function longNumber(json: Json): string | undefined {
  if (isNumber(json)) return canonicalDecimal(json.text) ? undefined : json.text;
  const inner = isArray(json) ? json.items : isObject(json) ? [...json.members.values()] : [];
  for (const one of inner) {
    const found = longNumber(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

// Members by name, or by number as a string (ABNF rule enumValue) or a number.
function planMember(name: string, enumeration: EnumType, allowed: Field['allowedValues'], json: Json): ReturnType<typeof planText> {
  const text = typeof json === 'string' ? json : numberText(json);
  if (text === undefined) return { fault: errors.wrongJsonType(name, 'a string', describeJson(json)).at(name) };
  const value = enumValue(enumeration, text);
  if (value === undefined) return { fault: errors.invalidValue(excerpt(text, 64), name, enumAdvice(enumeration, text)).at(name) };
  if (allowed && !allowed.includes(enumText(enumeration, value)))
    return { fault: errors.invalidValue(excerpt(text, 64), name, listAdvice(allowed, text)).at(name) };
  return { text: value };
}

function textOf(type: PrimitiveTypeName, json: Json, format: JsonFormat): string | undefined {
  const { cell } = primitives[type];
  switch (cell) {
    case 'boolean':
      return typeof json === 'boolean' ? String(json) : undefined;
    case 'number':
      return numberText(json);
    case 'bigNumber':
      return numberText(json) ?? (format.ieee754Compatible && typeof json === 'string' ? json : undefined);
    case 'double':
      return numberText(json) ?? (json === 'INF' || json === '-INF' || json === 'NaN' ? json : undefined);
    case 'date':
      return typeof json === 'string' ? (dayAtMidnight(json) ?? json) : undefined;
    default:
      return typeof json === 'string' ? json : undefined;
  }
}

function numberText(json: Json): string | undefined {
  return isNumber(json) ? json.text : undefined;
}

function validateRange(field: Field, text: string): string | undefined {
  const { type, precision, scale } = field;
  return type === 'Edm.Decimal' && !fitsDecimal(text, precision, scale) ? digitsRule(precision, scale) : validateLimits(field, text);
}

function digitsRule(precision: number | undefined, scale: number | undefined): string {
  if (precision === undefined) return scale === 0 ? ': it must be a whole number' : `: at most ${scale} digits after the point`;
  return `: at most ${precision} digits${scale === undefined ? '' : `, ${scale} of them after the point`}`;
}

function expectedJson(type: PrimitiveTypeName): string {
  return type === 'Edm.Boolean' ? 'true or false' : primitives[type].rank === undefined ? 'a string' : 'a number';
}

/** The kind of a JSON value for a message. */
export function describeJson(json: Json): string {
  if (json === null) return 'null';
  if (isArray(json)) return 'an array';
  if (isNumber(json)) return `the number ${excerpt(json.text, 64)}`;
  if (isObject(json)) return 'an object';
  return typeof json === 'string' ? 'a string' : `${json}`;
}
