import type { Statement } from '../sql/statement.js';
import type { PlanMode } from './plan-mode.js';

/** What a plan of PostgreSQL's consists of, as EXPLAIN tells it (manual, "EXPLAIN"). */
interface PlanNode {
  readonly 'Total Cost': number;
  readonly Plans?: readonly PlanNode[];
  readonly [property: string]: unknown;
}

/** Runs a statement, in one of these modes where any are given, and gives its first cell. */
export type Explain = (statement: Statement, modes?: readonly PlanMode[]) => Promise<string>;

/** What is the same in plans that do the same; conditions count as there or not, since values stand in them. */
const sameValues = [
  'Node Type',
  'Strategy',
  'Partial Mode',
  'Join Type',
  'Relation Name',
  'Index Name',
  'Scan Direction',
  'Sort Key',
  'Parent Relationship',
  'Subplan Name',
  'CTE Name',
];
const samePresence = ['Filter', 'Index Cond', 'Recheck Cond', 'Hash Cond', 'Merge Cond', 'Join Filter', 'One-Time Filter'];

/** In PostgreSQL's units, of which about a thousand take a millisecond: what the values of a run may cost at most that the plan is not made for. */
const mostCost = 50_000;

/** Whether planning a prepared statement for its values comes to the plan for any, and that one is never expensive, even where a LIMIT does not end it early. */
export async function isPlannedAlike({ text, bind }: Statement, name: string, explain: Explain): Promise<boolean> {
  const any = await planOf(
    { text: `explain (format json) execute ${name}${bind.length === 0 ? '' : `(${bind.map(() => 'null').join(', ')})`}`, bind: [] },
    explain,
    ['force_generic_plan'],
  );
  if (highestCost(any) > mostCost) return false;
  return shapeOf(any) === shapeOf(await planOf({ text: `explain (format json) ${text}`, bind }, explain));
}

async function planOf(statement: Statement, explain: Explain, modes?: readonly PlanMode[]): Promise<PlanNode> {
  const [{ Plan }] = JSON.parse(await explain(statement, modes)) as [{ readonly Plan: PlanNode }]; // EXPLAIN's own form.
  return Plan;
}

function highestCost({ Plans = [], 'Total Cost': cost }: PlanNode): number {
  return Math.max(cost, ...Plans.map(highestCost));
}

function shapeOf(node: PlanNode): string {
  const { Plans = [] } = node;
  return JSON.stringify([sameValues.map((name) => node[name] ?? null), samePresence.map((name) => name in node), Plans.map(shapeOf)]);
}
