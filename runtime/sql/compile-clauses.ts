import type { JoinTable } from '../edm/navigation.js';
import type { OrderTerm, ParentStep } from '../plan/read-plan.js';
import type { JoinStep, TypedExpr } from '../plan/typed-expr.js';
import { quote } from '../schema/identifier.js';
import { columnReference, type StatementBuilder } from './builder.js';

/** The target table of a join step, after its join table if it has one. */
export function compileTable({ table, alias, through }: Pick<JoinStep, 'table' | 'alias' | 'through'>): string {
  return joined(table, alias, through, through?.other);
}

/** The columns in which a step meets the table that it comes from. */
export function compileMeetingColumns({ on, alias, from, through, table, first }: JoinStep): readonly string[] {
  const meet = (record: string): readonly string[] =>
    on.map(([own, other]) => `${columnReference(record, other)} = ${columnReference(from, own)}`);
  const columns = first ? [...meet(alias), compileFirst(table, alias, meet)] : meet(alias);
  return through === undefined
    ? columns
    : [...columns, `${columnReference(joinAlias(alias), through.own)} = ${columnReference(from, through.number ?? '#id')}`];
}

/** The table of a parent, likewise. */
export function compileParentTable({ table, alias, through }: ParentStep): string {
  return joined(table, alias, through, through?.own);
}

/** The columns in which a parent meets its child. */
export function compileParentColumns({ on, alias, through, firstOf }: ParentStep, child: string): readonly string[] {
  const meet = (record: string): readonly string[] =>
    on.map(([own, other]) => `${columnReference(alias, other)} = ${columnReference(record, own)}`);
  const columns = firstOf === undefined ? meet(child) : [...meet(child), compileFirst(firstOf, child, meet)];
  return through === undefined
    ? columns
    : [...columns, `${columnReference(joinAlias(alias), through.other)} = ${columnReference(child, '#id')}`];
}

// No earlier row matches the same source; only visible rows count.
function compileFirst(table: string, alias: string, meet: (record: string) => readonly string[]): string {
  const earlier = `${alias}_earlier`;
  return `not exists (select from ${quote(table)} ${earlier} where ${[...meet(earlier), `${columnReference(earlier, '#id')} < ${columnReference(alias, '#id')}`].join(' and ')})`;
}

// A join, and no condition with a subquery: PostgreSQL takes a subquery within another one row by row.
function joined(table: string, alias: string, through: JoinTable | undefined, side: string | undefined): string {
  const plain = `${quote(table)} ${alias}`;
  if (through === undefined || side === undefined) return plain;
  const pairs = joinAlias(alias);
  return `(${quote(through.table)} ${pairs} join ${plain} on ${columnReference(alias, '#id')} = ${columnReference(pairs, side)})`;
}

/** The alias of the join table that precedes an alias. */
function joinAlias(alias: string): string {
  return `${alias}_pairs`;
}

/** `order by` from terms and their SQL; OData sorts null lowest, PostgreSQL by default highest. */
export function compileOrder(order: readonly OrderTerm[], compiled: readonly string[]): string {
  const terms = order.flatMap(({ expression, descending }, index) => {
    const sql = compiled[index] ?? '';
    return constants.has(sql) ? [] : [`${sql}${direction(expression, descending)}`];
  });
  return terms.length === 0 ? '' : ` order by ${terms.join(', ')}`;
}

// A constant orders nothing, and PostgreSQL reads a bare one as a column number.
const constants: ReadonlySet<string> = new Set(['true', 'false', 'null']);

// Added only for nullable terms, so that a plain index serves the others.
function direction({ nullable }: TypedExpr, descending: boolean): string {
  if (!nullable) return descending ? ' desc' : '';
  return descending ? ' desc nulls last' : ' nulls first';
}

/** `limit` and `offset`, as far as given. */
export function compileWindow(limit: number | undefined, offset: number | undefined, builder: StatementBuilder): string {
  const parts = [
    ...(limit === undefined ? [] : [` limit ${builder.bind(String(limit), 'bigint')}`]),
    ...(offset === undefined ? [] : [` offset ${builder.bind(String(offset), 'bigint')}`]),
  ];
  return parts.join('');
}
