import { changeTable } from '../../runtime/edm/index.js';
import { foreignKeysOf } from '../../runtime/schema/print-schema.js';
import type { Distribution, Table } from '../../runtime/schema/schema.js';
import type { EntityNode } from '../graph/model-graph.js';
import { databaseName } from '../graph/names/names.js';
import { quote } from '../../runtime/schema/identifier.js';

/**
 * Tables divided as Rules.StorageLayout asks. A unique constraint must have the column that divides: that of a divided
 * set becomes an index, since its keys are made from the number; that of rows which go with others is one within them.
 */
export function withLayouts(tables: readonly Table[], entities: readonly EntityNode[]): readonly Table[] {
  const rows = new Map(
    entities.flatMap(({ table, events, layout }) =>
      layout?.partitionRows === undefined ? [] : [[events === undefined ? table : changeTable, layout.partitionRows] as const],
    ),
  );
  const distributions = distributionsOf(
    tables,
    entities.flatMap(({ table, layout }) => (layout?.distributed ? [table] : [])),
  );
  return tables.map((table) => {
    const partitionRows = rows.get(table.name);
    if (partitionRows !== undefined) return { ...withoutUnique(table), partitionRows };
    const distribution = distributions.get(table.name);
    return distribution === undefined ? table : { ...constrained(table, distribution), distribution };
  });
}

// Tables to which distributed ones refer are copied to all nodes, and those to which these refer.
function distributionsOf(tables: readonly Table[], roots: readonly string[]): ReadonlyMap<string, Distribution> {
  const found = new Map<string, Distribution>(roots.map((root) => [root, { column: '#id' }]));
  for (const table of tables)
    for (const { columns, principal, onDelete } of foreignKeysOf(table))
      if (onDelete === 'cascade' && roots.includes(principal)) found.set(table.name, { column: columns[0] ?? '', along: principal });
  const ahead = [...found.keys()];
  // The list grows during the loop.
  for (const name of ahead)
    for (const { principal } of tables.filter((table) => table.name === name).flatMap(foreignKeysOf)) {
      if (found.has(principal)) continue;
      found.set(principal, 'copied');
      ahead.push(principal);
    }
  return found;
}

function constrained(table: Table, distribution: Distribution): Table {
  if (distribution === 'copied') return table;
  if (distribution.along === undefined) return withoutUnique(table);
  const { column } = distribution;
  const within = table.constraints.map((constraint) =>
    constraint.kind === 'unique' && !constraint.columns.includes(column)
      ? { ...constraint, columns: [column, ...constraint.columns] }
      : constraint,
  );
  const found = withKeyIndexes(table);
  return {
    ...found,
    indexes: [{ name: databaseName(`${table.name}##id#find`), terms: [quote('#id')] }, ...found.indexes],
    constraints: [{ kind: 'primary key', name: databaseName(`${table.name}#number`), columns: [column, '#id'] }, ...within],
  };
}

function withoutUnique(table: Table): Table {
  return { ...withKeyIndexes(table), constraints: table.constraints.filter(({ kind }) => kind !== 'unique') };
}

// Records are still found by their keys, and by their numbers.
function withKeyIndexes({ constraints, ...table }: Table): Table {
  const keys = constraints.flatMap((constraint) => (constraint.kind === 'unique' ? [constraint.columns] : []));
  const indexes = keys.map((columns) => ({ name: databaseName(`${table.name}#${columns.join(',')}#find`), terms: columns.map(quote) }));
  return { ...table, constraints, indexes: [...indexes, ...table.indexes] };
}
