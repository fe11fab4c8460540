import type { ApplyStep, Hierarchy, NodeTest, TraverseStep, Walk, WalkStep } from '../../../plan/apply-plan.js';
import type { PropertyExpr } from '../../../plan/typed-expr.js';
import { columnReference, identifier, type StatementBuilder } from '../../../sql/builder.js';
import { compileApply } from './compile-apply.js';
import { compileValue } from '../../../sql/compile-expr.js';
import { compileOrder, compileTable } from '../../../sql/compile-clauses.js';
import { compileProperty } from '../../../sql/compile-path.js';
import { compileMeeting, compileTypeTest } from '../../../sql/compile-rows.js';

/** A condition on a node; false for a value that identifies none. */
export function compileNodeTest(expr: NodeTest, builder: StatementBuilder): string {
  const node = compileValue(expr.node, builder);
  if (expr.test === 'issibling')
    return `coalesce(${node} in (${compileSiblings(expr.hierarchy, compileValue(expr.from, builder), builder)}), false)`;
  if (expr.test !== 'isrelated')
    return `coalesce(${node} in (${compileNodes(expr.hierarchy, builder, nodeCondition(expr.test, expr.hierarchy, builder))}), false)`;
  const from = compileValue(expr.from, builder);
  const name = `${expr.walk.hierarchy.nodes.alias}_walk`;
  const walk = compileWalk(expr.walk, name, (value) => `${value} = ${from}`, builder);
  return `coalesce(${node} in (with recursive ${walk} ${compileReachedNodes(expr.walk, name, (value) => `${value} = ${from}`, builder)}), false)`;
}

/** The nodes reached from the start nodes. */
export function compileWalkStep(
  { alias, node, start, walk }: WalkStep,
  input: string,
  builder: StatementBuilder,
  compileSteps: (input: string, steps: readonly ApplyStep[]) => string,
): string {
  const [begin, name] = [`${alias}_start`, `${alias}_walk`];
  const isStart = (value: string): string => `${value} in (select v from ${begin})`;
  const parts = [
    `${alias} as materialized (select * from ${input} ${alias})`,
    `${begin} as materialized (select ${columnReference(start.alias, start.node.column)} as v from ${compileSteps(alias, start.steps)} ${start.alias})`,
    compileWalk(walk, name, isStart, builder),
  ];
  return `with recursive ${parts.join(', ')} select ${alias}.* from ${alias} where ${columnReference(alias, node.column)} in (${compileReachedNodes(walk, name, isStart, builder)})`;
}

/**
 * Adds the position of each row's node in a traversal. A node's position is the array of positions on its path among
 * siblings, so that arrays sort in preorder; in postorder a node follows those that its array is a prefix of.
 */
export function compileTraverse(
  { alias, node, column, hierarchy, direction, order }: TraverseStep,
  input: string,
  builder: StatementBuilder,
): string {
  const { nodes, parents, identifier: id } = hierarchy;
  const [ranked, walk] = [`${alias}_nodes`, `${alias}_walk`];
  const sorted = compileOrder(
    order,
    order.map(({ expression }) => compileValue(expression, builder)),
  );
  const number = columnReference(nodes.alias, '#id');
  const kept = keptNodes(hierarchy, builder);
  const all = `select ${number} as id, ${columnReference(parents.alias, '#id')} as parent, ${compileProperty(id, builder)} as v, row_number() over (${sorted}) as place from ${compileTable(nodes)} left join ${compileTable(parents)} on ${compileParents(hierarchy, builder)}${kept.length === 0 ? '' : ` where ${kept.join(' and ')}`}`;
  const steps = `select id, v, array[place] as places from ${ranked} where parent is null union all select n.id, n.v, w.places || n.place from ${walk} w join ${ranked} n on n.parent = w.id`;
  const last = direction === 'postorder' ? ' || 9223372036854775807' : '';
  // Nodes with equal values, against the model, count as one, so that no row is returned twice.
  const placed = `(select v, min(place) as place from (select v, row_number() over (order by places${last}) as place from ${walk}) numbered group by v)`;
  return `with recursive ${ranked} as materialized (${all}), ${walk} as (${steps}) select ${alias}.*, p.place as ${identifier(column)} from ${input} ${alias} join ${placed} p on p.v = ${columnReference(alias, node.column)}`;
}

