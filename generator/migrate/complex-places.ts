import { lastName, localName } from '../../runtime/edm/lookup.js';
import type { Column, ComplexHint, Table } from '../../runtime/schema/schema.js';
import { parentOf } from './moved-members.js';
import { homesOf } from './moves.js';
import type { Problem } from './step.js';

/** The paths of all values of a complex type: with its name those of types that derive from it, too. */
export function placesOf(type: string, tables: readonly Table[]): readonly string[] {
  return tables.flatMap((table) => homesOf(table).flatMap(({ column }) => valuesIn(column, type).map((path) => `${table.name}/${path}`)));
}

// A derived type follows the path of its base type's values.
function valuesIn({ name, complex, within = [] }: Column, type: string): readonly string[] {
  const isType = (one: string): boolean => one === type || localName(one) === type;
  const values = [{ path: name, complex }, ...within.map((member) => ({ path: `${name}/${member.path}`, complex: member.complex }))];
  const casts = new Set(within.map(({ path }) => `${name}/${parentOf(path)}`.slice(0, -1)).filter((path) => isType(lastName(path))));
  return [...values.flatMap(({ path, complex: of }) => (of?.types.some(isType) ? [path] : [])), ...casts];
}

/** The problem of a member of complex values as one of the type that has it, which it shares with other properties. */
export function asOfType(problem: Problem, table: string, { name, complex, within = [] }: Column, path: string): Problem {
  const parent = parentOf(path);
  const around = parent.slice(0, -1);
  const type = parent === '' ? complex?.name : lastName(around).includes('.') ? lastName(around) : hintAt(within, around)?.name;
  const { column, message } = problem;
  const place = `${name}/${parent}`;
  if (type === undefined || !column?.startsWith(place)) return problem;
  const shared = {
    ...problem,
    table: type,
    column: column.slice(place.length),
    message: message.replaceAll(`${table}/${place}`, `${type}/`),
  };
  return { ...problem, shared };
}

function hintAt(within: NonNullable<Column['within']>, path: string): ComplexHint | undefined {
  return within.find((member) => member.path === path)?.complex;
}

/** The problems, with one in place of those that several properties of a complex type share. */
export function oncePerComplexType(problems: readonly Problem[]): readonly Problem[] {
  const messages = new Map<string | undefined, Set<string>>();
  for (const { shared, message } of problems) messages.set(shared?.message, (messages.get(shared?.message) ?? new Set()).add(message));
  return problems.map(({ shared, ...problem }) =>
    shared !== undefined && (messages.get(shared.message)?.size ?? 0) > 1 ? shared : problem,
  );
}
