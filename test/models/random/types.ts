import type { Random } from '../../permission/random.js';
import {
  qualified,
  type Attributes,
  type DefinitionDraft,
  type EnumDraft,
  type ModelDraft,
  type PropertyDraft,
  type StructuredDraft,
} from './drafts.js';
import { takeName } from './names.js';

/** A type as a property says it, and what goes with it. */
type Drawn = Pick<PropertyDraft, 'type' | 'facets'> & {
  /** The primitive type of a type definition. */
  readonly underlying?: string;
  /** Possible default values. */
  readonly defaults: readonly string[];
};

const geo = ['Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon', 'Collection', ''];

/** Types that a key may be of (CSDL XML 4.01, 6.5). */
const keyTypes = [
  'Edm.Boolean',
  'Edm.Byte',
  'Edm.Date',
  'Edm.DateTimeOffset',
  'Edm.Decimal',
  'Edm.Duration',
  'Edm.Guid',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int32',
  'Edm.Int64',
  'Edm.SByte',
  'Edm.String',
  'Edm.String',
  'Edm.String',
  'Edm.TimeOfDay',
];

const valueTypes = [...keyTypes, 'Edm.Double', 'Edm.Single', 'Edm.Binary', 'Edm.Double'];

const defaults: { readonly [type: string]: readonly string[] } = {
  'Edm.Boolean': ['true', 'false'],
  'Edm.Byte': ['0', '255'],
  'Edm.SByte': ['-128', '7'],
  'Edm.Int16': ['-32768', '12'],
  'Edm.Int32': ['0', '-5', '2147483647'],
  'Edm.Int64': ['9223372036854775807', '-1'],
  'Edm.Double': ['1.5', '-INF', '1000', 'NaN'],
  'Edm.Single': ['0.25', 'INF'],
  'Edm.Date': ['2024-02-29', '0001-01-01'],
  'Edm.TimeOfDay': ['23:59:59', '00:00:00'],
  'Edm.DateTimeOffset': ['2024-02-29T12:00:00Z', '1969-12-31T23:59:59+02:00'],
  'Edm.Duration': ['P1DT2H', '-PT5M', 'PT0S'],
  'Edm.Guid': ['01234567-89ab-cdef-0123-456789abcdef'],
  'Edm.String': ['', 'a', "it's", 'null', '&<"'],
  'Edm.Binary': ['', 'AQID'],
};

/** A primitive type with facets that fit each other. */
export function primitive(random: Random, types: readonly string[] = valueTypes): Drawn {
  const type = random.pick(types);
  const { facets, ...rest } = facetsOf(random, type);
  return { type, facets, defaults: defaults[type] ?? [], ...rest };
}

function facetsOf(random: Random, type: string): Pick<Drawn, 'facets'> & Partial<Drawn> {
  if (type === 'Edm.String')
    return {
      facets: {
        MaxLength: random.chance(0.6) ? random.pick(['5', '20', '100', '255', 'max', '4000']) : undefined,
        Unicode: random.chance(0.1) ? 'false' : undefined,
      },
    };
  if (type === 'Edm.Binary') return { facets: { MaxLength: random.chance(0.5) ? random.pick(['3', '16', 'max']) : undefined } };
  if (type === 'Edm.Decimal') return decimalFacets(random);
  if (['Edm.DateTimeOffset', 'Edm.Duration', 'Edm.TimeOfDay'].includes(type))
    return { facets: { Precision: random.chance(0.6) ? String(random.below(7)) : undefined } };
  if (type.startsWith('Edm.Geo'))
    return {
      facets: { SRID: random.chance(0.2) ? random.pick(['variable', type.startsWith('Edm.Geography') ? '4326' : '0']) : undefined },
    };
  return { facets: {} };
}

function decimalFacets(random: Random): Pick<Drawn, 'facets' | 'defaults'> {
  const precision = random.pick([1, 3, 9, 18, 30]);
  const scale = random.pick(['0', '1', String(precision), 'variable', 'floating', '']);
  if (random.chance(0.2)) return { facets: {}, defaults: ['0', '-3'] };
  if (random.chance(0.2)) return { facets: { Scale: 'variable' }, defaults: ['0.125'] };
  return {
    facets: { Precision: String(precision), Scale: scale === '' ? undefined : scale },
    defaults: ['0', ...(scale === String(precision) ? ['0.1'] : ['1'])],
  };
}

