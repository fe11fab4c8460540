import { changeTable, type EntityContainer } from '../../edm/index.js';
import type { Caller } from '../../plan/caller.js';
import { rowFiltersOf } from '../../http/service.js';
import { quote } from '../../schema/identifier.js';
import { StatementBuilder } from '../../sql/builder.js';
import { sqlHooks } from '../../sql/hooks.js';
import type { Connection, Row, Statement } from '../../sql/statement.js';
import { compileVisible } from './visible-changes.js';

/** A change of the log. */
export interface Change {
  /** Decimal text; a later change of a record has a greater one. */
  readonly number: string;
  /** The entity set. */
  readonly set: string;
  readonly operation: Operation;
  /** The key at that time as text; a JSON array of texts where it has several properties. */
  readonly key: string;
  /** The time of the write, in UTC with milliseconds. */
  readonly at: string;
}

/** The effect of a change on its record. */
export type Operation = 'create' | 'update' | 'delete';

interface ChangeQuery {
  /** Exclusive; '0' for the beginning. */
  readonly from: string;
  /** Inclusive: a horizon. */
  readonly to: string;
  /** All tracked sets by default. */
  readonly sets?: readonly string[];
  /** All by default. */
  readonly operations?: readonly Operation[];
  readonly limit: number;
  /** Leaves out changes of records that this caller can neither read now nor could read before the change. */
  readonly caller?: Caller;
}

/** Changes in the order of their numbers. */
interface ChangesRead {
  readonly changes: readonly Change[];
  /** Everything up to this number has been read; the next `from`. */
  readonly to: string;
}

/** Reads changes, on a connection that applies no row filters. */
export async function readChanges(query: ChangeQuery, container: EntityContainer, { run }: Pick<Connection, 'run'>): Promise<ChangesRead> {
  const filters = query.caller && rowFiltersOf(query.caller, container);
  const statement = compileChanges(query, container);
  const rows = await run(filters === undefined ? statement : sqlHooks.get('compileFiltered')(statement, filters));
  const changes = rows.map(changeOf);
  return { changes, to: changes.length < query.limit ? query.to : (changes.at(-1)?.number ?? query.to) };
}

const operations = { c: 'create', u: 'update', d: 'delete' } as const;
const letters = { create: 'c', update: 'u', delete: 'd' } as const;

function changeOf([number, set, key, operation, at]: Row): Change {
  return {
    number: number ?? '',
    set: set ?? '',
    key: key ?? '',
    operation: operations[operation as keyof typeof operations],
    at: at ?? '',
  };
}

function compileChanges({ from, to, sets, operations: some, limit, caller }: ChangeQuery, container: EntityContainer): Statement {
  const builder = new StatementBuilder();
  const conditions = [`c."#id" > ${builder.bind(from, 'bigint')}`, `c."#id" <= ${builder.bind(to, 'bigint')}`];
  if (sets) conditions.push(`c."#set" = any(${builder.bind(sets, 'text[]')})`);
  const wanted = some?.map((operation) => letters[operation]);
  if (wanted) conditions.push(`c."#operation" = any(${builder.bind(wanted, 'text[]')})`);
  const visible = caller && compileVisible(caller, container, builder);
  if (visible !== undefined) conditions.push(visible);
  const at = `to_char(c."#at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return builder.locklessStatement(
    `select c."#id", c."#set", c."#key", c."#operation", ${at} from ${quote(changeTable)} c where ${conditions.join(' and ')} order by c."#id" limit ${builder.bind(String(limit), 'int')}`,
  );
}
