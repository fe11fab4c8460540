import { isArray, primitives, type CellKind } from '../edm/index.js';
import type { JsonPath, JsonStep, PathExpr, PropertyExpr } from '../plan/typed-expr.js';
import { columnReference, textLiteral, type StatementBuilder } from './builder.js';

/** A property, wherever it is stored. */
export function compileProperty(property: PropertyExpr, builder: StatementBuilder): string {
  return property.kind === 'column' ? columnReference(property.alias, property.column) : compilePath(property, builder);
}

// A nested property in the type of a separate column; null if missing.
function compilePath(path: PathExpr, builder: StatementBuilder): string {
  if (path.ofArray) return compileArrayItem(path, builder);
  if (path.more !== undefined && path.steps.length === 0) return compileMore(path, path.more);
  if (primitives[path.type].sql === 'jsonb') return path.collection ? presentItems(path, builder) : presentJson(path, builder);
  if (path.collection)
    return `array(select ${compileItem(path, 'item.value')} from jsonb_array_elements(${presentJson(path, builder)}) as item(value))`;
  return `(${fromText(path, textAt(path, builder))})`;
}

// The JSON at a path; JSON null is null.
function presentJson(place: JsonPath, builder: StatementBuilder): string {
  return place.steps.length === 0 ? root(place) : `nullif(${jsonAt(place, builder)}, 'null')`;
}

// A collection is never null (CSDL XML 4.01, 7.2.1): a value that was stored before its type had it has an empty one.
function presentItems(place: JsonPath, builder: StatementBuilder): string {
  return place.steps.length === 0 ? root(place) : `coalesce(${presentJson(place, builder)}, '[]')`;
}

/** The complex value that a property lies within. */
export function compileHolder(place: JsonPath, builder: StatementBuilder): string {
  return presentJson(
    {
      ...place,
      steps: place.steps.slice(
        0,
        place.steps.findLastIndex((step) => typeof step === 'string'),
      ),
    },
    builder,
  );
}

// A complex value that the row has no room for is a text among texts.
function root({ alias, column, more }: JsonPath): string {
  const whole = columnReference(alias, column);
  return more === undefined ? whole : `(${whole} ->> ${textLiteral(more)})::jsonb`;
}

// Kept in the database's own text form.
function compileMore(
  { alias, column, type, collection }: Pick<PathExpr, 'alias' | 'column' | 'type' | 'collection'>,
  name: string,
): string {
  const value = `(${columnReference(alias, column)} ->> ${textLiteral(name)})::${primitives[type].sql}${isArray({ type, ...(collection && { collection }) }) ? '[]' : ''}`;
  return type === 'Edm.String' ? `(${value} collate "C")` : `(${value})`;
}

// The database counts from one.
function compileArrayItem({ alias, column, more, type, steps: [step] }: PathExpr, builder: StatementBuilder): string {
  const array = more === undefined ? columnReference(alias, column) : compileMore({ alias, column, type, collection: true }, more);
  const ordinal = typeof step === 'object' && 'ordinal' in step ? step.ordinal : 0;
  const behind = builder.bind(String(ordinal + 1), 'integer');
  return `(${array})[${ordinal < 0 ? `cardinality(${array}) + ${behind}` : behind}]`;
}

/** The JSON at a place, where JSON's null is a value. */
export function jsonAt({ steps, ...place }: JsonPath, builder: StatementBuilder): string {
  return steps.reduce<string>((before, step) => jsonStep(before, step, builder), root({ ...place, steps: [] }));
}

// A value that is of none of the types is null (URL conventions 4.11).
function jsonStep(before: string, step: JsonStep, builder: StatementBuilder): string {
  if (typeof step === 'string' || 'ordinal' in step)
    return `${typeof step === 'object' && step.among ? itemsOf(before, step.among) : before} -> ${memberOf(step, builder)}`;
  return `(case when (${before} ->> '@odata.type') in (${step.types.map((type) => textLiteral(`#${type}`)).join(', ')}) then ${before} end)`;
}

// The items of these types, which keep their order.
function itemsOf(items: string, types: readonly string[]): string {
  return `jsonb_path_query_array(${items}, ${textLiteral(`$[*] ? (${types.map((type) => `@."@odata.type" == "#${type}"`).join(' || ')})`)})`;
}

function textAt({ steps, ...place }: JsonPath, builder: StatementBuilder): string {
  const last = steps.at(-1) ?? '';
  if (typeof last === 'object' && 'types' in last) throw new Error('Only a complex value is cast, and has no text.');
  return `(${jsonAt({ ...place, steps: steps.slice(0, -1) }, builder)} ->> ${memberOf(last, builder)})`;
}

// JSON counts from the end, too.
function memberOf(step: string | { readonly ordinal: number }, builder: StatementBuilder): string {
  return typeof step === 'string' ? textLiteral(step) : builder.bind(String(step.ordinal), 'integer');
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
