/** The text of a value as clients received it; undefined where it is PostgreSQL's. `value` is SQL. */
export function clientText(base: string, value: string): string | undefined {
  return texts[base]?.(value);
}

/** The text of a duration as PostgreSQL reads it: with the sign before each number instead of the P. */
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
};
