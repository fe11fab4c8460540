import type { PrimitiveTypeName } from '../edm/index.js';

/** Groups of types whose values can be compared with each other and passed to the same parameter. */
export type Family =
  | 'string'
  | 'number'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'duration'
  | 'guid'
  | 'binary'
  | 'point'
  | 'polygon'
  | 'line'
  | 'shape'
  | 'anyShape'
  | 'enumeration'
  | 'complex'
  | 'collection';

/** One overload of a canonical function (URL conventions 5.1.1.4 to 5.1.1.12). */
export interface Method {
  readonly name: string;
  readonly parameters: readonly Family[];
  /** `same` gives the promoted type of the first argument, `collection` a collection of the arguments' items. */
  readonly result: PrimitiveTypeName | 'same' | 'collection';
  /** PostgreSQL, with `{0}` for the first argument. Null in, null out, unless the SQL handles null. */
  readonly sql: string;
  /** The SQL for a floating number, where it differs. */
  readonly floatingSql?: string;
}

const utc = (part: string): string => `extract(${part} from {0} at time zone 'UTC')::int`;
const of = (part: string): string => `extract(${part} from {0})::int`;
// `least` and `greatest` skip null, so null is handled separately; in `substring` the arguments are columns, written out once.
const int = (argument: string): string =>
  `(case when ${argument} is not null then least(greatest(${argument}, -1000000), 1000000)::int end)`;
// Case follows Unicode whatever the database's locale is, and the result compares by code point again.
const unicode = (call: string): string => `(${call}({0} collate "und-x-icu") collate "C")`;
// OData counts from the start, and a negative start from the end (URL conventions 5.1.1.5.7).
const from = `case when n < 0 then right(s, -${int('n')}) else substr(s, ${int('n')} + 1) end`;
const taken = `(case when m is not null then greatest(${int('m')}, 0) end)`;
// `offset 0` keeps PostgreSQL from inlining the arguments at every use: nested calls would grow exponentially.
const substring = (value: string, columns: string): string => `(select ${value} from (select ${columns} offset 0) arguments)`;
const items = (value: string, columns = '{0} as a, {1} as b'): string => substring(value, columns);
// Halves round away from zero (URL conventions 5.1.1.9.1), not to even.
const roundFloating = substring(
  "trunc(v) + case when abs(v - trunc(v)) >= 0.5 and abs(v) < 'Infinity' then sign(v) else 0 end",
  '{0} as v',
);
// Unicode's White_Space, which `trim` removes (URL conventions 5.1.1.7.3).
const whiteSpace = String.raw`E' \t\n\u000b\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'`;
// These do not propagate null by themselves.
const ofBoth = (condition: string): string => `case when a is not null and b is not null then ${condition} end`;
const someMissing =
  'exists (select from unnest(b) wanted(v) group by v having count(*) > (select count(*) from unnest(a) found(v) where found.v is not distinct from wanted.v))';
const position = '(select min(i) from generate_series(0, cardinality(a) - cardinality(b)) i where a[i + 1:i + cardinality(b)] = b)';
// Each item is searched for after the position of the one before; the first match is the best.
const inOrder =
  '(with recursive taken(i, p) as (select 0, 0 union all select i + 1, (select min(k) from generate_subscripts(a, 1) k where k > p and a[k] is not distinct from b[i + 1]) ' +
  'from taken where i < cardinality(b) and p is not null) select bool_or(i = cardinality(b) and p is not null) from taken)';
const first = `(case when n < 0 then greatest(cardinality(a) + ${int('n')}, 0) else ${int('n')} end)`;

/**
 * `eq` of two collections: the same items, each as often; the order does not matter, since no property declares one.
 * The collections of a missing entity are null.
 */
export const sameItems: Method = {
  name: 'eq',
  parameters: ['collection', 'collection'],
  result: 'Edm.Boolean',
  sql: items(`coalesce(cardinality(a) = cardinality(b) and not ${someMissing}, a is null and b is null)`),
};

/** Whether a collection contains the items of another one, each as often; `in` uses it for the results of functions. */
export const subset: Method = {
  name: 'hassubset',
  parameters: ['collection', 'collection'],
  result: 'Edm.Boolean',
  sql: items(ofBoth(`not ${someMissing}`)),
};

