import { randomUUID } from 'node:crypto';
import type { EntityType, Field, PrimitiveTypeName } from '../edm/index.js';
import type { Json, JsonObject } from '../json/json.js';

/** What stands for nothing in a property that cannot be null. */
const nothings: { readonly [Type in PrimitiveTypeName]?: () => Json } = {
  'Edm.String': () => '',
  'Edm.Boolean': () => false,
  'Edm.Byte': zero,
  'Edm.SByte': zero,
  'Edm.Int16': zero,
  'Edm.Int32': zero,
  'Edm.Int64': zero,
  'Edm.Decimal': zero,
  'Edm.Single': zero,
  'Edm.Double': zero,
  'Edm.Date': () => new Date().toISOString().slice(0, 10),
  'Edm.TimeOfDay': () => '00:00:00',
  'Edm.DateTimeOffset': () => new Date().toISOString().replace(/\.\d+/, ''),
  'Edm.Duration': () => 'PT0S',
  'Edm.Guid': () => randomUUID(),
  'Edm.Binary': () => '',
};

function zero(): Json {
  return { kind: 'number', text: '0' };
}

/**
 * The properties that the service gives a media entity which is created by its bytes: whoever sends those can say no
 * properties, and the service may (protocol 11.4.7.1). A key is made where it can be unique; what must be a value that
 * somebody chose is left out, and so refused: a state, a reference, a rule of its form.
 */
export function mediaBody({ key, fields, rules, transitions }: EntityType, given: ReadonlySet<string>): JsonObject {
  const chosen = new Set([...given, ...Object.keys(rules.references), transitions?.property]);
  const members = rules.requiredOnCreate.flatMap((name): readonly (readonly [string, Json])[] => {
    const field = fields[name];
    const value = chosen.has(name) || field === undefined ? undefined : key.includes(name) ? keyValue(field) : nothing(field);
    return value === undefined ? [] : [[name, value]];
  });
  return { kind: 'object', members: new Map(members) };
}

function keyValue({ type, maxLength = 36 }: Field): Json | undefined {
  return type === 'Edm.Guid' || (type === 'Edm.String' && maxLength >= 36) ? randomUUID() : undefined;
}

function nothing({ type, enumeration, allowedValues, pattern, lookup }: Field): Json | undefined {
  return enumeration || allowedValues || pattern || lookup ? undefined : nothings[type]?.();
}
