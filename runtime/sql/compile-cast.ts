import { primitives, type PrimitiveTypeName } from '../edm/index.js';
import { familyOf } from '../expression/families.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';
import { compileEnumCast, named } from './compile-enum.js';
import { compileValue } from './compile-expr.js';
import { decimalOf } from './compile-floating.js';

// The literals of the types, as payloads write them (URL conventions 5.1.1.10.1, rule 3).
const infinity: { readonly [literal: string]: string } = { INF: 'Infinity', '-INF': '-Infinity', NaN: 'NaN' };
const wholeNumber = String.raw`'^[+-]?[0-9]+$'`;
const number = String.raw`'^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$'`;

/** A cast; a value that does not fit gives null, not a failure (URL conventions 5.1.1.10.1). */
export function compileCast(expr: Extract<TypedExpr, { kind: 'cast' }>, builder: StatementBuilder): string {
  const { sql } = primitives[expr.type];
  const from = expr.operand.type;
  // Before the operand is compiled: a parameter that the text does not mention has no type.
  if (from === 'null' || from === 'polygon' || from === 'line') return `null::${sql}`;
  const value = compileValue(expr.operand, builder);
  const member = compileEnumCast(expr, value, builder);
  if (member !== undefined) return member;
  if (expr.type === 'Edm.String') return isFloating(from) ? floatingText(value) : castToText(value, familyOf[from]);
  if (isFloating(expr.type) && isFloating(from)) return expr.type === 'Edm.Single' ? named(value, single) : `(${value})::${sql}`;
  if (isFloating(expr.type) && familyOf[from] === 'string') return castToFloating(value, expr.type);
  if (familyOf[expr.type] === 'number')
    return castToNumber(isFloating(from) ? finiteDecimalOf(value) : value, familyOf[from] === 'string', expr.type);
  if (familyOf[from] === 'string') return castFromText(value, expr.type);
  const local = familyOf[from] === 'timestamp' && familyOf[expr.type] !== 'timestamp' ? `(${value} at time zone 'UTC')` : value;
  return `(${local})::${sql}`;
}

// Decimal and whole numbers are finite.
function finiteDecimalOf(value: string): string {
  return named(decimalOf(value), "case when abs(v) < 'Infinity' then v end");
}

// The text is the one that a literal of the type has in a URL.
function castToText(value: string, family: string): string {
  if (family === 'duration')
    return `(${named(value, `(select case when t like '%-%' then '-' || replace(t, '-', '') else t end from (select (case when ${severalSigns} then make_interval(secs => extract(epoch from v)::double precision) else v end)::text as t offset 0) text)`)} collate "C")`;
  if (family !== 'timestamp') return `((${value})::text collate "C")`;
  const seconds = `to_char((${value}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
  return `(regexp_replace(${seconds}, '\\.?0+$', '') || 'Z' collate "C")`;
}

// A part with a sign and one without, or one that a duration of the standard has not.
const severalSigns = String.raw`v::text like '%-%' and v::text ~ '[A-Z][0-9]' or v::text ~ '^P[^T]*[YM]'`;

// PostgreSQL writes what is infinite out.
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

// Texts of floating numbers have three values that decimal ones have not (ABNF rule nanInfinity).
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
// The day must be one of its month, or PostgreSQL would fail; it has no year 0.
const isDay = "left(v, 4) <> '0000' and substr(v, 9, 2)::int <= extract(day from (left(v, 7) || '-01')::date + interval '1 month -1 day')";

/** What a text must look like, what else must hold, and how its value comes about; a new type is a row here. */
const textForms: { readonly [family: string]: { readonly form: string; readonly holds?: string; readonly value: string } | undefined } = {
  boolean: { form: '(true|false)', value: 'v::boolean' },
  date: { form: dateForm, holds: isDay, value: 'v::date' },
  // Beyond microseconds a time would be rounded, perhaps to 24 o'clock.
  time: { form: clock, value: 'left(v, 15)::time' },
  // Without an offset it is one of UTC, which the session runs in (URL conventions 5.1.1.10.1, rule 11).
  timestamp: {
    form: `${dateForm}T${clock}(Z|[-+](0[0-9]|1[0-3]):[0-5][0-9])?`,
    holds: isDay,
    value: String.raw`regexp_replace(v, '([.][0-9]{6})[0-9]+', '\1')::timestamptz`,
  },
  duration: {
    form: String.raw`[-+]?P(?=.)(${amount}D)?(T(?=.)(${amount}H)?(${amount}M)?(${amount}(\.[0-9]{1,12})?S)?)?`,
    value: "case when v like '-%' then -substr(v, 2)::interval else ltrim(v, '+')::interval end",
  },
  guid: { form: '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', value: 'v::uuid' },
};

// The condition is looked at before the rest, since a case's branches are taken in turn.
function castFromText(value: string, type: PrimitiveTypeName): string {
  const form = textForms[familyOf[type]];
  if (form === undefined) throw new Error(`No text is cast to ${type}.`);
  const cast = form.holds === undefined ? form.value : `case when ${form.holds} then ${form.value} end`;
  return named(value, `case when v ~ '^${form.form}$' then ${cast} end`);
}

// PostgreSQL refuses to make too large a number infinite, and too small a one zero.
const floatingRange: { readonly [Name in 'Edm.Single' | 'Edm.Double']: string } = {
  'Edm.Single': 'case when abs(v) < 1e-45 then 0 when abs(v) <= 3.4028235e38 then v end',
  'Edm.Double': 'case when abs(v) < 5e-324 then 0 when abs(v) <= 1.7976931348623157e308 then v end',
};

// An infinite number, and one that is none, stay what they are.
const single = "case when abs(v) < 1e-45 then 0 when abs(v) <= 3.4028235e38 or abs(v) = 'Infinity' or v = 'NaN' then v end::real";

function isFloating(type: PrimitiveTypeName): type is 'Edm.Single' | 'Edm.Double' {
  return type === 'Edm.Single' || type === 'Edm.Double';
}
