import { type Field, isShownName, primitives } from '../../../runtime/edm/index.js';
import { literal, quote } from '../../../runtime/schema/identifier.js';
import { databaseName } from '../names/names.js';
import type { BuiltComplex, BuiltField, Context, BuiltFields } from '../built-model.js';
import type { PathColumn } from '../storage.js';

/** The column of a path; undefined where it is no single value, or none that PostgreSQL can compute. */
export function pathColumn(path: string, fields: BuiltFields, { complexTypes }: Pick<Context, 'complexTypes'>): PathColumn | undefined {
  const [first = '', ...steps] = path.split('/');
  const root = fields.get(first);
  const { reached, nullable } = follow(root, steps, complexTypes);
  if (root === undefined || reached === undefined || !isKept(reached.field)) return undefined;
  const column = databaseName(`#${[root.column, ...steps].join('/')}`);
  const { column: _, nullable: __, enumeration, ...field } = reached.field;
  return {
    path,
    column,
    property: reached.property,
    field: { ...field, column, ...(nullable && { nullable }) },
    enumeration,
    generated: valueAt(root.column, steps, field, complexTypes),
  };
}

/** The column of an internal key property: it exists already, and its name is the alias. */
export function hiddenColumn(name: string, fields: BuiltFields): PathColumn | undefined {
  const built = isShownName(name) ? undefined : fields.get(name);
  if (built === undefined) return undefined;
  const { enumeration, ...field } = built.field;
  return {
    path: name,
    column: built.column,
    property: built.property,
    field: { ...field, column: built.column },
    enumeration,
    generated: undefined,
  };
}

/** Whether a path leads through a complex value that an entity may be without. */
export function isInOptional(path: string, fields: BuiltFields, { complexTypes }: Pick<Context, 'complexTypes'>): boolean {
  const [first = '', ...steps] = path.split('/').slice(0, -1);
  return follow(fields.get(first), steps, complexTypes).nullable ?? false;
}

interface Reached {
  readonly reached: BuiltField | undefined;
  /** Whether an entity may be without it. */
  readonly nullable: boolean | undefined;
}

function follow(root: BuiltField | undefined, steps: readonly string[], complexTypes: Context['complexTypes']): Reached {
  let reached = root;
  let nullable = root?.field.nullable;
  let type = typeOf(root, complexTypes);
  for (const step of steps) {
    if (step.includes('.')) {
      type = complexTypes.get(step);
      nullable = true;
      continue;
    }
    reached = type?.fields.get(step);
    nullable ||= reached?.field.nullable;
    type = typeOf(reached, complexTypes);
  }
  return { reached, nullable };
}

function typeOf(built: BuiltField | undefined, complexTypes: Context['complexTypes']): BuiltComplex | undefined {
  return built?.field.collection ? undefined : complexTypes.get(built?.field.complex ?? '');
}

/** CSDL XML 4.01, 6.5: the types of key properties; an enumeration has that of its numbers. */
export const keyTypes: ReadonlySet<string> = new Set(
  Object.entries(primitives).flatMap(([name, { ordered, cell }]) => (ordered && cell !== 'double' ? [name] : [])),
);

function isKept({ type, collection }: Field): boolean {
  return keyTypes.has(type) && !collection;
}

function valueAt(column: string, steps: readonly string[], { type }: Field, complexTypes: Context['complexTypes']): string {
  if (steps.length === 0) return quote(column);
  return `(${jsonAt(column, steps.slice(0, -1), complexTypes)} ->> ${literal(steps.at(-1) ?? '')})::${primitives[type].sql}`;
}

// Sibling derived types may have properties of one name, so the type is checked as well.
function jsonAt(column: string, steps: readonly string[], complexTypes: Context['complexTypes']): string {
  return steps.reduce(
    (before, step) => (step.includes('.') ? ofType(before, step, complexTypes) : `${before} -> ${literal(step)}`),
    quote(column),
  );
}

function ofType(json: string, name: string, complexTypes: Context['complexTypes']): string {
  const types = [...complexTypes.values()]
    .filter(({ qualifiedName, bases }) => qualifiedName === name || bases.includes(name))
    .map(({ qualifiedName }) => literal(`#${qualifiedName}`));
  return `(case when (${json} ->> '@odata.type') in (${types.join(', ')}) then ${json} end)`;
}
