import { literal } from '../../runtime/schema/identifier.js';

/** The parts of an SQL type. */
export interface SqlType {
  readonly base: string;
  readonly numbers: readonly number[];
  readonly array: boolean;
}

/** Takes an SQL type apart. */
export function parseType(type: string): SqlType {
  const [, base = type, numbers = '', array] = /^([a-z ]+?)(?:\(([\d, ]+)\))?(\[\])?$/.exec(type) ?? [];
  return {
    base,
    numbers: numbers
      .split(',')
      .filter((digits) => digits.trim() !== '')
      .map(Number),
    array: array !== undefined,
  };
}

/** A text as a value of a type: PostgreSQL would round digits, and truncate a timestamp to a date; here more than the type holds is an error. */
export function castText(column: string, type: string, now: SqlType): string {
  const form = forms[now.base]?.(now.numbers[now.base === 'numeric' ? 1 : 0]);
  if (form === undefined) return `${column}::${type}`;
  const text = now.base === 'interval' ? databaseDuration(column) : column;
  return `case when ${column} ~ ${literal(form)} then ${text} else 'not exactly one: ' || ${column} end::${type}`;
}

// Digits after the point, and trailing zeros.
const fraction = (digits: number): string => `([.][0-9]{0,${digits}}0*)?`;
const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const clock = (digits: number): string => `[0-9]{2}:[0-9]{2}(:[0-9]{2}${fraction(digits)})?`;
const duration = (digits = 6): string => `-?P([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+${fraction(digits)}S)?)?`;

/** The texts that a type stores without loss, by its number of digits after the point. */
const forms: { readonly [base: string]: (digits: number | undefined) => string | undefined } = {
  numeric: (digits) => (digits === undefined ? undefined : `^[-+]?[0-9]+${fraction(digits)}$`),
  date: () => `^${day}$`,
  time: (digits = 6) => `^${clock(digits)}$`,
  timestamptz: (digits = 6) => `^${day}[Tt ]${clock(digits)}([Zz]|[-+][0-9]{2}:[0-9]{2})$`,
  interval: (digits) => `^${duration(digits)}$`,
};

/** The text of a value as clients received it; undefined where it is PostgreSQL's. `value` is SQL. */
export function clientText(base: string, value: string): string | undefined {
  return texts[base]?.(value);
}

/** The text of a duration as PostgreSQL reads it: with the sign before each number instead of the P. */
function databaseDuration(text: string): string {
  return `replace(regexp_replace(${text}, '(?<=-P[^,]*)(?<![0-9.])([0-9])', '-\\1', 'g'), '-P', 'P')`;
}

type Print = (value: string) => string;

const floating: Print = (value) => `case ${value}::text when 'Infinity' then 'INF' when '-Infinity' then '-INF' else ${value}::text end`;

const texts: { readonly [base: string]: Print | undefined } = {
  real: floating,
  'double precision': floating,
  timestamptz: (value) => `replace((${value} at time zone 'UTC')::text, ' ', 'T') || 'Z'`,
  interval: (value) => `case when ${value}::text like '%-%' then '-' || replace(${value}::text, '-', '') else ${value}::text end`,
};