/** A shape or a value of any type, which nothing sorts. */
export function unordered(random: Random): Drawn {
  const type = random.chance(0.75)
    ? `Edm.Geo${random.pick(['graphy', 'metry'])}${random.chance(0.5) ? 'Point' : random.pick(geo)}`
    : 'Edm.Untyped';
  return { type, ...facetsOf(random, type), defaults: [] };
}

/** A type for a property, of all that the model has. */
export function anyType(model: ModelDraft, complexTypes: readonly StructuredDraft[]): Drawn {
  const { random } = model;
  const named = namedTypes(model);
  const kind = random.below(100);
  if (kind < 20 && named.length > 0) return random.pick(named);
  if (kind < 40 && complexTypes.length > 0) return complexOf(model, random.pick(complexTypes));
  if (kind < 48) return unordered(random);
  return primitive(random);
}

function complexOf({ random }: ModelDraft, type: StructuredDraft): Drawn {
  return { type: qualified(random, type.schema, type.name), facets: {}, defaults: [] };
}

/** The enumerations and type definitions of the model. */
function namedTypes({ schemas, random }: ModelDraft): readonly Drawn[] {
  return schemas.flatMap((schema) => [
    ...schema.enums.map(({ name, members }) => ({
      type: qualified(random, schema, name),
      facets: {},
      defaults: members.slice(0, 2).map(([member]) => member),
    })),
    ...schema.definitions.map(({ name, underlying }) => ({ type: qualified(random, schema, name), underlying, facets: {}, defaults: [] })),
  ]);
}

/** A type for a property of a key. */
export function keyType(model: ModelDraft): Drawn {
  const named = namedTypes(model).filter(({ underlying = 'Edm.Int32' }) => keyTypes.includes(underlying));
  return named.length > 0 && model.random.chance(0.15) ? model.random.pick(named) : primitive(model.random, keyTypes);
}

/** A structural property of a type that was drawn. */
export function propertyOf(random: Random, name: string, { type, facets, defaults: values }: Drawn): PropertyDraft {
  const collection = random.chance(0.15);
  const value = !collection && values.length > 0 && random.chance(0.2) ? random.pick(values) : undefined;
  return {
    name,
    type,
    collection,
    nullable: random.chance(collection ? 0.2 : 0.7),
    facets: { ...facets, ...(value !== undefined && fits(value, facets) && { DefaultValue: value }) },
  };
}

function fits(value: string, { MaxLength }: Attributes): boolean {
  return MaxLength === undefined || MaxLength === 'max' || value.length <= Number(MaxLength);
}

const underlyingTypes: readonly (readonly [type: string, values: readonly string[]])[] = [
  ['Edm.Byte', ['0', '1', '7', '200', '255']],
  ['Edm.SByte', ['-128', '-1', '0', '127']],
  ['Edm.Int16', ['-32768', '0', '5', '32767']],
  ['Edm.Int32', ['-2147483648', '-3', '0', '10', '2147483647']],
  ['Edm.Int64', ['-9223372036854775808', '0', '12', '9007199254740993', '9223372036854775807']],
];

/** An enumeration, of flags or not, numbered or with values. */
export function newEnum(random: Random, name: string): EnumDraft {
  const [underlying, values] = random.pick(underlyingTypes);
  const flags = random.chance(0.35);
  const names = new Set<string>();
  const count = 1 + random.below(4);
  const chosen = flags ? ['1', '2', '4', '8', '3'] : values;
  const numbered = !flags && random.chance(0.4);
  const members = Array.from(
    { length: Math.min(count, chosen.length) },
    (_, index) => [takeName(random, names), numbered ? undefined : chosen[index]] as const,
  );
  return { name, underlying: random.chance(0.3) && flags ? 'Edm.Int32' : underlying, flags, members };
}

/** A type definition. */
export function newDefinition(random: Random, name: string): DefinitionDraft {
  const { type, facets } = random.chance(0.9) ? primitive(random) : unordered(random);
  return type === 'Edm.Untyped' ? { name, underlying: 'Edm.String', facets: {} } : { name, underlying: type, facets };
}
