import { primitives, type CellKind } from '../edm/index.js';
import type { JsonPlace, PathExpr, PropertyExpr } from '../plan/typed-expr.js';
import { columnReference } from './builder.js';

/** A property, wherever it is stored. */
export function compileProperty(property: PropertyExpr): string {
  return property.kind === 'column' ? columnReference(property.alias, property.column) : compilePath(property);
}

// A property of a complex value, in the type that a column of its own would have; null where there is none.
function compilePath(path: PathExpr): string {
  if (path.type === 'Edm.ComplexType') return presentJson(path);
  if (path.collection) return `array(select ${compileItem(path, 'item.value')} from jsonb_array_elements(${presentJson(path)}) as item(value))`;
  return `(${fromText(path, textAt(path))})`;
}

// The JSON at a place; what JSON calls null is null.
function presentJson(place: JsonPlace): string {
  return place.steps.length === 0 ? columnReference(place.alias, place.column) : `nullif(${jsonAt(place)}, 'null')`;
}

function jsonAt({ alias, column, steps }: JsonPlace): string {
  return [columnReference(alias, column), ...steps.map(text)].join(' -> ');
}

function textAt({ alias, column, steps }: JsonPlace): string {
  return `(${jsonAt({ alias, column, steps: steps.slice(0, -1) })} ->> ${text(steps.at(-1) ?? '')})`;
}

// A name of the model, as the database's own literal, so that an index on the same expression serves it.
function text(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

function compileItem(path: PathExpr, item: string): string {
  return fromText(path, `(${item} #>> '{}')`);
}

function fromText({ type }: PathExpr, value: string): string {
  const { cell, sql } = primitives[type];
  return conversions[cell]?.(value) ?? `${value}::${sql}`;
}

/** Types that JSON writes otherwise than the database does. */
const conversions: { readonly [Kind in CellKind]?: (value: string) => string } = {
  // Text from JSON has the database's collation, and a column's has C.
  string: (value) => `${value} collate "C"`,
  duration: (value) => `case when ${value} like '-%' then -substr(${value}, 2)::interval else ${value}::interval end`,
  // The database's base64 needs the other alphabet and the padding.
  binary: (value) => `decode(translate(${value}, '-_', '+/') || repeat('=', -length(${value}) & 3), 'base64')`,
  point: (value) => `point((${value}::jsonb #>> '{coordinates,0}')::float8, (${value}::jsonb #>> '{coordinates,1}')::float8)`,
};
