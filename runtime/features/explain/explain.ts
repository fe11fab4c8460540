import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import { answer } from '../../http/dispatch.js';
import { nothingHere, type Outside, type Site } from '../../http/outside.js';
import type { Prepared, PreparedRead } from '../../http/read/plan-cache.js';
import type { Service } from '../../http/service.js';
import { type ODataRequest, unstoredJson } from '../../protocol/message.js';
import { notAllowed } from '../../protocol/routes.js';
import type { Selection } from '../../plan/read-plan.js';
import { type Connection, type Row, type Statement, withoutEnd } from '../../sql/statement.js';
import type { Store } from '../../store/store.js';
import type { EntityContainer } from '../../edm/index.js';

const prefix = '/explain';

/** A read as it would be executed, for operators. */
export interface Explanation {
  /** The part of the service's plan that determines the statements; absent for reads without a kept plan. */
  readonly plan?: ReturnType<typeof summaryOf>;
  readonly statements: readonly ExplainedStatement[];
}

/** Explains a read at `/explain` and its path below the service root, to callers with the scope of the setting. */
export function explain({ explainScope = '' }: Site): Outside | undefined {
  if (explainScope === '') return undefined;
  return {
    isGuarded: true,
    folders: [`${prefix}/`],
    answer: async (request, service) => {
      const { scopes } = await service.authenticate(request.header('authorization'));
      // The same error as for an address that does not exist.
      if (!scopes.has(explainScope)) throw nothingHere(service);
      if (request.method !== 'GET') throw notAllowed(request.method, ['GET']);
      return unstoredJson(200, await explanationOf(request, service), { 'Content-Type': 'application/json;charset=utf-8' });
    },
  };
}

// The request passes all stages with a store that explains statements, so that it is refused like the request itself, and
// the caller's row filters are in the statements.
async function explanationOf(request: ODataRequest, service: Service): Promise<Explanation> {
  const isAnalyzed = /(?:^|[\s,;])analyze(?:$|[\s,;])/.test(request.header('prefer') ?? '');
  const { store, explained } = createExplainingStore(service.store, isAnalyzed);
  const kept: PreparedRead[] = [];
  const add = (_: string, __: unknown, plan: Prepared): void => {
    if (plan.kind === 'page' || plan.kind === 'entity') kept.push(plan);
  };
  const plans = { find: () => undefined, add };
  try {
    await answer(readOf(request), { ...service, store, plans, operations: {}, readOnly: true });
  } catch (failure) {
    // The store returns no rows, so the last stage may fail; a request that is refused earlier has no statements.
    if (!(failure instanceof ODataError) || explained.length === 0) throw failure;
  }
  const [read] = kept;
  return { ...(read && { plan: summaryOf(read) }), statements: explained.map((one) => studied(one, service.container)) };
}

// Preferences and conditions of the request are no part of its plan.
function readOf(request: ODataRequest): ODataRequest {
  const header = (name: string): string | undefined => (name === 'authorization' ? request.header(name) : undefined);
  return { ...request, path: request.path.slice(prefix.length), header };
}

/** The service's plan of a read: its table, columns, expansions, order and window. */
interface PlanSummary extends SelectionSummary {
  readonly kind: PreparedRead['kind'];
  /** The terms of the total order, of which the last ones are the key. */
  readonly orderTerms: number;
  /** The entities that the path leads through. */
  readonly parents: readonly string[];
  /** The most records of the answer. */
  readonly size: number;
}

interface SelectionSummary {
  readonly table: string;
  readonly columns: readonly string[];
  readonly expands: readonly (SelectionSummary & { readonly name: string })[];
}

function summaryOf({ kind, plan }: PreparedRead): PlanSummary {
  const read = 'read' in plan ? plan.read : plan;
  return {
    kind,
    ...selectionOf(read.selection),
    orderTerms: read.order.length,
    parents: read.parents.map(({ table }) => table),
    size: 'size' in plan ? plan.size : 1,
  };
}

function selectionOf({ table, columns, expands }: Selection): SelectionSummary {
  return {
    table,
    columns: columns.map(({ name }) => name),
    expands: expands.map(({ name, selection }) => ({ name, ...selectionOf(selection) })),
  };
}

/** A node of PostgreSQL's plan, with the members of `EXPLAIN (FORMAT JSON)`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Filter?: string;
  readonly 'Sort Key'?: readonly string[];
  readonly Plans?: readonly PlanNode[];
  readonly [member: string]: unknown;
}

/** A statement with its parameters as placeholders, and PostgreSQL's plan for their values. */
interface Explained {
  readonly text: string;
  readonly plan: PlanNode;
}

/** A store whose statements are explained and return no rows; analysed ones are executed, too, and their rows discarded. */
function createExplainingStore(store: Store, isAnalyzed: boolean): { readonly store: Store; readonly explained: readonly Explained[] } {
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
interface ExplainedStatement extends Explained {
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
