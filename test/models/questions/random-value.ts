import { complexTypeNamed, complexTypeOf, type PrimitiveTypeName } from '../../../runtime/edm/index.js';
import { type ComplexType } from '../../../runtime/edm/entity-type.js';
import { type EntityContainer } from '../../../runtime/edm/entity-container.js';
import { type Field } from '../../../runtime/edm/field.js';
import { isObject, type Json } from '../../../runtime/json/json.js';
import { crsOf } from '../../../runtime/features/geo/geo-json.js';
import { sampleShape } from '../../../runtime/tools/samples/sample-value.js';
import type { Random } from '../../permission/random.js';

/** The context of a random value. */
interface Making {
  readonly container: EntityContainer;
  readonly random: Random;
}

/** How many complex values lie within one another where they need not: bodies may be 32 deep, and arrays count as well. */
const deepest = 8;

/** A value that a property may have, at the edges of its type as often as in the middle. */
export function randomValue(field: Field, making: Making, depth = 0): Json {
  const { random } = making;
  if (field.collection) {
    const items = Array.from({ length: depth > deepest ? 0 : random.below(depth > 1 ? 2 : 4) }, () =>
      random.chance(0.2) ? null : single(field, making, depth),
    );
    return { kind: 'array', items: items.filter((item) => item !== null || field.nullableItems) };
  }
  return field.nullable && (depth > deepest || random.chance(depth > 2 ? 0.8 : 0.2)) ? null : single(field, making, depth);
}

function single(field: Field, making: Making, depth: number): Json {
  const { random } = making;
  if (field.enumeration) return enumMember(field.enumeration, random);
  if (field.allowedValues) return random.pick(field.allowedValues);
  return makers[field.type](field, making, depth);
}

function enumMember({ members, flags }: NonNullable<Field['enumeration']>, random: Random): string {
  const [first = ''] = random.pick(members);
  const [second = ''] = random.pick(members);
  return flags && first !== second && random.chance(0.4) ? `${first},${second}` : first;
}

type Maker = (field: Field, making: Making, depth: number) => Json;

// Control characters but for tabs are refused in URLs, so that no question could name them.
const texts = [
  'a',
  'A',
  'b',
  'Z',
  'ab',
  '',
  ' ',
  "it's",
  'a/b',
  '50%',
  'a_b',
  '\\',
  '"',
  'null',
  'true',
  '1',
  ',',
  '(x)',
  'é',
  'ß',
  '日本',
  '😀',
  '\u{1F600}a',
  '\uFFEE',
  'x+y',
  'a&b=c',
  '#',
  '?',
  '$it',
  "''",
  '<b>',
  ';',
];

const text: Maker = ({ maxLength = 30 }, { random }) => {
  const made = random.chance(0.7) ? random.pick(texts) : `${random.pick(texts)}${random.pick(texts)}${random.below(100)}`;
  return [...made].slice(0, maxLength).join('');
};

const whole =
  (low: string, high: string): Maker =>
  (_, { random }) =>
    number(random.pick([low, high, '0', '1', '2', String(random.below(100)), ...(low.startsWith('-') ? ['-1', '-7'] : [])]));

function number(written: string): Json {
  return { kind: 'number', text: written };
}

// Of a precision without a scale all digits stand before the point.
const decimal: Maker = ({ precision, scale }, { random }) => {
  const digits = precision ?? 12;
  const behind = scale ?? random.below(digits + 1);
  const written = Array.from({ length: digits }, () => random.below(10)).join('');
  const chosen = random.chance(0.3)
    ? '0'.repeat(digits)
    : random.chance(0.2)
      ? '9'.repeat(digits)
      : random.chance(0.5)
        ? written.slice(-2).padStart(digits, '0')
        : written;
  const before = chosen.slice(0, digits - behind).replace(/^0+(?=\d)/, '') || '0';
  const sign = random.chance(0.3) && /[1-9]/.test(chosen) ? '-' : '';
  return number(`${sign}${before}${behind === 0 ? '' : `.${chosen.slice(digits - behind)}`}`);
};

const float =
  (numbers: readonly string[]): Maker =>
  (_, { random }) => {
    const chosen = random.pick([...numbers, 'INF', '-INF']);
    return chosen.includes('INF') ? chosen : number(chosen);
  };

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

function fraction({ precision = 0 }: Field, random: Random): string {
  return precision === 0 || random.chance(0.4) ? '' : `.${Array.from({ length: precision }, () => random.below(10)).join('')}`;
}

function clock(field: Field, random: Random): string {
  return `${random.pick(['00:00:00', '23:59:59', `${pad(random.below(24))}:${pad(random.below(60))}:${pad(random.below(60))}`])}${fraction(field, random)}`;
}

function day(random: Random): string {
  return random.pick([
    '0001-01-02',
    '9999-12-30',
    '1970-01-01',
    '2024-02-29',
    `${1900 + random.below(200)}-${pad(1 + random.below(12))}-${pad(1 + random.below(28))}`,
  ]);
}

function duration(field: Field, { random }: Making): string {
  return random.pick([
    'PT0S',
    '-PT1S',
    'P1D',
    'PT36H',
    '-P3DT4H5M',
    `P${random.below(400)}DT${random.below(30)}H${random.below(90)}M`,
    `PT${random.below(100)}${fraction(field, random)}S`,
  ]);
}

const hexadecimal = (random: Random, length: number): string => Array.from({ length }, () => random.below(16).toString(16)).join('');

