import type { EntityContainer } from '../../edm/index.js';
import type { Explained, PlanNode } from './explaining-store.js';

/** A statement, its plan, and what the plan says of indexes. */
export interface ExplainedStatement extends Explained {
  /** The indexes that PostgreSQL uses. */
  readonly indexes: readonly string[];
  /** The tables that it reads as a whole for a condition, and the columns of an index that would serve the condition. */
  readonly scans: readonly { readonly table: string; readonly index: readonly string[] }[];
}

/** Finds the indexes that a plan uses, and those that would serve it. */
export function studied(explained: Explained, container: EntityContainer): ExplainedStatement {
  const nodes = nodesOf(explained.plan);
  const indexes = new Set(nodes.flatMap((node) => node['Index Name'] ?? []));
  const scans = nodes.flatMap((node) => {
    const { 'Relation Name': table, Filter: filter } = node;
    if (node['Node Type'] !== 'Seq Scan' || table === undefined || filter === undefined) return [];
    return [{ table, index: columnsIn(filter, columnsOf(table, container)) }];
  });
  return { ...explained, indexes: [...indexes], scans };
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function columnsOf(table: string, { entityTypes }: EntityContainer): ReadonlySet<string> {
  const types = Object.values(entityTypes).filter((type) => type.table === table);
  return new Set(types.flatMap(({ fields }) => Object.entries(fields).map(([name, { column = name }]) => column)));
}

// PostgreSQL quotes names with capital letters; texts in the condition are no names.
function columnsIn(condition: string, columns: ReadonlySet<string>): readonly string[] {
  const names = [...condition.replace(/'(?:[^']|'')*'/g, '').matchAll(/"([^"]+)"|\b([a-z_]\w*)\b/g)].flatMap(
    ([, quoted, bare]) => quoted ?? bare ?? [],
  );
  return [...new Set(names.filter((name) => columns.has(name)))];
}