function nodeCondition(test: 'isnode' | 'isroot' | 'isleaf', hierarchy: Hierarchy, builder: StatementBuilder): string | undefined {
  const { nodes, parents } = hierarchy;
  const meeting = compileParents(hierarchy, builder);
  switch (test) {
    case 'isnode':
      return undefined;
    case 'isroot':
      return `not exists (select from ${compileTable(parents)} where ${meeting})`;
    case 'isleaf':
      return `${columnReference(nodes.alias, '#id')} not in (select ${columnReference(parents.alias, '#id')} from ${compileTable(nodes)} join ${compileTable(parents)} on ${[meeting, ...keptNodes(hierarchy, builder)].join(' and ')})`;
  }
}

function compileNodes(hierarchy: Hierarchy, builder: StatementBuilder, condition: string | undefined): string {
  const { nodes, identifier: id } = hierarchy;
  const conditions = [...keptNodes(hierarchy, builder), ...(condition === undefined ? [] : [condition])];
  return `select ${compileProperty(id, builder)} from ${compileTable(nodes)}${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`}`;
}

// Nodes with one parent are siblings, and so are roots (Data Aggregation 5.5.2).
function compileSiblings(hierarchy: Hierarchy, other: string, builder: StatementBuilder): string {
  const { nodes, parents, identifier: id } = hierarchy;
  const [from, meeting] = [`from ${compileTable(parents)}`, compileParents(hierarchy, builder)];
  const parentsOfOther = `select ${columnReference(parents.alias, '#id')} from ${compileTable(nodes)} join ${compileTable(parents)} on ${meeting} where ${[`${compileProperty(id, builder)} = ${other}`, ...keptNodes(hierarchy, builder)].join(' and ')}`;
  const roots = compileNodes(hierarchy, builder, nodeCondition('isroot', hierarchy, builder));
  const together = `exists (select ${from} where ${meeting} and ${columnReference(parents.alias, '#id')} in (${parentsOfOther}))`;
  const bothRoots = `(not exists (select ${from} where ${meeting}) and ${other} in (${roots}))`;
  return compileNodes(hierarchy, builder, `${compileProperty(id, builder)} <> ${other} and (${together} or ${bothRoots})`);
}

// `union` terminates even for cycles, though no hierarchy should have one.
function compileWalk(
  { hierarchy, towards, distance }: Walk,
  name: string,
  isStart: (value: string) => string,
  builder: StatementBuilder,
): string {
  const { nodes, parents, identifier: id } = hierarchy;
  const [node, parent] = [columnReference(nodes.alias, '#id'), columnReference(parents.alias, '#id')];
  const [near, far] = towards === 'ancestors' ? [node, parent] : [parent, node];
  const edges = `${compileTable(nodes)} join ${compileTable(parents)} on ${compileParents(hierarchy, builder)}`;
  const kept = keptNodes(hierarchy, builder).join(' and ') || 'true';
  const from = compileProperty(towards === 'ancestors' ? id : at(id, parents.alias), builder);
  const [columns, one, next, limit] =
    distance === undefined
      ? ['id', '', '', '']
      : ['id, distance', ', 1', ', w.distance + 1', ` and w.distance < ${builder.bind(String(distance), 'integer')}`];
  const seed = `select ${far}${one} from ${edges} where ${kept} and ${isStart(from)}`;
  return `${name}(${columns}) as (${seed} union select ${far}${next} from ${name} w join (${edges}) on ${near} = w.id where ${kept}${limit})`;
}

/** The conditions under which a row is a node. */
function keptNodes({ nodes, subset }: Hierarchy, builder: StatementBuilder): readonly string[] {
  return [...(nodes.types ? [compileTypeTest(nodes.alias, nodes.types, builder)] : []), ...keptOf(nodes.alias, subset, builder)];
}

/** The join of a node with its parent; a parent outside of the hierarchy is none. */
export function compileParents({ parents, subset }: Hierarchy, builder: StatementBuilder): string {
  return [compileMeeting(parents, builder), ...keptOf(parents.alias, subset, builder)].join(' and ');
}

function keptOf(alias: string, subset: Hierarchy['subset'], builder: StatementBuilder): readonly string[] {
  if (subset === undefined) return [];
  return [
    `${columnReference(alias, '#id')} in (select ${columnReference(subset.alias, '#id')} from ${compileApply(subset, builder)} ${subset.alias})`,
  ];
}

function at(id: PropertyExpr, alias: string): PropertyExpr {
  return { ...id, alias };
}

function compileReachedNodes(
  { hierarchy, self }: Walk,
  name: string,
  isStart: (value: string) => string,
  builder: StatementBuilder,
): string {
  const reached = `${columnReference(hierarchy.nodes.alias, '#id')} in (select id from ${name})`;
  return compileNodes(hierarchy, builder, self ? `(${reached} or ${isStart(compileProperty(hierarchy.identifier, builder))})` : reached);
}
