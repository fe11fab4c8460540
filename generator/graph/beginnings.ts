import type { Field, GeneratedValue, PrimitiveTypeName } from '../../runtime/edm/index.js';

const zero: GeneratedValue = { kind: 'constant', value: '0' };
const now: GeneratedValue = { kind: 'now' };

/** In the database's text form; a complex value or a point has none that would stand for nothing. */
const beginnings: { readonly [Name in PrimitiveTypeName]?: GeneratedValue } = {
  'Edm.String': { kind: 'constant', value: '' },
  'Edm.Boolean': { kind: 'constant', value: 'false' },
  'Edm.Byte': zero,
  'Edm.SByte': zero,
  'Edm.Int16': zero,
  'Edm.Int32': zero,
  'Edm.Int64': zero,
  'Edm.Decimal': zero,
  'Edm.Single': zero,
  'Edm.Double': zero,
  'Edm.Date': now,
  'Edm.TimeOfDay': { kind: 'constant', value: '00:00:00' },
  'Edm.DateTimeOffset': now,
  'Edm.Duration': { kind: 'constant', value: 'PT0S' },
  'Edm.Guid': { kind: 'constant', value: '00000000-0000-0000-0000-000000000000' },
  'Edm.Binary': { kind: 'constant', value: '\\x' },
};

/** What a property begins with that clients do not send, cannot be null and has no value that the model says. */
export function beginningOf({ type, nullable, collection, default: initial, enumeration, allowedValues }: Field): GeneratedValue | undefined {
  if (nullable || collection || initial !== undefined) return undefined;
  const [first] = enumeration ? enumeration.members.map(([, value]) => value) : (allowedValues ?? []);
  if (enumeration || allowedValues) return first === undefined ? undefined : { kind: 'constant', value: first };
  return beginnings[type];
}
