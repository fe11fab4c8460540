import { type EnumType, isFloating, primitives, type PrimitiveTypeName } from '../edm/index.js';
import { namedMembers } from '../expression/enum-members.js';
import { familyOf } from '../expression/methods.js';
import { enumerationOf, isPropertyType } from '../plan/expr-facts.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';
import { decimalOf } from './compile-arithmetic.js';
import { compileValue } from './compile-expr.js';

// The literals of infinity and NaN, as in payloads (URL conventions 5.1.1.10.1, rule 3).
const infinity: { readonly [literal: string]: string } = { INF: 'Infinity', '-INF': '-Infinity', NaN: 'NaN' };
const wholeNumber = String.raw`'^[+-]?[0-9]+$'`;
const number = String.raw`'^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$'`;

/** A cast; a value that does not fit becomes null, not an error (URL conventions 5.1.1.10.1). */
export function compileCast(expr: Extract<TypedExpr, { kind: 'cast' }>, builder: StatementBuilder): string {
  const { sql } = primitives[expr.type];
  const from = expr.operand.type;
  // Before the operand is compiled: an unused parameter would have no type.
  if (!isPropertyType(from)) return `null::${sql}`;
  const value = compileValue(expr.operand, builder);
  const member = compileEnumCast(expr, value, builder);
  if (member !== undefined) return member;
  if (expr.type === 'Edm.String') return isFloating(from) ? floatingText(value) : castToText(value, familyOf[from]);
  if (isFloating(expr.type) && isFloating(from)) return expr.type === 'Edm.Single' ? named(value, single) : `(${value})::${sql}`;
  if (isFloating(expr.type) && familyOf[from] === 'string') return castToFloating(value, expr.type);
  if (familyOf[expr.type] === 'number')
    return castToNumber(isFloating(from) ? finiteDecimalOf(value) : value, familyOf[from] === 'string', expr.type);
  if (familyOf[from] === 'string') return castFromText(value, expr.type);
  if (from === expr.type && (from === 'Edm.Date' || from === 'Edm.DateTimeOffset')) return named(value, toYear9999);
  const local = familyOf[from] === 'timestamp' && familyOf[expr.type] !== 'timestamp' ? `(${value} at time zone 'UTC')` : value;
  return `(${local})::${sql}`;
}

// Decimals and whole numbers are finite.
function finiteDecimalOf(value: string): string {
  return named(decimalOf(value), "case when abs(v) < 'Infinity' then v end");
}

