import { complexTypeNamed } from '../../edm/index.js';
import { type ComplexType } from '../../edm/entity-type.js';
import { type EntityContainer } from '../../edm/entity-container.js';
import type { Method } from '../../expression/methods.js';
import type { TypedExpr } from '../typed-expr.js';
import { complexOf, isCollection } from '../expr-facts.js';
import type { Scope } from '../scope.js';

/** Complex values as they are compared: without empty collections, which may be stored or omitted. */
export function withoutEmptyCollections(expr: TypedExpr, { container }: Pick<Scope, 'container'>): TypedExpr {
  const complex = complexOf(expr);
  if (complex === undefined || expr.kind === 'literal' || expr.kind === 'array' || !isCleaned(complex, container)) return expr;
  return {
    kind: 'call',
    type: 'Edm.ComplexType',
    complex,
    nullable: expr.nullable,
    method: isCollection(expr) ? ofEach(complex, container) : ofOne(complex, container),
    arguments: [expr],
  };
}

function ofOne(complex: string, container: EntityContainer): Method {
  return {
    name: 'withoutEmptyCollections',
    parameters: ['complex'],
    result: 'same',
    sql: `(select ${cleaned('item', complex, { container, around: [] })} from (select {0} as item offset 0) arguments)`,
  };
}

function ofEach(complex: string, container: EntityContainer): Method {
  const each = `array(select ${cleaned('item', complex, { container, around: [] })} from unnest(items) with ordinality as each(item, place) order by place)`;
  return {
    name: 'withoutEmptyCollections',
    parameters: ['collection'],
    result: 'collection',
    sql: `(select case when items is not null then ${each} end from (select {0} as items offset 0) arguments)`,
  };
}

/** The position of a value: the types around it, which are not expanded again. */
interface Within {
  readonly container: EntityContainer;
  readonly around: readonly string[];
}

/** Types within each other that are looked at, so that no statement grows with the number of ways between them. */
const deepest = 4;

// Only members of the type are removed; dynamic values stay.
function cleaned(value: string, complex: string, { container, around }: Within): string {
  if (!isCleaned(complex, container)) return value;
  if (around.length >= deepest || around.includes(complex) || complex === 'Edm.ComplexType') return value;
  const { collections, nested } = shapeOf(complex, container);
  const [entry, item] = [`e${around.length}`, `i${around.length}`];
  const inner = { container, around: [...around, complex] };
  const cases = nested.map(([name, type, isMany]) => {
    const each = `(select coalesce(jsonb_agg(${cleaned(`${item}.value`, type, inner)} order by ${item}.place), '[]') from jsonb_array_elements(${entry}.value) with ordinality as ${item}(value, place))`;
    return `when ${literalOf(name)} then ${isMany ? `case jsonb_typeof(${entry}.value) when 'array' then ${each} else ${entry}.value end` : cleaned(`${entry}.value`, type, inner)}`;
  });
  const shown = cases.length === 0 ? `${entry}.value` : `case ${entry}.key ${cases.join(' ')} else ${entry}.value end`;
  const kept = collections.length === 0 ? 'true' : `(${entry}.value <> '[]' or ${entry}.key <> all(${arrayOf(collections)}))`;
  const members = `(select coalesce(jsonb_object_agg(${entry}.key, ${shown}), '{}') from jsonb_each(${value}) as ${entry} where ${kept})`;
  return `case jsonb_typeof(${value}) when 'object' then ${members} else ${value} end`;
}

function arrayOf(names: readonly string[]): string {
  return `array[${names.map(literalOf).join(', ')}]`;
}

function literalOf(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** The facts about a type's members, including derived types. */
interface Shape {
  readonly collections: readonly string[];
  readonly nested: readonly (readonly [name: string, complex: string, isMany: boolean])[];
}

function shapeOf(complex: string, container: EntityContainer): Shape {
  const fields = typesOf(complex, container).flatMap((type) => Object.entries(type.fields));
  const nested = new Map(
    fields.flatMap(([name, { complex: type, collection }]) =>
      type === undefined || !isCleaned(type, container) ? [] : [[name, [name, type, collection === true] as const] as const],
    ),
  );
  return {
    collections: [...new Set(fields.flatMap(([name, { collection }]) => (collection ? [name] : [])))],
    nested: [...nested.values()],
  };
}

function typesOf(complex: string, container: EntityContainer): readonly ComplexType[] {
  const type = complexTypeNamed(container, complex);
  return type === undefined ? [] : [type, ...type.derived.flatMap((name) => complexTypeNamed(container, name) ?? [])];
}

const cleanedTypes = new WeakMap<EntityContainer, ReadonlySet<string>>();

// A type with collections, and those that have values of one.
function isCleaned(complex: string, container: EntityContainer): boolean {
  const known = cleanedTypes.get(container) ?? findCleaned(container);
  cleanedTypes.set(container, known);
  return known.has(complex);
}

function findCleaned(container: EntityContainer): ReadonlySet<string> {
  const types = Object.values(container.complexTypes ?? {});
  const found = new Set(
    types.flatMap(({ qualifiedName, fields }) => (Object.values(fields).some(({ collection }) => collection) ? [qualifiedName] : [])),
  );
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const { qualifiedName, fields, derived } of types)
      if (derived.some((name) => found.has(name)) || Object.values(fields).some(({ complex = '' }) => found.has(complex)))
        found.add(qualifiedName);
  }
  return found;
}
