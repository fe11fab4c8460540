import { literal } from '../../runtime/schema/identifier.js';
import { databaseDuration } from './client-texts.js';

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
  const form = formOf(now);
  if (form === undefined) return `${column}::${type}`;
  const text = now.base === 'interval' ? databaseDuration(column) : column;
  return `case when ${column} ~ ${literal(form)} then ${text} else 'not exactly one: ' || ${column} end::${type}`;
}

/** The form of texts that a type stores without loss, as a regular expression of PostgreSQL. */
function formOf({ base, numbers }: SqlType): string | undefined {
  return forms[base]?.(numbers[base === 'numeric' ? 1 : 0]);
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
