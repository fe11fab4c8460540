import { primitives } from '../../runtime/edm/index.js';
import type { ValueMember } from '../../runtime/schema/schema.js';
import { changeType } from './change-type.js';

/** The effect of smaller facets on a member's values, like that of a type change on a column. */
export interface Narrowing {
  /** The SQL condition on a JSON value that does not fit. */
  readonly misfit: ((value: string) => string) | undefined;
  /** The SQL of the truncated JSON value; undefined where nothing is lost. */
  readonly cut: ((value: string) => string) | undefined;
  /** The end of a sentence. */
  readonly why: string;
}

/** The effect of a member's new facets; undefined where every value fits. */
export function narrowingOf({ member, before }: { readonly member: ValueMember; readonly before: ValueMember }): readonly Narrowing[] {
  const [from, to] = [sqlOf(before), sqlOf(member)];
  const change = from === undefined || to === undefined ? undefined : changeType({ name: '', type: from }, { name: '', type: to });
  if (to === undefined || change === undefined || change.effect === 'free' || change.effect === 'rewrite') return [];
  const [base, ...numbers] = partsOf(to);
  const { misfit, cut } = narrowings[base]?.(...numbers) ?? {};
  const isLossy = change.effect === 'lossy';
  return [
    { misfit: isLossy && wholeDigits(from) <= wholeDigits(to) ? undefined : misfit, cut: isLossy ? cut : undefined, why: change.why },
  ];
}

function partsOf(type: string): readonly [base: string, first: number, second: number] {
  const [, base = '', first = '0', second = '0'] = /^([a-z ]+)\((\d+)(?:, (\d+))?\)$/.exec(type) ?? [];
  return [base, Number(first), Number(second)];
}

// Digits before the point; unlimited without a precision.
function wholeDigits(type = ''): number {
  const [base, precision, scale] = partsOf(type);
  return base === 'numeric' ? precision - scale : Infinity;
}

type Sql = (value: string) => string;

// By the type of a separate column.
const narrowings: { readonly [base: string]: (first: number, second: number) => { readonly misfit?: Sql; readonly cut?: Sql } } = {
  varchar: (length) => ({ misfit: (value) => `length(${textOf(value)}) > ${length}` }),
  numeric: (precision, scale) => ({
    misfit: (value) => `abs(round((${textOf(value)})::numeric, ${scale})) >= 1e${precision - scale}`,
    cut: (value) => `to_jsonb(round((${textOf(value)})::numeric, ${scale}))`,
  }),
  timestamptz: (digits) => ({ cut: (value) => withoutDigits(value, digits) }),
  time: (digits) => ({ cut: (value) => withoutDigits(value, digits) }),
  interval: (digits) => ({ cut: (value) => withoutDigits(value, digits) }),
};

// Fractions are stored without trailing zeros.
function withoutDigits(value: string, digits: number): string {
  const kept =
    digits === 0 ? `regexp_replace(${textOf(value)}, '\\.\\d+', '')` : `regexp_replace(${textOf(value)}, '(\\.\\d{${digits}})\\d+', '\\1')`;
  return `to_jsonb(regexp_replace(${kept}, '(\\.\\d*[1-9])0+(?=\\D|$)|\\.0+(?=\\D|$)', '\\1'))`;
}

function textOf(value: string): string {
  return `${value} #>> '{}'`;
}

function sqlOf({ type, sql }: ValueMember): string | undefined {
  const item = type.replace(/^Collection\((.*)\)$/, '$1');
  return sql ?? Object.entries(primitives).find(([name]) => name === item)?.[1].sql;
}