// oxfmt-ignore
/** The functions of `$filter` and `$orderby`: a new one is a row here and a case in `test/expression`. */
export const methods: readonly Method[] = [
  { name: 'concat', parameters: ['string', 'string'], result: 'Edm.String', sql: '({0} || {1})' },
  { name: 'contains', parameters: ['string', 'string'], result: 'Edm.Boolean', sql: '(strpos({0}, {1}) > 0)' },
  { name: 'endswith', parameters: ['string', 'string'], result: 'Edm.Boolean', sql: '(right({0}, char_length({1})) = {1})' },
  { name: 'startswith', parameters: ['string', 'string'], result: 'Edm.Boolean', sql: 'starts_with({0}, {1})' },
  { name: 'indexof', parameters: ['string', 'string'], result: 'Edm.Int32', sql: '(strpos({0}, {1}) - 1)' },
  { name: 'length', parameters: ['string'], result: 'Edm.Int32', sql: 'char_length({0})' },
  { name: 'substring', parameters: ['string', 'number'], result: 'Edm.String', sql: substring(from, '{0} as s, {1} as n') },
  { name: 'substring', parameters: ['string', 'number', 'number'], result: 'Edm.String', sql: substring(`left(${from}, ${taken})`, '{0} as s, {1} as n, {2} as m') },
  { name: 'tolower', parameters: ['string'], result: 'Edm.String', sql: unicode('lower') },
  { name: 'toupper', parameters: ['string'], result: 'Edm.String', sql: unicode('upper') },
  { name: 'trim', parameters: ['string'], result: 'Edm.String', sql: `btrim({0}, ${whiteSpace})` },
  // The pattern has been translated; in collation C a class contains its literal characters.
  { name: 'matchespattern', parameters: ['string', 'string'], result: 'Edm.Boolean', sql: '(({0} collate "C") ~ {1})' },
  { name: 'year', parameters: ['timestamp'], result: 'Edm.Int32', sql: utc('year') },
  { name: 'year', parameters: ['date'], result: 'Edm.Int32', sql: of('year') },
  { name: 'month', parameters: ['timestamp'], result: 'Edm.Int32', sql: utc('month') },
  { name: 'month', parameters: ['date'], result: 'Edm.Int32', sql: of('month') },
  { name: 'day', parameters: ['timestamp'], result: 'Edm.Int32', sql: utc('day') },
  { name: 'day', parameters: ['date'], result: 'Edm.Int32', sql: of('day') },
  { name: 'hour', parameters: ['timestamp'], result: 'Edm.Int32', sql: utc('hour') },
  { name: 'hour', parameters: ['time'], result: 'Edm.Int32', sql: of('hour') },
  { name: 'minute', parameters: ['timestamp'], result: 'Edm.Int32', sql: utc('minute') },
  { name: 'minute', parameters: ['time'], result: 'Edm.Int32', sql: of('minute') },
  { name: 'second', parameters: ['timestamp'], result: 'Edm.Int32', sql: `floor(extract(second from {0}))::int` },
  { name: 'second', parameters: ['time'], result: 'Edm.Int32', sql: `floor(extract(second from {0}))::int` },
  { name: 'fractionalseconds', parameters: ['timestamp'], result: 'Edm.Decimal', sql: 'mod(extract(second from {0}), 1)' },
  { name: 'fractionalseconds', parameters: ['time'], result: 'Edm.Decimal', sql: 'mod(extract(second from {0}), 1)' },
  { name: 'date', parameters: ['timestamp'], result: 'Edm.Date', sql: `({0} at time zone 'UTC')::date` },
  { name: 'time', parameters: ['timestamp'], result: 'Edm.TimeOfDay', sql: `({0} at time zone 'UTC')::time` },
  // Values are kept in UTC, so the offset of a stored one is always zero; null stays null.
  { name: 'totaloffsetminutes', parameters: ['timestamp'], result: 'Edm.Int32', sql: '(extract(timezone from {0}) / 60)::int' },
  { name: 'totalseconds', parameters: ['duration'], result: 'Edm.Decimal', sql: 'extract(epoch from {0})' },
  { name: 'now', parameters: [], result: 'Edm.DateTimeOffset', sql: 'now()' },
  { name: 'mindatetime', parameters: [], result: 'Edm.DateTimeOffset', sql: `timestamptz '0001-01-01 00:00:00+00'` },
  { name: 'maxdatetime', parameters: [], result: 'Edm.DateTimeOffset', sql: `timestamptz '9999-12-31 23:59:59.999999+00'` },
  { name: 'ceiling', parameters: ['number'], result: 'same', sql: 'ceil({0}::numeric)', floatingSql: 'ceil({0})' },
  { name: 'floor', parameters: ['number'], result: 'same', sql: 'floor({0}::numeric)', floatingSql: 'floor({0})' },
  { name: 'round', parameters: ['number'], result: 'same', sql: 'round({0}::numeric)', floatingSql: roundFloating },
  // Of collections, in the order in which their items are stored.
  { name: 'concat', parameters: ['collection', 'collection'], result: 'collection', sql: items(ofBoth('a || b')) },
  { name: 'contains', parameters: ['collection', 'collection'], result: 'Edm.Boolean', sql: items(ofBoth(`${position} is not null`)) },
  { name: 'startswith', parameters: ['collection', 'collection'], result: 'Edm.Boolean', sql: items('a[1:cardinality(b)] = b') },
  { name: 'endswith', parameters: ['collection', 'collection'], result: 'Edm.Boolean', sql: items('a[cardinality(a) - cardinality(b) + 1:] = b') },
  { name: 'indexof', parameters: ['collection', 'collection'], result: 'Edm.Int32', sql: items(ofBoth(`coalesce(${position}, -1)`)) },
  { name: 'length', parameters: ['collection'], result: 'Edm.Int32', sql: 'cardinality({0})' },
  { name: 'substring', parameters: ['collection', 'number'], result: 'collection', sql: items(`a[${first} + 1:]`, '{0} as a, {1} as n') },
  { name: 'substring', parameters: ['collection', 'number', 'number'], result: 'collection', sql: items(`a[${first} + 1:${first} + ${taken}]`, '{0} as a, {1} as n, {2} as m') },
  subset,
  { name: 'hassubsequence', parameters: ['collection', 'collection'], result: 'Edm.Boolean', sql: items(ofBoth(inOrder)) },
  // Compiled by `features/geo`.
  { name: 'geo.distance', parameters: ['point', 'point'], result: 'Edm.Double', sql: '' },
  { name: 'geo.intersects', parameters: ['point', 'polygon'], result: 'Edm.Boolean', sql: 'null::boolean' },
  { name: 'geo.length', parameters: ['line'], result: 'Edm.Double', sql: '' },
];

