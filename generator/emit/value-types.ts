import { openColumn } from '../../runtime/edm/index.js';
import type { Table } from '../../runtime/schema/schema.js';
import type { ComplexNode, EntityNode, FieldNode } from '../graph/model-graph.js';
import { mapColumns } from '../map-columns.js';

/** Adds to the columns the types that their complex values may have as `@odata.type`. */
export function withValueTypes(table: Table, { fields }: EntityNode, complexTypes: readonly ComplexNode[]): Table {
  if (!complexTypes.some(isDistinguished)) return table;
  const byColumn = complexColumns(fields);
  return mapColumns(table, (column) => {
    const complex = byColumn.get(column.name);
    const types = column.name === openColumn ? complexTypes : complex === undefined ? [] : reachedFrom(complex, complexTypes);
    return types.some(isDistinguished) ? { ...column, valueTypes: types.map(({ qualifiedName }) => qualifiedName) } : column;
  });
}

/** The complex types of properties, by the names of their columns, or of the properties that share one. */
export function complexColumns(fields: readonly FieldNode[]): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap(({ name, column, field }) =>
      field.complex === undefined ? [] : [[field.more ? name : column, field.complex] as const],
    ),
  );
}

// A value has an `@odata.type` if its type is a derived or a base type.
function isDistinguished({ base, derivedTypes }: ComplexNode): boolean {
  return base !== undefined || derivedTypes.length > 0;
}

// The types of a property's values and everything nested, in the order of the model; an open type may contain any.
function reachedFrom(start: string, complexTypes: readonly ComplexNode[]): readonly ComplexNode[] {
  const reached = new Set<string>();
  const waiting = [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const type = complexTypes.find(({ qualifiedName }) => qualifiedName === name);
    if (type === undefined || reached.has(name)) continue;
    if (type.open) return complexTypes;
    reached.add(name);
    waiting.push(...type.derivedTypes, ...type.fields.flatMap(({ field }) => field.complex ?? []));
  }
  return complexTypes.filter(({ qualifiedName }) => reached.has(qualifiedName));
}
