import { textOfJson } from './json-values.js';

/** The text of a value as clients received it; undefined where it is PostgreSQL's. `value` is SQL. */
export function clientText(base: string, value: string): string | undefined {
  return texts[base]?.(value);
}

/** The same for all items of an array. */
export function clientTexts(base: string, items: string): string | undefined {
  return arrays[base]?.(items);
}

/** The text of a duration, or of an array of them, as PostgreSQL reads it: with the sign before each number instead of the P. */
export function databaseDuration(text: string): string {
  return `replace(regexp_replace(${text}, '(?<=-P[^,]*)(?<![0-9.])([0-9])', '-\\1', 'g'), '-P', 'P')`;
}

type Print = (value: string) => string;

const floating: Print = (value) => `case ${value}::text when 'Infinity' then 'INF' when '-Infinity' then '-INF' else ${value}::text end`;

const texts: { readonly [base: string]: Print | undefined } = {
  real: floating,
  'double precision': floating,
  timestamptz: (value) => `replace((${value} at time zone 'UTC')::text, ' ', 'T') || 'Z'`,
  interval: (value) => `case when ${value}::text like '%-%' then '-' || replace(${value}::text, '-', '') else ${value}::text end`,
  jsonb: textOfJson,
};

const floatings: Print = (items) => `array_replace(array_replace(${items}::text[], 'Infinity', 'INF'), '-Infinity', '-INF')`;

// USING permits no subquery over items: the text of the array is edited. The session's time zone is UTC.
const arrays: { readonly [base: string]: Print | undefined } = {
  real: floatings,
  'double precision': floatings,
  timestamptz: (items) => `replace(replace(${items}::text, '+00"', 'Z"'), ' ', 'T')::text[]`,
  interval: (items) => `regexp_replace(regexp_replace(${items}::text, '([{,])(P[^,}]*-)', '\\1-\\2', 'g'), '([A-Z])-', '\\1', 'g')::text[]`,
};
