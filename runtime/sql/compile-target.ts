import type { RowFilter } from '../plan/row-filter.js';
import { type EntityType } from '../edm/entity-type.js';
import { conditionOf } from '../plan/expr-facts.js';
import { typeNames } from '../plan/path/type-cast.js';
import type { RecordTarget } from '../plan/path/path-target.js';
import type { ParentStep, ReadPlan } from '../plan/read-plan.js';
import { quote } from '../schema/identifier.js';
import { columnReference, StatementBuilder } from './builder.js';
import { compileCondition } from './compile-expr.js';
import { compileKeyAt } from './compile-rows.js';
import { compileParentColumns, compileParentTable } from './compile-clauses.js';
import type { Statement } from './statement.js';

/** The parts of a path that determine its entities. */
export type Place = Pick<RecordTarget, 'type' | 'alias' | 'parents' | 'key' | 'types' | 'filter'>;

/** An entity source reduced to its table. */
export interface TablePlace extends Pick<RecordTarget, 'alias' | 'parents' | 'key' | 'filter'> {
  readonly table: string;
}

/** The table and the conditions of a path. */
export function tablePlace(place: Place): TablePlace {
  const { type, alias, key, parents } = place;
  const filter = conditionOf(place);
  return { table: type.table, alias, key, parents, ...(filter && { filter }) };
}

/** The parent of the target in its path. */
export function parentPlace({ parents: [parent, ...parents] }: Place): TablePlace {
  if (parent === undefined) throw new Error('A target without parents has none to read.');
  const { alias, table, key, filter } = parent;
  return { alias, table, key, parents, ...(filter && { filter }) };
}

/** The ids of the rows at a path, up to a limit. */
export function compileNumbers(place: TablePlace, most: number): Statement {
  const builder = new StatementBuilder();
  const text = `select ${columnReference(place.alias, '#id')} from ${compileWhereOf(place, builder)}`;
  return builder.statement(`${text} order by 1 limit ${builder.bind(String(most), 'bigint')}`);
}

/** The strength of a row lock until the transaction ends: against deletion and key changes, or against any change. */
export type Kept = 'key share' | 'share';

/** Columns of the row at a path, which is locked until the transaction ends. */
export function compileShared(place: TablePlace, columns: readonly string[], kept: Kept): Statement {
  const builder = new StatementBuilder();
  return { ...builder.statement(`${compileColumns(place, columns, builder)} for ${kept} of ${place.alias}`), unfiltered: true };
}

/** Columns of the row at a path, as text. */
export function compileShown(place: TablePlace, columns: readonly string[]): Statement {
  const builder = new StatementBuilder();
  return builder.statement(`${compileColumns(place, columns, builder)} limit 1`);
}

function compileColumns(place: TablePlace, columns: readonly string[], builder: StatementBuilder): string {
  const cells = columns.map((column) => `${columnReference(place.alias, column)}::text`);
  return `select ${cells.join(', ')} from ${compileWhereOf(place, builder)}`;
}

/** Values of key columns with their SQL types. */
export type TypedKey = readonly { readonly column: string; readonly value: string; readonly sqlType: string }[];

/** The id of the row with a key; the row is locked until the transaction ends. */
export function compileNumberOf({ table }: EntityType, key: TypedKey): Statement {
  const builder = new StatementBuilder();
  return builder.unfilteredStatement(`select "#id" from ${quote(table)} where ${compileKey(key, builder)} for key share`);
}

/** The id of the row with a key, if it exists. */
export function compileKeyOf(type: EntityType, key: TypedKey): Statement {
  const builder = new StatementBuilder();
  const typed = type.discriminated ? `"#type" = any(${builder.bind(typeNames(type), 'text[]')}) and ` : '';
  return builder.statement(`select "#id" from ${quote(type.table)} where ${typed}${compileKey(key, builder)} limit 1`);
}

/** The conditions of a key in its own table. */
export function compileKey(key: TypedKey, builder: StatementBuilder): string {
  return key.map(({ column, value, sqlType }) => `${quote(column)} = ${builder.bind(value, sqlType)}`).join(' and ');
}

function compileWhereOf({ table, alias, key, parents, filter }: TablePlace, builder: StatementBuilder): string {
  const conditions = [...compilePlace({ key, parents }, alias, builder), ...(filter ? [compileCondition(filter, builder)] : [])];
  return `${quote(table)} ${alias} where ${conditions.join(' and ') || 'true'}`;
}

/** The conditions of the resource path: the key, and the parents. */
export function compilePlace(plan: Pick<ReadPlan, 'key' | 'parents'>, alias: string, builder: StatementBuilder): readonly string[] {
  const { key, parents } = plan;
  return [...compileKeyAt(alias, key, builder), ...compileParents(parents, alias, builder)];
}

// A record's place beneath its parents in the path, innermost parent first.
function compileParents(parents: readonly ParentStep[], child: string, builder: StatementBuilder): readonly string[] {
  const [parent, ...further] = parents;
  if (parent === undefined) return [];
  const conditions = [
    ...compileParentColumns(parent, child),
    ...compileKeyAt(parent.alias, parent.key, builder),
    ...(parent.filter ? [compileCondition(parent.filter, builder)] : []),
    ...compileParents(further, parent.alias, builder),
  ];
  return [`exists (select from ${compileParentTable(parent)} where ${conditions.join(' and ')})`];
}

/** Whether a row is visible, and meets a further rule of the operation. */
export function compileAllowed(table: string, id: string, rule: RowFilter | undefined): Statement {
  const builder = new StatementBuilder();
  const alias = rule?.alias ?? 't0';
  const conditions = [
    `${columnReference(alias, '#id')} = ${builder.bind(id, 'bigint')}`,
    ...(rule ? [compileCondition(rule.condition, builder)] : []),
  ];
  return builder.reusableStatement(`select 1 from ${quote(table)} ${alias} where ${conditions.join(' and ')}`);
}
