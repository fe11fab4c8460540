import { primitives } from '../edm/index.js';
import { familyOf } from '../expression/families.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';
import { compileValue } from './compile-expr.js';

const number = String.raw`'^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$'`;

/** A cast; a value that does not fit gives null, not a failure (URL conventions 5.1.1.10.1). */
export function compileCast(expr: Extract<TypedExpr, { kind: 'cast' }>, builder: StatementBuilder): string {
  const value = compileValue(expr.operand, builder);
  const { sql, range } = primitives[expr.type];
  const from = expr.operand.type;
  if (from === 'null' || from === 'polygon' || from === 'line') return `null::${sql}`;
  if (expr.type === 'Edm.String') return castToText(value, familyOf[from]);
  if (familyOf[expr.type] === 'number') return castToNumber(value, familyOf[from] === 'string', sql, range);
  const local = familyOf[from] === 'timestamp' && familyOf[expr.type] !== 'timestamp' ? `(${value} at time zone 'UTC')` : value;
  return `(${local})::${sql}`;
}

// The text is the one that a literal of the type has in a URL.
function castToText(value: string, family: string): string {
  if (family !== 'timestamp') return `((${value})::text collate "C")`;
  const seconds = `to_char((${value}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
  return `(regexp_replace(${seconds}, '\\.?0+$', '') || 'Z' collate "C")`;
}

function castToNumber(value: string, isText: boolean, sql: string, range: readonly [string, string] | undefined): string {
  const exact = isText ? `(case when (${value}) ~ ${number} then (${value})::numeric end)` : `(${value})::numeric`;
  if (range === undefined) return `(${exact})::${sql}`;
  const whole = `trunc(${exact})`;
  return `(case when ${whole} between ${range[0]} and ${range[1]} then ${whole} end)::${sql}`;
}
