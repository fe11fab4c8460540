import type { Table } from '../../runtime/schema/schema.js';
import type { EntityNode } from '../graph/model-graph.js';
import { mapColumns } from '../map-columns.js';

/** Adds to the columns the types that have the property, where the table also has other types. */
export function withOwningTypes(table: Table, entities: readonly EntityNode[]): Table {
  const sharing = new Map(entities.filter((entity) => entity.table === table.name).map((entity) => [entity.qualifiedName, entity]));
  if (sharing.size < 2) return table;
  const owners = new Map<string, string[]>();
  for (const [type, { fields }] of sharing) {
    for (const { name, column, field } of fields) {
      const stored = field.more ? name : column;
      owners.set(stored, [...(owners.get(stored) ?? []), type]);
    }
  }
  return mapColumns(table, (column) => {
    const of = owners.get(column.name);
    return { ...column, ...(of !== undefined && of.length < sharing.size && { of }) };
  });
}
