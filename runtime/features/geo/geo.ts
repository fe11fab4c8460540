import { valueHooks } from '../../plan/value/hooks.js';
import { sqlHooks } from '../../sql/hooks.js';
import { shapes, isFlat, systemOf } from './shapes.js';
import type { ComparisonOperator, TypedExpr, TypedLiteral } from '../../plan/typed-expr.js';
import type { StatementBuilder } from '../../sql/builder.js';
import { compileValue } from '../../sql/compile-expr.js';
import { defaultSystem } from '../../edm/index.js';
import { pointOfJson } from '../../sql/compile-path.js';

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

/** The radius of the sphere that `geo.distance` and `geo.length` measure on: the Earth's mean radius, in metres. */
const earthRadius = 6_371_008.8;

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

const angle = (point: string, axis: 0 | 1): string => `radians((${point})[${axis}])`;
const half = (axis: 0 | 1): string => `power(sin((${angle('{1}', axis)} - ${angle('{0}', axis)}) / 2), 2)`;

/** Great-circle distance on the mean sphere, at most 0.3 % from the ellipsoid. `least` skips null, so null is handled separately. */
const haversine = `(case when {0} is not null and {1} is not null then ${2 * earthRadius} * asin(least(1, sqrt(${half(1)} + cos(${angle('{0}', 1)}) * cos(${angle('{1}', 1)}) * ${half(0)}))) end)`;

/** A geo function, whose arguments have been checked. */
function compileGeo({ method, arguments: [one, other] }: Call, builder: StatementBuilder): string {
  if (one === undefined) throw new Error(`${method.name} has no argument.`);
  if (other === undefined) return compileLength(one, builder);
  return method.name === 'geo.distance' ? compileDistance(one, other, builder) : compileIntersects(one, other, builder);
}

// PostgreSQL's distance in a plane; on the earth that of the sphere.
const distances = { flat: '({0} <-> {1})', round: haversine } as const;

function formulaOf(args: readonly TypedExpr[]): string {
  return args.some(isFlat) ? distances.flat : distances.round;
}

function fill(formula: string, one: string, other: string): string {
  return formula.replaceAll('{0}', one).replaceAll('{1}', other);
}

// In metres or the units of the plane; null for different reference systems.
function compileDistance(one: TypedExpr, other: TypedExpr, builder: StatementBuilder): string {
  const formula = formulaOf([one, other]);
  if (isPoint(one) && isPoint(other)) return fill(formula, compileValue(one, builder), compileValue(other, builder));
  return withShapes([one, other], ([a, b]) => fill(formula, pointAs(one, a), pointAs(other, b)), builder);
}

// PostgreSQL's polygons have no holes, so each hole is a polygon that must not contain the point.
function compileIntersects(point: TypedExpr, polygon: TypedExpr, builder: StatementBuilder): string {
  if (polygon.kind === 'literal' && polygon.value === null) return 'null::boolean';
  if (polygon.kind !== 'literal') return withShapes([point, polygon], ([p, s]) => withinStored(pointAs(point, p), s), builder);
  if (isPoint(point)) return within(compileValue(point, builder), polygon, builder);
  return withShapes([point, polygon], ([p]) => within(pointAs(point, p), polygon, builder), builder);
}

// In metres or the units of the plane; that of a literal is computed here.
function compileLength(line: TypedExpr, builder: StatementBuilder): string {
  return line.kind === 'literal'
    ? builder.bind(String(lengthOf(line)), 'double precision')
    : storedLength(compileShape(line, builder), formulaOf([line]));
}

function isPoint({ type }: TypedExpr): boolean {
  return type === 'Edm.GeographyPoint' || type === 'Edm.GeometryPoint';
}

// Each shape occurs once, as a column of a subquery, which is empty for different reference systems.
function withShapes(
  shapes: readonly [TypedExpr, TypedExpr],
  body: (names: readonly [string, string]) => string,
  builder: StatementBuilder,
): string {
  const columns = shapes.map((shape, index) => `${compileShape(shape, builder)} as s${index}`);
  const [system, other] = shapes.map((shape, index) => systemText(shape, `s${index}`, shapes));
  const condition = system === undefined || other === undefined || system === other ? '' : ` where ${system} = ${other}`;
  return `(select ${body(['s0', 's1'])} from (select ${columns.join(', ')} offset 0) shapes${condition})`;
}

// Reference systems can differ only where values have their own; others have been checked.
function systemText(shape: TypedExpr, name: string, others: readonly TypedExpr[]): string | undefined {
  if (!others.some((one) => systemOf(one) === 'variable')) return undefined;
  const usual = defaultSystem(others.some(isFlat) ? 'Edm.Geometry' : 'Edm.Geography');
  const system = systemOf(shape) ?? usual;
  return system === 'variable' ? `coalesce(${name} #>> '{crs,properties,name}', 'EPSG:${usual}')` : `'EPSG:${system}'`;
}

function pointAs(shape: TypedExpr, name: string): string {
  return isPoint(shape) ? name : pointOfJson(name);
}

// A dynamic property as JSON, which may be a shape.
function compileShape(shape: TypedExpr, builder: StatementBuilder): string {
  return compileValue(shape.kind === 'dynamic' && !isPoint(shape) ? { ...shape, type: 'Edm.ComplexType' } : shape, builder);
}

// An index on points supports only boxes.
function within(point: string, polygon: TypedLiteral, builder: StatementBuilder): string {
  const outside = (polygon.holes ?? []).map((hole) => ` and not (${point} <@ ${builder.bind(hole, 'polygon')})`);
  return `(${point} <@ box(${compileValue(polygon, builder)}) and ${point} <@ ${compileValue(polygon, builder)}${outside.join('')})`;
}

// The rings as polygons: the first is the outer one, the point must be in no other.
function withinStored(point: string, shape: string): string {
  const rings = `jsonb_array_elements(case when ${shape} ->> 'type' = 'Polygon' then ${shape} -> 'coordinates' end) with ordinality as rings(ring, place)`;
  const inRing = `${point} <@ translate(ring::text, '[] ', '()')::polygon`;
  return `(select bool_or(place = 1 and ${inRing}) and not coalesce(bool_or(place > 1 and ${inRing}), false) from ${rings})`;
}

function storedLength(shape: string, formula: string): string {
  const positions =
    "jsonb_array_elements(case when s ->> 'type' = 'LineString' then s -> 'coordinates' end) with ordinality as line(position, place)";
  const points = `select point((position ->> 0)::float8, (position ->> 1)::float8) as b, place from (select ${shape} as s offset 0) arguments, ${positions}`;
  return `(select sum(${fill(formula, 'a', 'b')}) from (select lag(b) over (order by place) as a, b from (${points}) points) legs)`;
}

function lengthOf(line: TypedLiteral): number {
  const numbers = (line.value ?? '').match(/[-+0-9.eE]+/g)?.map(Number) ?? [];
  const leg = isFlat(line) ? flatDistance : distance;
  let length = 0;
  for (let at = 0; at + 3 < numbers.length; at += 2) length += leg(numbers.slice(at, at + 4));
  return length;
}

function flatDistance([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): number {
  return Math.hypot(x2 - x1, y2 - y1);
}

function distance([lon1 = 0, lat1 = 0, lon2 = 0, lat2 = 0]: readonly number[]): number {
  const across = Math.cos(radians(lat1)) * Math.cos(radians(lat2)) * halfSine(lon1, lon2);
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(halfSine(lat1, lat2) + across)));
}

function halfSine(from: number, to: number): number {
  return Math.sin(radians(to - from) / 2) ** 2;
}
