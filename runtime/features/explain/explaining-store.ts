import { errors } from '../../errors/catalogue.js';
import { type Connection, type Row, type Statement, withoutEnd } from '../../sql/statement.js';
import type { Store } from '../../store/store.js';
import type { EntityContainer } from '../../edm/index.js';

/** A node of PostgreSQL's plan, with the members of `EXPLAIN (FORMAT JSON)`. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Filter?: string;
  readonly 'Sort Key'?: readonly string[];
  readonly Plans?: readonly PlanNode[];
  readonly [member: string]: unknown;
}

/** A statement with its parameters as placeholders, and PostgreSQL's plan for their values. */
export interface Explained {
  readonly text: string;
  readonly plan: PlanNode;
}

/** A store whose statements are explained and return no rows; analysed ones are executed, too, and their rows discarded. */
export function createExplainingStore(
  store: Store,
  isAnalyzed: boolean,
): { readonly store: Store; readonly explained: readonly Explained[] } {
  const explained: Explained[] = [];
  const options = isAnalyzed ? 'analyze, buffers, format json' : 'format json';
  const explaining = (connection: Connection): Connection => {
    const explain = async ({ text, bind }: Statement): Promise<void> => {
      const [[found] = []] = await connection.run({ text: `explain (${options}) ${text}`, bind });
      const [{ Plan: plan }] = JSON.parse(found ?? '') as [{ readonly Plan: PlanNode }]; // The format of EXPLAIN.
      explained.push({ text, plan });
    };
    return withoutEnd({ run: async (statement) => (await explain(statement), oneRow), each: explain });
  };
  return {
    explained,
    store: {
      read: (work, recipient) => store.read((connection) => work(explaining(connection)), recipient),
      transaction: () => Promise.reject(errors.notImplemented('Explaining a change')),
    },
  };
}

// A row without cells: an entity that the path begins with exists, and a count is 0.
const oneRow: readonly Row[] = [[]];

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