const guid: Maker = (_, { random }) => [8, 4, 4, 4, 12].map((length) => hexadecimal(random, length)).join('-');

const binary: Maker = ({ maxLength = 20 }, { random }) =>
  Buffer.from(Array.from({ length: random.below(Math.min(maxLength, 20) + 1) }, () => random.below(256))).toString('base64url');

const shape =
  (type: string): Maker =>
  (field, { random }) =>
    inSystem(sampleShape(type, random.below(60)), field, random);

const anyShape: Maker = (field, making) =>
  shape(field.shape ? 'Point' : making.random.pick(['Point', 'LineString', 'Polygon', 'MultiPoint', 'GeometryCollection']))(
    field,
    making,
    0,
  );

// Of shapes that say their system some do.
function inSystem(json: Json, { srid }: Field, random: Random): Json {
  return srid === 'variable' && isObject(json) && random.chance(0.5)
    ? { ...json, members: new Map([...json.members, ['crs', crsOf(4267)]]) }
    : json;
}

const untyped: Maker = (_, { random }) =>
  random.pick<Json>([
    'text',
    '',
    true,
    number('12'),
    number('-0.5'),
    { kind: 'array', items: [number('1'), 'two', null] },
    {
      kind: 'object',
      members: new Map<string, Json>([
        ['a', number('1')],
        ['b', null],
      ]),
    },
  ]);

const makers: { readonly [Name in PrimitiveTypeName]: Maker } = {
  'Edm.String': text,
  'Edm.Boolean': (_, { random }) => random.chance(0.5),
  'Edm.Byte': whole('0', '255'),
  'Edm.SByte': whole('-128', '127'),
  'Edm.Int16': whole('-32768', '32767'),
  'Edm.Int32': whole('-2147483648', '2147483647'),
  'Edm.Int64': whole('-9223372036854775808', '9223372036854775807'),
  'Edm.Decimal': decimal,
  'Edm.Single': float(['0', '1.5', '-2.25', '1e10', '0.1', '3.4e38', '-1e-30']),
  'Edm.Double': float(['0', '1.5', '-2.25', '1e300', '0.1', '5e-324', '123456789.125', '-7']),
  'Edm.Date': (_, { random }) => day(random),
  'Edm.TimeOfDay': (field, { random }) => clock(field, random),
  'Edm.DateTimeOffset': (field, { random }) =>
    `${day(random)}T${clock(field, random)}${random.pick(['Z', 'Z', '+00:00', '+02:00', '-11:30'])}`,
  'Edm.Duration': duration,
  'Edm.Guid': guid,
  'Edm.Binary': binary,
  'Edm.GeographyPoint': shape('Point'),
  'Edm.GeometryPoint': shape('Point'),
  'Edm.Geography': anyShape,
  'Edm.GeographyLineString': shape('LineString'),
  'Edm.GeographyPolygon': shape('Polygon'),
  'Edm.GeographyMultiPoint': shape('MultiPoint'),
  'Edm.GeographyMultiLineString': shape('MultiLineString'),
  'Edm.GeographyMultiPolygon': shape('MultiPolygon'),
  'Edm.GeographyCollection': shape('GeometryCollection'),
  'Edm.Geometry': anyShape,
  'Edm.GeometryLineString': shape('LineString'),
  'Edm.GeometryPolygon': shape('Polygon'),
  'Edm.GeometryMultiPoint': shape('MultiPoint'),
  'Edm.GeometryMultiLineString': shape('MultiLineString'),
  'Edm.GeometryMultiPolygon': shape('MultiPolygon'),
  'Edm.GeometryCollection': shape('GeometryCollection'),
  'Edm.Untyped': untyped,
  'Edm.ComplexType': (field, making, depth) => complexValue(field, making, depth),
};

// A value of the declared type, or of one that derives from it; null where nothing can be one.
function complexValue(field: Field, making: Making, depth: number): Json {
  const declared = complexTypeOf(making.container, field);
  const types = [declared, ...declared.derived.flatMap((name) => complexTypeNamed(making.container, name) ?? [])].filter(
    ({ abstract }) => !abstract,
  );
  if (types.length === 0) return null;
  const type = making.random.pick(types);
  const mark = type === declared ? [] : [['@odata.type', `#${type.qualifiedName}`] as const];
  return {
    kind: 'object',
    members: new Map<string, Json>([...mark, ...complexMembers(type, making, depth), ...dynamicMembers(type, making)]),
  };
}

function complexMembers(type: ComplexType, making: Making, depth: number): readonly (readonly [string, Json])[] {
  return Object.entries(type.fields).flatMap(([name, field]) => {
    const mayBeLeftOut = field.nullable || field.default !== undefined;
    if (type.computed.includes(name) || (mayBeLeftOut && making.random.chance(depth > 2 ? 0.9 : 0.15))) return [];
    return [[name, randomValue(field, making, depth + 1)] as const];
  });
}

/** Properties that the model does not declare, of what may have such. */
export function dynamicMembers(
  { open, fields, links = [], streams = [] }: Pick<ComplexType, 'open' | 'fields' | 'links' | 'streams'>,
  { random }: Making,
): readonly (readonly [string, Json])[] {
  const names = ['Extra', 'größer', 'toString', '__proto__', 'extra'].filter(
    (name) => !Object.hasOwn(fields, name) && ![...links, ...streams].includes(name) && random.chance(0.3),
  );
  return open ? names.map((name) => [name, random.pick<Json>(['text', number('5'), true])] as const) : [];
}
