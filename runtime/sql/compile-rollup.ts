import type { RestoreStep, RolledUp, RollupStep } from '../plan/apply-plan.js';
import { columnReference, identifier, type StatementBuilder } from './builder.js';
import { compileProperty } from './compile-path.js';
import { keptNodes, compileParents } from './compile-hierarchy.js';
import { compileTable } from './compile-tables.js';

/**
 * The rows once for each node that theirs is or lies beneath. With `live` the nodes stand first, each combination of
 * them once at least, so that those without rows make groups too.
 */
export function compileRollup({ alias, hierarchies, live }: RollupStep, input: string, builder: StatementBuilder): string {
  const known = hierarchies.map((one, index) => ({ ...one, nodes: `${alias}_nodes${index}`, beneath: `${alias}_beneath${index}` }));
  const tables = known.flatMap((one) => [compileNodes(one, builder), compileBeneath(one, builder)]);
  const start = `with recursive ${tables.join(', ')}`;
  const joins = known.map(({ beneath, node }) => ` join ${beneath} on ${beneath}.v = ${columnReference(node.alias, node.column)}`);
  const rows = (suffix: string): string =>
    `select ${alias}.*, ${known.map(({ beneath, column }) => `${beneath}.root as ${identifier(`${column}${suffix}`)}`).join(', ')} from ${input} ${alias}${joins.join('')}`;
  if (live === undefined) return `${start} ${rows('')}`;
  const inside = `${alias}_rows`;
  const own = known.map(({ column }) => columnReference(inside, `${column}.n`));
  const columns = [
    ...known.map(({ nodes, column }) => `${nodes}.id as ${identifier(column)}`),
    `${own[0]} is not null as ${identifier(live)}`,
  ];
  const meeting = known.map(({ nodes }, index) => `${own[index]} = ${nodes}.id`);
  return `${start}, ${inside} as (${rows('.n')}) select ${inside}.*, ${columns.join(', ')} from ${known.map(({ nodes }) => nodes).join(' cross join ')} left join ${inside} on ${meeting.join(' and ')}`;
}

/** An operator with the names of its tables: the nodes, and the pairs of a node and the value of it or one beneath it. */
interface Named extends RolledUp {
  readonly nodes: string;
  readonly beneath: string;
}

function compileNodes({ hierarchy, nodes: name }: Named, builder: StatementBuilder): string {
  const { nodes, identifier: id } = hierarchy;
  const kept = keptNodes(hierarchy, builder);
  return `${name} as materialized (select ${columnReference(nodes.alias, '#id')} as id, ${compileProperty(id, builder)} as v from ${compileTable(nodes, builder)}${kept.length === 0 ? '' : ` where ${kept.join(' and ')}`})`;
}

// `union` comes to an end where records lead in a circle, though no hierarchy should.
function compileBeneath({ hierarchy, nodes: name, beneath }: Named, builder: StatementBuilder): string {
  const { nodes, parents } = hierarchy;
  const [node, parent] = [columnReference(nodes.alias, '#id'), columnReference(parents.alias, '#id')];
  const kept = keptNodes(hierarchy, builder).join(' and ') || 'true';
  const edges = `select ${node} as id, ${parent} as parent from ${compileTable(nodes, builder)} join ${compileTable(parents, builder)} on ${compileParents(hierarchy, builder)} where ${kept}`;
  const walk = `select id, id from ${name} union select w.root, e.id from ${beneath}_walk w join ${beneath}_edges e on e.parent = w.id`;
  // Nodes that have one value against the model's word are one, so that no row counts twice.
  return `${beneath}_edges as materialized (${edges}), ${beneath}_walk(root, id) as (${walk}), ${beneath} as materialized (select distinct w.root, n.v from ${beneath}_walk w join ${name} n on n.id = w.id)`;
}

/** The records that the rows are about, with what else the rows have. */
export function compileRestore({ alias, table, number }: RestoreStep, input: string): string {
  return `select record.*, ${alias}.* from ${input} ${alias} join ${identifier(table)} record on record."#id" = ${columnReference(number.alias, number.column)}`;
}
