import type { ParentStep, ReadPlan } from '../plan/read-plan.js';
import { columnReference, type StatementBuilder } from './builder.js';
import { compileCondition } from './compile-expr.js';
import { compileParentColumns, compileParentTable } from './compile-tables.js';

/** Where a parent meets its child: in columns of both, or where the child is what an item of the parent says. */
export function compileMeetingOf(parent: ParentStep, child: string, builder: StatementBuilder): readonly string[] {
  return [...compileParentColumns(parent, child), ...(parent.item?.keyed ? [compileCondition(parent.item.keyed, builder)] : [])];
}

/** The conditions of the resource path: the key, and the parents. */
export function compilePlace(
  { key, parents }: Pick<ReadPlan, 'key' | 'parents'>,
  alias: string,
  builder: StatementBuilder,
): readonly string[] {
  const keys = key.map((one) => `${columnReference(alias, one.column)} = ${builder.bindValueOf(one, one.sqlType)}`);
  return [...keys, ...compileParents(parents, alias, builder)];
}

// A record's place beneath its parents in the path, innermost parent first.
function compileParents(parents: readonly ParentStep[], child: string, builder: StatementBuilder): readonly string[] {
  const [parent, ...further] = parents;
  if (parent === undefined) return [];
  const conditions = [
    ...compileMeetingOf(parent, child, builder),
    ...parent.key.map((one) => `${columnReference(parent.alias, one.column)} = ${builder.bindValueOf(one, one.sqlType)}`),
    ...(parent.filter ? [compileCondition(parent.filter, builder)] : []),
    ...compileParents(further, parent.alias, builder),
  ];
  return [`exists (select from ${compileParentTable(parent, builder)} where ${conditions.join(' and ')})`];
}
