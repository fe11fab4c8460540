import { complexTypeNamed, fieldOf, type ComplexType, type EntityContainer, type EntityType } from '../../edm/index.js';
import { stepsOf } from '../path/nested-path.js';
import type { Method } from '../../expression/methods.js';
import type { TypedExpr } from '../typed-expr.js';
import { complexOf, isCollection } from '../expr-facts.js';
import type { Scope } from '../scope.js';

/**
 * Complex values as they are compared: without where items lead and which streams they have, which is no value of theirs
 * and yet stands in what is stored of them, and without empty collections, which may be left out as well.
 */
export function withoutLinks(expr: TypedExpr, { container }: Pick<Scope, 'container'>): TypedExpr {
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
    name: 'withoutLinks',
    parameters: ['complex'],
    result: 'same',
    sql: `(select ${cleaned('item', complex, { container, around: [] })} from (select {0} as item offset 0) arguments)`,
  };
}

function ofEach(complex: string, container: EntityContainer): Method {
  const each = `array(select ${cleaned('item', complex, { container, around: [] })} from unnest(items) with ordinality as each(item, place) order by place)`;
  return {
    name: 'withoutLinks',
    parameters: ['collection'],
    result: 'collection',
    sql: `(select case when items is not null then ${each} end from (select {0} as items offset 0) arguments)`,
  };
}

/** Where a value stands: the types around it, of which none comes again in what is told of it member by member. */
interface Within {
  readonly container: EntityContainer;
  readonly around: readonly string[];
}

/** So many types lie within each other before their values are looked at as text. */
const deepest = 4;

// By the members that the type has, so that what lies in values of no type stays.
function cleaned(value: string, complex: string, { container, around }: Within): string {
  if (!isCleaned(complex, container)) return value;
  if (around.length >= deepest || around.includes(complex) || complex === 'Edm.ComplexType') return stripped(value, linksIn(container).all);
  const { dropped, collections, nested } = shapeOf(complex, container);
  const [entry, item] = [`e${around.length}`, `i${around.length}`];
  const inner = { container, around: [...around, complex] };
  const cases = nested.map(([name, type, isMany]) => {
    const each = `(select coalesce(jsonb_agg(${cleaned(`${item}.value`, type, inner)} order by ${item}.place), '[]') from jsonb_array_elements(${entry}.value) with ordinality as ${item}(value, place))`;
    return `when ${literalOf(name)} then ${isMany ? `case jsonb_typeof(${entry}.value) when 'array' then ${each} else ${entry}.value end` : cleaned(`${entry}.value`, type, inner)}`;
  });
  const shown = cases.length === 0 ? `${entry}.value` : `case ${entry}.key ${cases.join(' ')} else ${entry}.value end`;
  const kept = [
    ...(dropped.length === 0 ? [] : [`${entry}.key <> all(${arrayOf(dropped)})`]),
    ...(collections.length === 0 ? [] : [`(${entry}.value <> '[]' or ${entry}.key <> all(${arrayOf(collections)}))`]),
  ];
  const members = `(select coalesce(jsonb_object_agg(${entry}.key, ${shown}), '{}') from jsonb_each(${value}) as ${entry} where ${kept.join(' and ') || 'true'})`;
  return `case jsonb_typeof(${value}) when 'object' then ${members} else ${value} end`;
}

function arrayOf(names: readonly string[]): string {
  return `array[${names.map(literalOf).join(', ')}]`;
}

function literalOf(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

// The numbers of other records, the marks of contained ones and what is kept of streams, at any depth; a quotation mark within a text has a backslash in front, and no name has either.
function stripped(value: string, members: readonly string[]): string {
  if (members.length === 0) return value;
  const link = String.raw`(?<!\\)"(${members.join('|')})": (\d+|"[^"]*"|\[[^\]]*\]|\{("(\\.|[^"\\])*"|[^"}])*\})`;
  return `regexp_replace(regexp_replace((${value})::text, '${link}, ', '', 'g'), '(, )?${link}', '', 'g')::jsonb`;
}

/** What is looked at of the members of values of a type, or of one that derives from it. */
interface Shape {
  readonly dropped: readonly string[];
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
  const { byType } = linksIn(container);
  return {
    dropped: [...new Set(typesOf(complex, container).flatMap(({ qualifiedName }) => [...(byType.get(qualifiedName) ?? [])]))],
    collections: [...new Set(fields.flatMap(([name, { collection }]) => (collection ? [name] : [])))],
    nested: [...nested.values()],
  };
}

function typesOf(complex: string, container: EntityContainer): readonly ComplexType[] {
  const type = complexTypeNamed(container, complex);
  return type === undefined ? [] : [type, ...type.derived.flatMap((name) => complexTypeNamed(container, name) ?? [])];
}

const cleanedTypes = new WeakMap<EntityContainer, ReadonlySet<string>>();

// A type with links or collections, and those that have values of one.
function isCleaned(complex: string, container: EntityContainer): boolean {
  const known = cleanedTypes.get(container) ?? findCleaned(container);
  cleanedTypes.set(container, known);
  return known.has(complex);
}

function findCleaned(container: EntityContainer): ReadonlySet<string> {
  const types = Object.values(container.complexTypes ?? {});
  const { byType } = linksIn(container);
  const found = new Set(
    types.flatMap(({ qualifiedName, fields }) =>
      byType.has(qualifiedName) || Object.values(fields).some(({ collection }) => collection) ? [qualifiedName] : [],
    ),
  );
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const { qualifiedName, fields, derived } of types)
      if (derived.some((name) => found.has(name)) || Object.values(fields).some(({ complex = '' }) => found.has(complex)))
        found.add(qualifiedName);
  }
  return found;
}

/** The members that say where items lead and which streams they have, by type, and all of them. */
interface Links {
  readonly byType: ReadonlyMap<string, ReadonlySet<string>>;
  readonly all: readonly string[];
}

const known = new WeakMap<EntityContainer, Links>();

function linksIn(container: EntityContainer): Links {
  const found = known.get(container) ?? findLinks(container);
  known.set(container, found);
  return found;
}

function findLinks(container: EntityContainer): Links {
  const paths = Object.values(container.entityTypes).flatMap((type) => [
    ...Object.entries(type.itemNavigation ?? {}).map(([path, { join }]) => ({
      type,
      path,
      members: Object.keys(join).filter((member) => member.startsWith('#')),
    })),
    ...Object.entries(type.itemStreams ?? {}).map(([path, { column }]) => ({ type, path, members: [column] })),
  ]);
  const byType = new Map<string, Set<string>>();
  for (const { type, path, members } of paths) {
    for (const name of ownersAt(type, path, container)) byType.set(name, new Set([...(byType.get(name) ?? []), ...members]));
  }
  return { byType, all: [...new Set(paths.flatMap(({ members }) => members))] };
}

// The type of the values that a path ends in, and those that derive from it.
function ownersAt(type: EntityType, path: string, container: EntityContainer): readonly string[] {
  let owner: EntityType | ComplexType | undefined = type;
  for (const step of stepsOf(path).steps)
    owner = complexTypeNamed(container, step.type ?? (owner && fieldOf(owner, step.name)?.complex) ?? '');
  return owner === undefined || !('derived' in owner) ? [] : [owner.qualifiedName, ...owner.derived];
}
