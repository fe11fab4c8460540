import { streamColumns } from '../../runtime/edm/index.js';
import type { Table } from '../../runtime/schema/schema.js';
import type { EntityNode } from '../graph/model-graph.js';
import { mapColumns } from '../map-columns.js';

/** Adds to the columns the types that have the property, and that require it, where the table also has other types. */
export function withOwningTypes(table: Table, entities: readonly EntityNode[]): Table {
  const sharing = new Map(entities.filter((entity) => entity.table === table.name).map((entity) => [entity.qualifiedName, entity]));
  if (sharing.size < 2) return table;
  const owners = new Map<string, { readonly of: string[]; readonly requiredOf: string[] }>();
  for (const [type, entity] of sharing) {
    for (const { stored, required } of storedBy(entity)) {
      const known = owners.get(stored) ?? { of: [], requiredOf: [] };
      owners.set(stored, known);
      known.of.push(type);
      if (required) known.requiredOf.push(type);
    }
  }
  return mapColumns(table, (column) => {
    const { of = [], requiredOf = [] } = owners.get(column.name) ?? {};
    const abstract = column.types?.filter((type) => sharing.get(type)?.hierarchy.abstract) ?? [];
    return {
      ...column,
      ...(abstract.length > 0 && { abstract }),
      ...(of.length > 0 && of.length < sharing.size && { of }),
      ...(requiredOf.length > 0 && !column.notNull && { requiredOf }),
    };
  });
}

// The columns of a type's properties, of its references by number and of its streams.
function storedBy({ fields, navigation, streams }: EntityNode): readonly { readonly stored: string; readonly required?: boolean }[] {
  return [
    ...fields.map(({ name, column, field }) => ({ stored: field.more ? name : column, required: !field.nullable && !field.collection })),
    ...navigation.flatMap(({ relation }) => (relation?.internal === undefined ? [] : [{ stored: relation.internal.column }])),
    ...streams.map(({ stream }) => ({ stored: streamColumns(stream).stream })),
  ];
}
