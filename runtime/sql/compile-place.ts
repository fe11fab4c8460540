import type { ParentStep, ReadPlan } from '../plan/read-plan.js';
import { columnReference, type StatementBuilder } from './builder.js';
import { compileCondition } from './compile-expr.js';
import { compileParentColumns, compileParentTable } from './compile-tables.js';

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
    ...compileParentColumns(parent, child),
    ...parent.key.map((one) => `${columnReference(parent.alias, one.column)} = ${builder.bindValueOf(one, one.sqlType)}`),
    ...(parent.filter ? [compileCondition(parent.filter, builder)] : []),
    ...compileParents(further, parent.alias, builder),
  ];
  return [`exists (select from ${compileParentTable(parent)} where ${conditions.join(' and ')})`];
}
