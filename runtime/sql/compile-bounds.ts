import { primitives } from '../edm/index.js';
import { earthRadius, radians } from '../expression/sphere.js';
import type { ComparisonOperator, TypedExpr, TypedLiteral } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';
import { compileValue } from './compile-expr.js';

type Comparison = Extract<TypedExpr, { kind: 'comparison' }>;
type Call = Extract<TypedExpr, { kind: 'call' }>;

const mirrored: { readonly [Operator in ComparisonOperator]: ComparisonOperator } = {
  eq: 'eq',
  ne: 'ne',
  gt: 'lt',
  ge: 'le',
  lt: 'gt',
  le: 'ge',
};

/**
 * A comparison of a function with a literal as bounds of the argument, for which an index applies; undefined without
 * bounds.
 */
export function compileBounds({ operator, left, right }: Comparison, builder: StatementBuilder): string | undefined {
  if (left.kind === 'call' && right.kind === 'literal') return boundsOf[left.method.name]?.(left, operator, right, builder);
  if (left.kind === 'literal' && right.kind === 'call') return boundsOf[right.method.name]?.(right, mirrored[operator], left, builder);
  return undefined;
}

type Bounds = (call: Call, operator: ComparisonOperator, literal: TypedLiteral, builder: StatementBuilder) => string | undefined;

const boundsOf: { readonly [method: string]: Bounds | undefined } = { date: dayBounds, year: yearBounds, 'geo.distance': circleBounds };

// A day in UTC, as `date` sees it.
function dayBounds(
  { arguments: [moment] }: Call,
  operator: ComparisonOperator,
  literal: TypedLiteral,
  builder: StatementBuilder,
): string | undefined {
  if (operator !== 'eq' || moment?.kind !== 'column' || literal.type !== 'Edm.Date') return undefined;
  const column = compileValue(moment, builder);
  const start = (days: string): string => `((${builder.bindValueOf(literal, 'date')}${days})::timestamp at time zone 'UTC')`;
  return `(${column} >= ${start('')} and ${column} < ${start(' + 1')})`;
}

function yearBounds(
  { arguments: [moment] }: Call,
  operator: ComparisonOperator,
  literal: TypedLiteral,
  builder: StatementBuilder,
): string | undefined {
  if (operator !== 'eq' || moment?.kind !== 'column' || literal.type !== 'Edm.Int64' || literal.value === null) return undefined;
  const column = compileValue(moment, builder);
  const { sql } = primitives[moment.type];
  const [from, to] = yearRange(Number(literal.value));
  return `(${column} >= ${builder.bind(from, sql)} and ${column} < ${builder.bind(to, sql)})`;
}

// PostgreSQL's years begin with 4713 BC, which is -4713; there is no year 0.
function yearRange(year: number): readonly [string, string] {
  if (year === 0 || year < -4712 || year > 294_275) return ['infinity', '-infinity'];
  return [startOf(year), startOf(year === -1 ? 1 : year + 1)];
}

function startOf(year: number): string {
  const digits = String(Math.abs(year)).padStart(4, '0');
  return `${digits}-01-01 00:00:00+00${year < 0 ? ' BC' : ''}`;
}

// The bounding box of the circle; the exact condition follows it.
function circleBounds(call: Call, operator: ComparisonOperator, radius: TypedLiteral, builder: StatementBuilder): string | undefined {
  const [one, other] = call.arguments;
  const [place, middle] = one?.kind === 'literal' ? [other, one] : [one, other];
  if ((operator !== 'lt' && operator !== 'le') || place?.kind !== 'column' || place.type !== 'Edm.GeographyPoint') return undefined;
  if (middle?.kind !== 'literal' || middle.value === null || radius.value === null) return undefined;
  const box = `${compileValue(place, builder)} <@ ${builder.bind(boxAround(middle.value, Number(radius.value)), 'box')}`;
  return `(${box} and ${compileValue(call, builder)} ${operator === 'lt' ? '<' : '<='} ${compileValue(radius, builder)})`;
}

const everywhere = '(Infinity,Infinity),(-Infinity,-Infinity)';

// The text of a statement does not depend on its values, so circles over a pole or the antimeridian have a box, too.
function boxAround(point: string, radius: number): string {
  const [longitude = 0, latitude = 0] = point.slice(1, -1).split(',').map(Number);
  // A millionth of a degree, a tenth of a metre, exceeds rounding errors.
  const angle = degrees(Math.max(radius, 0) / earthRadius) + 1e-6;
  if (!(Math.abs(latitude) + angle < 90)) return everywhere;
  const across = degrees(Math.asin(Math.min(1, Math.sin(radians(angle)) / Math.cos(radians(latitude))))) + 1e-6;
  if (!(Math.abs(longitude) + across < 180)) return everywhere;
  return `(${longitude + across},${latitude + angle}),(${longitude - across},${latitude - angle})`;
}

function degrees(angle: number): number {
  return (angle * 180) / Math.PI;
}
