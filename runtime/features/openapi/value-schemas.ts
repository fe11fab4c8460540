import { complexTypeOf, type EnumType, type Field, isNumeric, type PrimitiveTypeName } from '../../edm/index.js';
import { structureSchema } from './record-schemas.js';
import type { Json } from './json-document.js';
import type { View } from './view.js';
import { localName } from '../../edm/lookup.js';
import { compareDecimal } from '../../json/canonical-number.js';

const text = { type: 'string' };
const shape = { type: 'object' };

// oxfmt-ignore
/** The JSON Schema of each primitive type, with formats of the OpenAPI format registry. */
const primitiveSchemas: { readonly [Name in Exclude<PrimitiveTypeName, 'Edm.ComplexType' | `Edm.Geo${string}`>]: Json } = {
  'Edm.String': text,
  'Edm.Boolean': { type: 'boolean' },
  'Edm.Byte': { type: 'integer', format: 'uint8' },
  'Edm.SByte': { type: 'integer', format: 'int8' },
  'Edm.Int16': { type: 'integer', format: 'int16' },
  'Edm.Int32': { type: 'integer', format: 'int32' },
  'Edm.Int64': { type: 'integer', format: 'int64' },
  'Edm.Decimal': { type: 'number', format: 'decimal' },
  'Edm.Single': { anyOf: [{ type: 'number', format: 'float' }, { type: 'string', enum: ['-INF', 'INF', 'NaN'] }] },
  'Edm.Double': { anyOf: [{ type: 'number', format: 'double' }, { type: 'string', enum: ['-INF', 'INF', 'NaN'] }] },
  'Edm.Date': { type: 'string', format: 'date' },
  'Edm.TimeOfDay': { type: 'string', format: 'time-local' },
  'Edm.DateTimeOffset': { type: 'string', format: 'date-time' },
  'Edm.Duration': { type: 'string', format: 'duration' },
  'Edm.Guid': { type: 'string', format: 'uuid' },
  'Edm.Binary': { type: 'string', format: 'base64url' },
  'Edm.Untyped': {},
};

/** The schema of a property's value, or of its items. */
export function fieldSchema(field: Field, view: View): Json {
  if (!field.collection) return field.nullable ? orNull(valueSchema(field, view)) : valueSchema(field, view);
  const items = valueSchema(field, view);
  return { type: 'array', items: field.nullableItems ? orNull(items) : items };
}

/** The schema of a single value, not null. */
export function valueSchema(field: Field, view: View): Json {
  if (field.type === 'Edm.ComplexType') return structureSchema(complexTypeOf(view.container, field), view);
  if (field.enumeration) return enumSchema(field.enumeration, view);
  if (field.allowedValues && field.lookup !== undefined && field.type === 'Edm.String')
    return lookupSchema(field.lookup, field.allowedValues, view);
  const base = (primitiveSchemas as { readonly [type: string]: Json | undefined })[field.type] ?? shapeSchema(view);
  return { ...base, ...facetsOf(field) };
}

/** The same schema for a value that may be null. */
export function orNull(schema: Json): Json {
  const {
    type,
    anyOf,
    enum: values,
    $ref,
  } = schema as { type?: string; anyOf?: readonly Json[]; enum?: readonly unknown[]; $ref?: string };
  if ($ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  if (anyOf) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  return type === undefined ? schema : { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) };
}

function facetsOf(field: Field): Json {
  const { type, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum, pattern, allowedValues, lookup } = field;
  return {
    ...(type === 'Edm.String' && maxLength !== undefined && { maxLength }),
    ...(type === 'Edm.String' && pattern !== undefined && { pattern }),
    ...(isNumeric(type) && exactly(exclusiveMinimum ? 'exclusiveMinimum' : 'minimum', minimum)),
    ...(isNumeric(type) && exactly(exclusiveMaximum ? 'exclusiveMaximum' : 'maximum', maximum)),
    ...(allowedValues && listOf(type, allowedValues)),
    ...(lookup !== undefined && { 'x-lookup': lookup }),
  };
}

// The values as in bodies. A list without one of its values would forbid it.
function listOf(type: PrimitiveTypeName, texts: readonly string[]): Json {
  if (type === 'Edm.Boolean') return { enum: texts.map((text) => text === 'true') };
  if (type === 'Edm.Guid') return { enum: texts.map((text) => text.toLowerCase()) };
  if (!isNumeric(type)) return { enum: [...texts] };
  const numbers = texts.map(Number);
  return numbers.every((number, index) => compareDecimal(String(number), texts[index] ?? '') === 0) ? { enum: numbers } : {};
}

// A number that JavaScript would round is no bound.
function exactly(name: string, bound: string | undefined): Json {
  const number = Number(bound);
  return bound === undefined || !(Math.abs(number) <= Number.MAX_SAFE_INTEGER) ? {} : { [name]: number };
}

function enumSchema({ qualifiedName, members, flags }: EnumType, view: View): Json {
  const names = members.map(([name]) => name);
  const description = view.describe(qualifiedName);
  return view.schemas.refer(`enum ${qualifiedName}`, localName(qualifiedName), () => ({
    ...text,
    ...(flags
      ? { description: `${description ? `${description}. ` : ''}One or more of ${names.join(', ')}, separated by commas` }
      : { enum: names }),
    ...(!flags && description !== undefined && { description }),
  }));
}

// Properties with one lookup mostly have the same values.
function lookupSchema(lookup: string, values: readonly string[], view: View): Json {
  return view.schemas.refer(`lookup ${lookup} ${JSON.stringify(values)}`, `${lookup}Lookup`, () => ({
    ...text,
    enum: [...values],
    'x-lookup': lookup,
  }));
}

function shapeSchema({ schemas }: View): Json {
  return schemas.refer('shape', 'GeoJSON', () => ({
    ...shape,
    description: 'A shape as GeoJSON (RFC 7946), longitude first',
    properties: { type: text, coordinates: { type: 'array', items: {} } },
    required: ['type'],
  }));
}
