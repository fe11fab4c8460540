import { primitives, type Field } from '../../runtime/edm/index.js';
import type { Property } from '../csdl/csdl.js';
import type { BuiltField } from './build-fields.js';
import type { Context } from './context.js';
import { databaseName } from './names.js';

/** A property within a complex value that has a column too, since a key or a foreign key is made of it; PostgreSQL keeps it. */
export interface PathColumn {
  /** From the entity type: `Info/ID`. */
  readonly path: string;
  readonly column: string;
  readonly property: Property;
  readonly field: Omit<Field, 'enumeration'>;
  /** SQL, over the column of the complex value. */
  readonly generated: string;
}

/** The column of a path; undefined where it leads to no single value, or to one that PostgreSQL cannot compute a column of. */
export function pathColumn(path: string, fields: ReadonlyMap<string, BuiltField>, { complexTypes }: Pick<Context, 'complexTypes'>): PathColumn | undefined {
  const [first = '', ...names] = path.split('/');
  const root = fields.get(first);
  let reached = root;
  let nullable = root?.field.nullable;
  for (const name of names) {
    const inner = reached?.field.collection ? undefined : complexTypes.get(reached?.field.complex ?? '')?.fields;
    reached = inner?.get(name);
    nullable ||= reached?.field.nullable;
  }
  if (root === undefined || reached === undefined || reached === root || !isKept(reached.field)) return undefined;
  const column = databaseName(`#${[root.column, ...names].join('/')}`);
  const { column: _, nullable: __, enumeration: ___, ...field } = reached.field;
  return { path, column, property: reached.property, field: { ...field, column, ...(nullable && { nullable }) }, generated: valueAt(root.column, names, field) };
}

/** Types whose text means the same whatever a session's settings are. */
const steadyTypes: ReadonlySet<string> = new Set(['Edm.String', 'Edm.Boolean', 'Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal', 'Edm.Guid']);

function isKept({ type, collection, enumeration }: Field): boolean {
  return steadyTypes.has(type) && !collection && enumeration === undefined;
}

function valueAt(column: string, names: readonly string[], { type }: Field): string {
  const steps = names.map((name, index) => `${index === names.length - 1 ? '->>' : '->'} '${name.replaceAll("'", "''")}'`);
  return `("${column.replaceAll('"', '""')}" ${steps.join(' ')})::${primitives[type].sql}`;
}
