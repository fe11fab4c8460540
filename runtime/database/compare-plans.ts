import { textsInto, type Row, type Statement } from '../sql/statement.js';
import { isConnectionLost } from './failures.js';
import { noteComparison, type PlanMode, takeComparison } from './plan-choice.js';
import { streamRows } from './row-stream.js';
import { type NamedText, preparedOn } from './statement-names.js';

/** A plan node of EXPLAIN (PostgreSQL manual, "EXPLAIN"). */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Total Cost': number;
  readonly 'Plan Rows': number;
  readonly 'Parent Relationship'?: string;
  readonly 'Subplan Name'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
  readonly [property: string]: unknown;
}

/** Runs a statement, under each of the given plan modes, and returns its first cell. */
type Explain = (statement: Statement, modes?: readonly PlanMode[]) => Promise<string>;

// oxfmt-ignore
/** The attributes that equal plans share; conditions count only by presence, since they contain values. */
const sameValues = [
  'Node Type', 'Strategy', 'Partial Mode', 'Join Type', 'Relation Name', 'Index Name', 'Scan Direction', 'Sort Key',
  'Parent Relationship', 'Subplan Name', 'CTE Name',
];
const samePresence = ['Filter', 'Index Cond', 'Recheck Cond', 'Hash Cond', 'Merge Cond', 'Join Filter', 'One-Time Filter'];

/**
 * In PostgreSQL's cost units, of which about a thousand take a millisecond: the limit for the estimated cost of values
 * that the generic plan was not made for.
 */
const mostCost = 50_000;

/**
 * Whether the custom plan of a prepared statement equals the generic one, and that is never expensive, even if LIMIT
 * does not end it early.
 */
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
  const [{ Plan }] = JSON.parse(await explain(statement, modes)) as [{ readonly Plan: PlanNode }]; // The format of EXPLAIN.
  return Plan;
}

// A limit stops the nodes below it, up to one that reads all of its rows first. What only shown rows run, such as an
// expansion, then runs for the rows of the page, but counts in the cost of a node for all of its rows.
function highestCost(node: PlanNode, isLimited = false): number {
  const { Plans = [], 'Node Type': type, 'Total Cost': cost } = node;
  const below = type === 'Limit' || (isLimited && streams(node));
  return Math.max(
    cost - (isLimited ? costOfShown(node) : 0),
    ...Plans.map((plan) => highestCost(plan, below && plan['Parent Relationship'] !== 'SubPlan')),
  );
}

function costOfShown(node: PlanNode): number {
  const { Plans = [], 'Plan Rows': rows } = node;
  if (!streams(node)) return 0;
  return Plans.reduce((sum, plan) => sum + (isShown(plan, node) ? rows * plan['Total Cost'] : costOfShown(plan)), 0);
}

function streams({ 'Node Type': type }: PlanNode): boolean {
  return /^(Result|(Index|Index Only|Seq|Bitmap Heap|Subquery) Scan|Nested Loop|Append|Merge Append)$/.test(type);
}

function isShown({ 'Parent Relationship': relationship, 'Subplan Name': name = '' }: PlanNode, { Filter = '' }: PlanNode): boolean {
  return relationship === 'SubPlan' && !Filter.includes(name);
}

function shapeOf(node: PlanNode): string {
  const { Plans = [] } = node;
  return JSON.stringify([sameValues.map((name) => node[name] ?? null), samePresence.map((name) => name in node), Plans.map(shapeOf)]);
}

type ExplainingClient = Parameters<typeof streamRows>[0] & { readonly connection: object };
type PlannedText = Pick<NamedText, 'name' | 'choice'>;

/** Compares the plans of a prepared statement before its run, where a comparison is due. */
export function comparisonDue(client: ExplainingClient, statement: Statement, { name, choice }: PlannedText): Promise<void> | undefined {
  const bind = preparedOn(client.connection).has(name) ? takeComparison(choice, statement.bind, performance.now()) : undefined;
  return bind && compare(client, { ...statement, bind }, { name, choice });
}

async function compare(client: ExplainingClient, statement: Statement, { name, choice }: PlannedText): Promise<void> {
  const explain = async (asked: Statement, modes?: readonly PlanMode[]): Promise<string> => {
    const rows: Row[] = [];
    await streamRows(client, asked, { name: undefined, modes, onRow: textsInto(rows) });
    return rows[0]?.[0] ?? '';
  };
  try {
    noteComparison(choice, await isPlannedAlike(statement, name, explain), performance.now());
  } catch (failure) {
    noteComparison(choice, false, performance.now());
    // A failing comparison is ignored: the statement reports its own faults. A pooler may know it by another name.
    if (isConnectionLost(failure)) throw failure;
  }
}
