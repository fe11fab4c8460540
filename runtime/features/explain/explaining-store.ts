import { errors } from '../../errors/catalogue.js';
import { type Connection, type Row, type Statement, withoutEnd } from '../../sql/statement.js';
import type { Store } from '../../store/store.js';

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
