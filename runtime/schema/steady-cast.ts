/**
 * The expression of a generated column. PostgreSQL regards casts from text to dates and times as dependent on settings,
 * and allows no generated column with them; dates and times are computed from numbers instead. The text has the form of
 * stored JSON (`plan/value/stored-json.ts`), and is null where there is no value.
 */
export function steadyExpression(generated: string): string {
  const [, text, type] = cast.exec(generated) ?? [];
  return text === undefined || type === undefined ? generated : (steady[type]?.(text) ?? generated);
}

const cast = /^(.*)::(\w+)$/s;

const steady: { readonly [type: string]: ((text: string) => string) | undefined } = {
  date: (text) => `make_date(${day(text)})`,
  time: (text) => `make_time(${whole(text, 1, 2)}, ${whole(text, 4, 2)}, substr(${text}, 7)::double precision)`,
  // In UTC, with a Z at the end.
  timestamptz: (text) =>
    `make_timestamp(${day(text)}, ${whole(text, 12, 2)}, ${whole(text, 15, 2)}, rtrim(substr(${text}, 18), 'Z')::double precision) at time zone 'UTC'`,
  // The sign comes before the P; there are neither years nor months.
  interval: (text) => `case when ${text} like '-%' then -${span(text)} when ${text} is not null then ${span(text)} end`,
};

// The years 0001 to 9999, the only ones that are stored.
function day(text: string): string {
  return `${whole(text, 1, 4)}, ${whole(text, 6, 2)}, ${whole(text, 9, 2)}`;
}

function whole(text: string, from: number, length: number): string {
  return `substr(${text}, ${from}, ${length})::integer`;
}

function span(text: string): string {
  const part = (pattern: string, type: string): string => `coalesce(substring(${text} from '${pattern}')::${type}, 0)`;
  return `make_interval(days => ${part('([0-9]+)D', 'integer')}, hours => ${part('([0-9]+)H', 'integer')}, mins => ${part('([0-9]+)M', 'integer')}, secs => ${part('([0-9.]+)S', 'double precision')})`;
}
