import { primitives } from '../edm/index.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';
import { compileCondition, compileNumber, compileValue } from './compile-expr.js';

type Case = Extract<TypedExpr, { kind: 'case' }>;

/** The value of the first true condition; numbers in one type, text compared by code point. */
export function compileCase({ type, branches }: Case, builder: StatementBuilder): string {
  const numeric = primitives[type].rank !== undefined;
  const sqlType = type === 'Edm.Double' ? 'double precision' : 'numeric';
  const compiled = branches.map(({ condition, value }) => {
    const when = compileCondition(condition, builder);
    return `when ${when} then ${numeric ? compileNumber(value, sqlType, builder) : compileValue(value, builder)}`;
  });
  const text = `(case ${compiled.join(' ')} end)`;
  return type === 'Edm.String' ? `(${text} collate "C")` : text;
}
