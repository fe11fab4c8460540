import type { Connection, Statement } from '../../runtime/sql/statement.js';

/** A node of what EXPLAIN answers; only what is shown of it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Scan Direction'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Sort Key'?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

/** How PostgreSQL means to run a statement: a line a node, with its index and the columns that bound the scan. */
export async function queryPlan({ text, bind }: Statement, { run }: Connection): Promise<string> {
  // Whether workers are worth while depends on the machine.
  await run({ text: 'set max_parallel_workers_per_gather to 0', bind: [] });
  const [row] = await run({ text: `explain (format json, costs off) ${text}`, bind });
  const [explained] = JSON.parse(row?.[0] ?? '[]') as readonly { readonly Plan: PlanNode }[];
  if (explained === undefined) throw new Error(`No plan for ${text}`);
  return linesOf(explained.Plan, '').join('\n');
}

function linesOf(node: PlanNode, indent: string): readonly string[] {
  const below = (node.Plans ?? []).flatMap((inner) => linesOf(inner, `${indent}  `));
  return [indent + lineOf(node), ...below];
}

function lineOf(node: PlanNode): string {
  const { 'Node Type': type, 'Relation Name': relation, 'Index Name': index, 'Index Cond': condition, 'Sort Key': key } = node;
  const parts = [
    node['Parent Relationship'] === 'SubPlan' || node['Parent Relationship'] === 'InitPlan'
      ? `${node['Parent Relationship']}: ${type}`
      : type,
    node['Scan Direction'] === 'Backward' ? ' Backward' : '',
    index === undefined ? on(relation) : ` using ${index}`,
    condition === undefined ? '' : ` from ${columnsOf(condition).join(', ')}`,
    key === undefined ? '' : ` by ${key.map((term) => term.replace(/\w+\./g, '').replaceAll('"', '')).join(', ')}`,
  ];
  return parts.join('');
}

function on(relation: string | undefined): string {
  return relation === undefined ? '' : ` on ${relation}`;
}

// The model's columns are the quoted words; values are not printed.
function columnsOf(condition: string): readonly string[] {
  const names = condition.replace(/'(?:[^']|'')*'/g, '').match(/"[^"]+"/g) ?? [];
  return [...new Set(names)].map((name) => name.slice(1, -1));
}
