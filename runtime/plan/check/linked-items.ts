import { complexTypeNamed, fieldOf, stepsOf, type ComplexType, type EntityContainer, type EntityType } from '../../edm/index.js';
import type { Method } from '../../expression/methods.js';
import { complexOf, isCollection, type TypedExpr } from '../typed-expr.js';
import type { Scope } from '../scope.js';

/** Items as they are compared, and values that hold some: without where they lead and which streams they have, which is no value of theirs and yet stands in what is stored of them. */
export function withoutLinks(expr: TypedExpr, { container }: Pick<Scope, 'container'>): TypedExpr {
  const complex = complexOf(expr);
  const { types, members } = linksIn(container);
  if (complex === undefined || members.length === 0 || !types.has(complex)) return expr;
  return { kind: 'call', type: 'Edm.ComplexType', complex, nullable: expr.nullable, method: isCollection(expr) ? ofEach(members) : ofOne(members), arguments: [expr] };
}

function ofOne(members: readonly string[]): Method {
  return { name: 'withoutLinks', parameters: ['complex'], result: 'same', sql: stripped('{0}', members) };
}

function ofEach(members: readonly string[]): Method {
  const each = `array(select ${stripped('item', members)} from unnest(items) as each(item))`;
  return { name: 'withoutLinks', parameters: ['collection'], result: 'collection', sql: `(select case when items is not null then ${each} end from (select {0} as items offset 0) arguments)` };
}

// The numbers of other records, the marks of contained ones and what is kept of streams, at any depth; a quotation mark within a text has a backslash in front, and no name has either.
function stripped(value: string, members: readonly string[]): string {
  const link = String.raw`(?<!\\)"(${members.join('|')})": (\d+|"[^"]*"|\[[^\]]*\]|\{("(\\.|[^"\\])*"|[^"}])*\})`;
  return `regexp_replace(regexp_replace((${value})::text, '${link}, ', '', 'g'), '(, )?${link}', '', 'g')::jsonb`;
}

/** The types of items that lead to other records, have streams or hold some that do, and the members that say which. */
interface Links {
  readonly types: ReadonlySet<string>;
  readonly members: readonly string[];
}

const known = new WeakMap<EntityContainer, Links>();

function linksIn(container: EntityContainer): Links {
  const found = known.get(container) ?? findLinks(container);
  known.set(container, found);
  return found;
}

function findLinks(container: EntityContainer): Links {
  const all = Object.values(container.entityTypes).flatMap((type) => [
    ...Object.entries(type.itemNavigation ?? {}).map(([path, { join }]) => ({ type, path, members: Object.keys(join).filter((member) => member.startsWith('#')) })),
    ...Object.entries(type.itemStreams ?? {}).map(([path, { column }]) => ({ type, path, members: [column] })),
  ]);
  return {
    types: new Set(all.flatMap(({ type, path }) => typesAlong(type, path, container))),
    members: [...new Set(all.flatMap(({ members }) => members))],
  };
}

// Every type of a value on the way, and those that derive from it or that it derives from.
function typesAlong(type: EntityType, path: string, container: EntityContainer): readonly string[] {
  const found: ComplexType[] = [];
  let owner: EntityType | ComplexType | undefined = type;
  for (const step of stepsOf(path).steps) {
    const complex: ComplexType | undefined = complexTypeNamed(container, (owner && fieldOf(owner, step.name)?.complex) ?? '');
    const cast = step.type === undefined ? undefined : complexTypeNamed(container, step.type);
    found.push(...[complex, cast].flatMap((one) => one ?? []));
    owner = cast ?? complex;
  }
  return found.flatMap(({ qualifiedName, derived }) => [qualifiedName, ...derived]);
}
