import { type ComplexType, complexTypeNamed, complexTypeOf, type EntityContainer, type Field } from '../../edm/index.js';
import { type Json, jsonObject } from '../../json/json.js';
import { memoized } from '../../edm/memoized.js';

/** A small GeoJSON shape; the index determines its location. */
export function sampleShape(type: string, index: number): Json {
  if (type === 'GeometryCollection')
    return object(type, 'geometries', array([sampleShape('Point', index), sampleShape('LineString', index)]));
  const line = array(corners.slice(0, 2).map((corner) => positionOf(corner, index)));
  const ring = array(corners.map((corner) => positionOf(corner, index)));
  const coordinates: { readonly [type: string]: Json } = {
    Point: positionOf([0, 0], index),
    MultiPoint: line,
    LineString: line,
    MultiLineString: array([line]),
    Polygon: array([ring]),
    MultiPolygon: array([array([ring])]),
  };
  return object(type, 'coordinates', coordinates[type] ?? null);
}

type Corner = readonly [x: number, y: number];

/** A closed square. */
const corners: readonly Corner[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
];

function positionOf([x, y]: Corner, index: number): Json {
  const step = (index % 90) / 2;
  return array([-80 + step + x / 10, 43 + step + y / 10].map((number) => ({ kind: 'number', text: String(Number(number.toFixed(1))) })));
}

function array(items: readonly Json[]): Json {
  return { kind: 'array', items };
}

function object(type: string, member: string, value: Json): Json {
  return jsonObject([
    ['type', type],
    [member, value],
  ]);
}

/** The minimum nesting depth of complex types, by qualified name; types that are missing require infinite nesting. */
type Heights = ReadonlyMap<string, number>;

/** The instantiable types of a property's value. */
export function possibleTypes(declared: ComplexType, container: EntityContainer): readonly ComplexType[] {
  return typesOf(declared, container).filter(({ qualifiedName }) => heightsOf(container).has(qualifiedName));
}

/** The type with the least nesting. */
export function flattest(types: readonly ComplexType[], container: EntityContainer): ComplexType | undefined {
  const heightOf = ({ qualifiedName }: ComplexType): number => heightsOf(container).get(qualifiedName) ?? Number.POSITIVE_INFINITY;
  return types.toSorted((one, other) => heightOf(one) - heightOf(other))[0];
}

// Each round finds the types that are one level deeper, until there is none.
const heightsOf = memoized((container: EntityContainer): Heights => {
  const found = new Map<string, number>();
  const isPossible = (field: Field): boolean =>
    typesOf(complexTypeOf(container, field), container).some(({ qualifiedName }) => found.has(qualifiedName));
  for (let height = 0; ; height++) {
    const next = Object.values(container.complexTypes ?? {}).filter(
      (type) => !found.has(type.qualifiedName) && neededIn(type).every(isPossible),
    );
    if (next.length === 0) return found;
    for (const { qualifiedName } of next) found.set(qualifiedName, height);
  }
});

function neededIn({ fields, computed }: ComplexType): readonly Field[] {
  return Object.entries(fields)
    .filter(([name, field]) => field.type === 'Edm.ComplexType' && !field.nullable && !field.collection && !computed.includes(name))
    .map(([, field]) => field);
}

function typesOf(declared: ComplexType, container: EntityContainer): readonly ComplexType[] {
  return [declared, ...declared.derived.flatMap((name) => complexTypeNamed(container, name) ?? [])].filter(({ abstract }) => !abstract);
}
