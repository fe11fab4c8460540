import { type CellKind, isArray, primitives } from '../edm/index.js';
import type { DynamicExpr, JsonPath, JsonStep, PathExpr, PropertyExpr, TypedExpr } from '../plan/typed-expr.js';
import { literal } from '../schema/identifier.js';
import { columnReference, type StatementBuilder } from './builder.js';
import { compileCast } from './compile-cast.js';
import { compileJoinSteps } from './compile-rows.js';

/** A property, wherever it is stored. */
export function compileProperty(property: PropertyExpr, builder: StatementBuilder): string {
  return property.kind === 'column' ? columnReference(property.alias, property.column) : compilePath(property, builder);
}

/** A nested property as a value: a collection is null where the complex value around it is, and empty where that has none. */
export function compileNested(path: PathExpr, builder: StatementBuilder): string {
  const value = compilePath(path, builder);
  return path.collection && isWithin(path) ? `(case when ${compileHolder(path, builder)} is not null then ${value} end)` : value;
}

/** Whether a property is one of a complex value. */
export function isWithin(property: PropertyExpr): property is PathExpr {
  return property.kind === 'path' && property.steps.length > 0;
}

// A nested property in the type of a separate column; null if missing.
function compilePath(path: PathExpr, builder: StatementBuilder): string {
  if (path.ofArray) return compileArrayItem(path, builder);
  if (path.more !== undefined && path.steps.length === 0) return compileMore(path, path.more);
  if (primitives[path.type].sql === 'jsonb') return path.collection ? presentItems(path, builder) : presentJson(path, builder);
  if (path.collection)
    return `array(select ${fromText(path, "(item.value #>> '{}')")} from jsonb_array_elements(${presentJson(path, builder)}) as item(value))`;
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
  const last = place.steps.findLastIndex((step) => typeof step === 'string');
  return presentJson({ ...place, steps: place.steps.slice(0, last) }, builder);
}

// A complex value that the row has no room for is a text among texts.
function root({ alias, column, more }: JsonPath): string {
  const whole = columnReference(alias, column);
  return more === undefined ? whole : `(${whole} ->> ${literal(more)})::jsonb`;
}

// Kept in the database's own text form.
function compileMore(expr: Pick<PathExpr, 'alias' | 'column' | 'type' | 'collection'>, name: string): string {
  const { alias, column, type, collection } = expr;
  const value = `(${columnReference(alias, column)} ->> ${literal(name)})::${primitives[type].sql}${isArray({ type, ...(collection && { collection }) }) ? '[]' : ''}`;
  return type === 'Edm.String' ? `(${value} collate "C")` : `(${value})`;
}

// The database counts from one.
function compileArrayItem({ alias, column, more, type, steps: [step] }: PathExpr, builder: StatementBuilder): string {
  const array = more === undefined ? columnReference(alias, column) : compileMore({ alias, column, type, collection: true }, more);
  const ordinal = typeof step === 'object' && 'ordinal' in step ? step.ordinal : 0;
  const position = builder.bind(String(ordinal + 1), 'integer');
  return `(${array})[${ordinal < 0 ? `cardinality(${array}) + ${position}` : position}]`;
}

/** The JSON at a place, where JSON's null is a value. */
function jsonAt({ steps, ...place }: JsonPath, builder: StatementBuilder): string {
  return steps.reduce<string>((before, step) => jsonStep(before, step, builder), root({ ...place, steps: [] }));
}

// A value that is of none of the types is null (URL conventions 4.11).
function jsonStep(before: string, step: JsonStep, builder: StatementBuilder): string {
  if (typeof step === 'string' || 'ordinal' in step)
    return `${typeof step === 'object' && step.among ? itemsOf(before, step.among) : before} -> ${memberOf(step, builder)}`;
  return `(case when (${before} ->> '@odata.type') in (${step.types.map((type) => literal(`#${type}`)).join(', ')}) then ${before} end)`;
}

// The items of these types, which keep their order.
function itemsOf(items: string, types: readonly string[]): string {
  return `jsonb_path_query_array(${items}, ${literal(`$[*] ? (${types.map((type) => `@."@odata.type" == "#${type}"`).join(' || ')})`)})`;
}

function textAt({ steps, ...place }: JsonPath, builder: StatementBuilder): string {
  const last = steps.at(-1) ?? '';
  if (typeof last === 'object' && 'types' in last) throw new Error('Only a complex value is cast, and has no text.');
  return `(${jsonAt({ ...place, steps: steps.slice(0, -1) }, builder)} ->> ${memberOf(last, builder)})`;
}

// JSON counts from the end, too.
function memberOf(step: string | { readonly ordinal: number }, builder: StatementBuilder): string {
  return typeof step === 'string' ? literal(step) : builder.bind(String(step.ordinal), 'integer');
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

/** A GeoJSON point as PostgreSQL's point; null for anything else. The name is that of a `jsonb` column. */
export function pointOfJson(name: string): string {
  const [x, y] = [0, 1].map((axis) => `{coordinates,${axis}}`);
  const isOne = `${name} ->> 'type' = 'Point' and jsonb_typeof(${name} #> '${x}') = 'number' and jsonb_typeof(${name} #> '${y}') = 'number'`;
  return `(case when ${isOne} then point((${name} #>> '${x}')::float8, (${name} #>> '${y}')::float8) end)`;
}

/** A dynamic property in its type; null where it is missing or has another type. */
export function compileDynamic(expr: DynamicExpr, builder: StatementBuilder): string {
  const { type } = expr;
  if (type === 'null' || expr.text) return `(${compileJson(expr, '->>', builder)} collate "C")`;
  const { cell, rank } = primitives[type];
  if (cell === 'complex') return compileJson(expr, '->', builder);
  // JSON null is null.
  if (cell === 'json') return `nullif(${compileJson(expr, '->', builder)}, 'null')`;
  if (cell === 'string') return ifKind(expr, 'string', `(v #>> '{}') collate "C"`, builder);
  if (cell === 'boolean') return ifKind(expr, 'boolean', `(v #>> '{}')::boolean`, builder);
  if (rank !== undefined) return ifKind(expr, 'number', `(v #>> '{}')::numeric`, builder);
  if (cell === 'point') return `(select ${pointOfJson('v')} from (select ${compileJson(expr, '->', builder)} as v offset 0) dynamic)`;
  const operand: TypedExpr = { ...expr, type: 'Edm.String' };
  return compileCast({ kind: 'cast', type, nullable: true, operand }, builder);
}

function wholeJson(place: JsonPath, operator: '->' | '->>', builder: StatementBuilder): string {
  return operator === '->' ? jsonAt(place, builder) : `(${jsonAt(place, builder)} #>> '{}')`;
}

function ifKind(expr: DynamicExpr, kind: string, value: string, builder: StatementBuilder): string {
  return `(select case when jsonb_typeof(v) = '${kind}' then ${value} end from (select ${compileJson(expr, '->', builder)} as v offset 0) dynamic)`;
}

// The names are the client's, so they are bound.
function compileJson({ joinSteps, names, ...place }: DynamicExpr, operator: '->' | '->>', builder: StatementBuilder): string {
  const steps = names.map((name) => builder.bind(name, 'text'));
  const last = steps.pop();
  const value =
    last === undefined ? wholeJson(place, operator, builder) : `(${[jsonAt(place, builder), ...steps].join(' -> ')} ${operator} ${last})`;
  return joinSteps.length === 0 ? value : `(select ${value} ${compileJoinSteps(joinSteps, builder)})`;
}
