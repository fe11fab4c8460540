import { valueHooks } from '../../plan/value/hooks.js';
import { sqlHooks } from '../../sql/hooks.js';
import { compileGeo, earthRadius, radians } from './compile-geo.js';
import { shapes } from './shapes.js';
import type { ComparisonOperator, TypedExpr, TypedLiteral } from '../../plan/typed-expr.js';
import type { StatementBuilder } from '../../sql/builder.js';
import { compileValue } from '../../sql/compile-expr.js';

/** Registers geo literals, values and functions. */
export function registerGeo(): void {
  valueHooks.register({ shapes });
  sqlHooks.register({ shapes: { compile: compileGeo, boundsOf: circleBounds } });
}

type Call = Extract<TypedExpr, { kind: 'call' }>;

/** The bounding box of the circle that a distance is compared with; the exact condition follows it. */
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
