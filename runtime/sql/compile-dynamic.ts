import { primitives } from '../edm/index.js';
import type { DynamicExpr, JsonPath, TypedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';
import { compileCast } from './compile-cast.js';
import { compileJoinSteps } from './compile-rows.js';
import { jsonAt } from './compile-path.js';
import { pointOfJson } from './json-shape.js';

/** A dynamic property in its type; null where it is missing or has another type. */
export function compileDynamic(expr: DynamicExpr, builder: StatementBuilder): string {
  const { type } = expr;
  if (type === 'null' || expr.text) return `(${compileJson(expr, '->>', builder)} collate "C")`;
  const { cell, rank } = primitives[type];
  if (cell === 'complex') return compileJson(expr, '->', builder);
  // JSON null is null.
  if (cell === 'json') return `nullif(${compileJson(expr, '->', builder)}, 'null')`;
  if (cell === 'string') return guarded(expr, 'string', `(v #>> '{}') collate "C"`, builder);
  if (cell === 'boolean') return guarded(expr, 'boolean', `(v #>> '{}')::boolean`, builder);
  if (rank !== undefined) return guarded(expr, 'number', `(v #>> '{}')::numeric`, builder);
  if (cell === 'point') return `(select ${pointOfJson('v')} from (select ${compileJson(expr, '->', builder)} as v offset 0) dynamic)`;
  const operand: TypedExpr = { ...expr, type: 'Edm.String' };
  return compileCast({ kind: 'cast', type, nullable: true, operand }, builder);
}

function wholeJson(place: JsonPath, operator: '->' | '->>', builder: StatementBuilder): string {
  return operator === '->' ? jsonAt(place, builder) : `(${jsonAt(place, builder)} #>> '{}')`;
}

function guarded(expr: DynamicExpr, kind: string, value: string, builder: StatementBuilder): string {
  return `(select case when jsonb_typeof(v) = '${kind}' then ${value} end from (select ${compileJson(expr, '->', builder)} as v offset 0) dynamic)`;
}

/** The items of a dynamic property; none where it is no array. */
export function compileDynamicItems(expr: DynamicExpr, builder: StatementBuilder): string {
  return guarded(expr, 'array', 'v', builder);
}

// The names are the client's, so they are bound.
function compileJson({ joinSteps, names, ...place }: DynamicExpr, operator: '->' | '->>', builder: StatementBuilder): string {
  const steps = names.map((name) => builder.bind(name, 'text'));
  const last = steps.pop();
  const value =
    last === undefined ? wholeJson(place, operator, builder) : `(${[jsonAt(place, builder), ...steps].join(' -> ')} ${operator} ${last})`;
  return joinSteps.length === 0 ? value : `(select ${value} ${compileJoinSteps(joinSteps, builder)})`;
}