const known: ReadonlySet<string> = new Set([...methods.map(({ name }) => name), 'cast', 'isof', 'case', 'isdefined']);

/** Whether a function of OData has that name, in lower case. */
export function isMethod(name: string): boolean {
  return known.has(name);
}

/** The family of each type, one row a type. */
export const familyOf: { readonly [Name in PrimitiveTypeName]: Family } = {
  'Edm.String': 'string',
  'Edm.Boolean': 'boolean',
  'Edm.Byte': 'number',
  'Edm.SByte': 'number',
  'Edm.Int16': 'number',
  'Edm.Int32': 'number',
  'Edm.Int64': 'number',
  'Edm.Decimal': 'number',
  'Edm.Single': 'number',
  'Edm.Double': 'number',
  'Edm.Date': 'date',
  'Edm.TimeOfDay': 'time',
  'Edm.DateTimeOffset': 'timestamp',
  'Edm.Duration': 'duration',
  'Edm.Guid': 'guid',
  'Edm.Binary': 'binary',
  'Edm.GeographyPoint': 'point',
  'Edm.GeometryPoint': 'point',
  'Edm.Geography': 'anyShape',
  'Edm.GeographyLineString': 'line',
  'Edm.GeographyPolygon': 'polygon',
  'Edm.GeographyMultiPoint': 'shape',
  'Edm.GeographyMultiLineString': 'shape',
  'Edm.GeographyMultiPolygon': 'shape',
  'Edm.GeographyCollection': 'shape',
  'Edm.Geometry': 'anyShape',
  'Edm.GeometryLineString': 'line',
  'Edm.GeometryPolygon': 'polygon',
  'Edm.GeometryMultiPoint': 'shape',
  'Edm.GeometryMultiLineString': 'shape',
  'Edm.GeometryMultiPolygon': 'shape',
  'Edm.GeometryCollection': 'shape',
  'Edm.Untyped': 'complex',
  'Edm.ComplexType': 'complex',
};

/** The families of shapes, which are not compared, sorted or grouped by. */
export const shapeFamilies = ['point', 'polygon', 'line', 'shape', 'anyShape'] as const satisfies readonly Family[];

/** The name of a family in a message. */
export const familyNames: { readonly [Name in Family]: string } = {
  string: 'a string',
  number: 'a number',
  boolean: 'a Boolean',
  date: 'a date',
  time: 'a time of day',
  timestamp: 'a date-time',
  duration: 'a duration',
  guid: 'a GUID',
  binary: 'binary data',
  point: 'a point',
  polygon: 'a polygon',
  line: 'a line string',
  shape: 'a shape',
  anyShape: 'a shape',
  enumeration: 'an enumeration',
  complex: 'a complex value',
  collection: 'a collection',
};