// The text is that of a literal of the type in a URL.
function castToText(value: string, family: string): string {
  if (family === 'duration')
    return `(${named(value, `(select case when t like '%-%' then '-' || replace(t, '-', '') else t end from (select (case when ${severalSigns} then make_interval(secs => extract(epoch from v)::double precision) else v end)::text as t offset 0) text)`)} collate "C")`;
  if (family !== 'timestamp') return `((${value})::text collate "C")`;
  const seconds = `to_char((${value}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
  return `(regexp_replace(${seconds}, '\\.?0+$', '') || 'Z' collate "C")`;
}

// Parts with different signs, or a part that the standard's durations lack.
const severalSigns = String.raw`v::text like '%-%' and v::text ~ '[A-Z][0-9]' or v::text ~ '^P[^T]*[YM]'`;

// Dates and timestamps that are sent and returned have years of four digits.
const toYear9999 = 'case when extract(year from v) < 10000 then v end';

// PostgreSQL spells infinity out.
function floatingText(value: string): string {
  return `(${named(`(${value})::text`, "case v when 'Infinity' then 'INF' when '-Infinity' then '-INF' else v end")} collate "C")`;
}

function castToNumber(value: string, isText: boolean, type: PrimitiveTypeName): string {
  const { sql, range } = primitives[type];
  const exact = isText
    ? named(value, `case when v ~ ${range === undefined ? number : wholeNumber} then v::numeric end`)
    : `(${value})::numeric`;
  if (isFloating(type)) return `${named(exact, floatingRange[type])}::${sql}`;
  if (range === undefined) return `(${exact})::${sql}`;
  return `${named(`trunc(${exact})`, `case when v between ${range[0]} and ${range[1]} then v end`)}::${sql}`;
}

// Texts of floating numbers may be INF, -INF and NaN (ABNF rule nanInfinity).
function castToFloating(value: string, type: 'Edm.Single' | 'Edm.Double'): string {
  const special = Object.entries(infinity)
    .map(([literal, text]) => `when '${literal}' then '${text}'::${primitives[type].sql}`)
    .join(' ');
  return named(value, `case v ${special} else ${castToNumber('v', true, type)} end`);
}

const month = '(0[1-9]|1[0-2])';
const clock = String.raw`([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,12})?)?`;
const dateForm = `[0-9]{4}-${month}-(0[1-9]|[12][0-9]|3[01])`;
const amount = '[0-9]{1,6}';
// The day must exist in its month, or PostgreSQL would fail; there is no year 0.
const isDay = "left(v, 4) <> '0000' and substr(v, 9, 2)::int <= extract(day from (left(v, 7) || '-01')::date + interval '1 month -1 day')";

/** The pattern of a text, a further condition, and the conversion; a new type is a row here. */
const textForms: { readonly [family: string]: { readonly form: string; readonly holds?: string; readonly value: string } | undefined } = {
  boolean: { form: '(true|false)', value: 'v::boolean' },
  date: { form: dateForm, holds: isDay, value: 'v::date' },
  // Beyond microseconds a time would be rounded, perhaps to 24 o'clock.
  time: { form: clock, value: 'left(v, 15)::time' },
  // Without an offset the time is UTC, the session's time zone (URL conventions 5.1.1.10.1, rule 11).
  timestamp: {
    form: `${dateForm}T${clock}(Z|[-+](0[0-9]|1[0-3]):[0-5][0-9])?`,
    holds: isDay,
    value: String.raw`regexp_replace(v, '([.][0-9]{6})[0-9]+', '\1')::timestamptz`,
  },
  duration: {
    form: String.raw`[-+]?P(?=.)(${amount}D)?(T(?=.)(${amount}H)?(${amount}M)?(${amount}(\.[0-9]{1,12})?S)?)?`,
    value: "case when v like '-%' then -substr(v, 2)::interval else ltrim(v, '+')::interval end",
  },
  binary: {
    form: '([-_A-Za-z0-9]{4})*([-_A-Za-z0-9]{2}(==)?|[-_A-Za-z0-9]{3}=?)?',
    // The database's base64 needs the other alphabet and the padding.
    value: "decode(translate(v, '-_', '+/') || repeat('=', -length(v) & 3), 'base64')",
  },
  guid: { form: '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', value: 'v::uuid' },
};

// The pattern is tested before the condition, since branches of a case are evaluated in order.
function castFromText(value: string, type: PrimitiveTypeName): string {
  const form = textForms[familyOf[type]];
  if (form === undefined) throw new Error(`Strings cannot be cast to ${type}.`);
  const cast = form.holds === undefined ? form.value : `case when ${form.holds} then ${form.value} end`;
  return named(value, `case when v ~ '^${form.form}$' then ${cast} end`);
}

// PostgreSQL reports overflow and underflow as errors instead of returning infinity and zero.
const floatingRange: { readonly [Name in 'Edm.Single' | 'Edm.Double']: string } = {
  'Edm.Single': 'case when abs(v) < 1e-45 then 0 when abs(v) <= 3.4028235e38 then v end',
  'Edm.Double': 'case when abs(v) < 5e-324 then 0 when abs(v) <= 1.7976931348623157e308 then v end',
};

// Infinity and NaN are kept.
const single = "case when abs(v) < 1e-45 then 0 when abs(v) <= 3.4028235e38 or abs(v) = 'Infinity' or v = 'NaN' then v end::real";

/** A cast to an enumeration, or from one to text, of a compiled operand; undefined for other casts. */
function compileEnumCast(expr: Extract<TypedExpr, { kind: 'cast' }>, value: string, builder: StatementBuilder): string | undefined {
  const { type, enumeration, operand } = expr;
  const from = enumerationOf(operand);
  if (enumeration === undefined) return from && type === 'Edm.String' ? named(value, textOf(from, builder)) : undefined;
  const { sql } = primitives[type];
  if (operand.type !== 'Edm.String') return named(value, `case when ${isValue(enumeration, builder)} then v::${sql} end`);
  const number = named(`(${named(value, numberOf(enumeration, builder))})`, `case when ${isValue(enumeration, builder)} then v end`);
  return `(${number})::${sql}`;
}

// The members as a table.
function members(all: EnumType['members'], builder: StatementBuilder): string {
  const [names, values] = [all.map(([name]) => name), all.map(([, value]) => value)];
  return `unnest(${builder.bind(names, 'text[]')}, ${builder.bind(values, 'bigint[]')})`;
}

// Like `enumText`: the member's name, or for flags the largest members that compose the value.
function textOf(type: EnumType, builder: StatementBuilder): string {
  const table = members(namedMembers(type), builder);
  const member = `(select name from ${table} m(name, bits) where bits = v)`;
  if (!type.flags) return `(coalesce(${member}, v::text) collate "C")`;
  const larger = `exists (select from ${table} n(name, bits) where ${within('n')} and n.bits <> m.bits and n.bits & m.bits = m.bits)`;
  const several = `(select string_agg(name, ',' order by bits) from ${table} m(name, bits) where ${within('m')} and not ${larger} having bit_or(bits) = v)`;
  return `(coalesce(${member}, ${several}, v::text) collate "C")`;
}

function within(alias: string): string {
  return `${alias}.bits <> 0 and v & ${alias}.bits = ${alias}.bits`;
}

const digits = String.raw`'^[-+]?[0-9]{1,18}$'`;

// Like `enumValue`: names or numbers, several for flags; null for an unknown one.
function numberOf(type: EnumType, builder: StatementBuilder): string {
  const one = (text: string): string =>
    `coalesce((select bits from ${members(type.members, builder)} m(name, bits) where name = ${text}), case when ${text} ~ ${digits} then ${text}::bigint end)`;
  if (!type.flags) return one('v');
  return `(select case when count(*) = count(number) then bit_or(number) end from (select ${one('part')} as number from unnest(string_to_array(v, ',')) part) parts)`;
}

// Whether `v` is a value of the enumeration.
function isValue({ flags, members: all }: EnumType, builder: StatementBuilder): string {
  const values = all.map(([, value]) => value);
  if (!flags) return `v = any(${builder.bind(values, 'bigint[]')})`;
  const bits = builder.bind(String(values.reduce((sum, value) => sum | BigInt(value), 0n)), 'bigint');
  return `case when v between 0 and ${bits} and v = trunc(v) then v::bigint & ~${bits} = 0 end`;
}

/** An expression over a value named `v`. `offset 0` keeps PostgreSQL from inlining the value, as nested casts would grow exponentially. */
function named(value: string, expression: string): string {
  return `(select ${expression} from (select ${value} as v offset 0) operand)`;
}
