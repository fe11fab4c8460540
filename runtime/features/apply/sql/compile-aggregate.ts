import { primitives } from '../../../edm/index.js';
import type { Aggregate, AggregateMethod, Reached } from '../../../plan/apply-plan.js';
import type { TypedExpr } from '../../../plan/typed-expr.js';
import { columnReference, type StatementBuilder } from '../../../sql/builder.js';
import { compileCondition, compileValue } from '../../../sql/compile-expr.js';
import { compileJoinSteps } from '../../../sql/compile-rows.js';

/** An aggregated value. Sums are exact and cannot overflow. */
export function compileAggregate({ method, source }: Aggregate, builder: StatementBuilder): string {
  if (source.kind === 'rows') return `count(*)`;
  if (source.kind === 'reached') return compileReached(method, source, builder);
  switch (method) {
    case 'sum':
      return `sum(${compileFloat(source.value, builder)})`;
    case 'average':
      return averageOf(`sum(${compileFloat(source.value, builder)})`, `count(${compileValue(source.value, builder)})`, source.value);
    case 'min':
    case 'max':
      return extremum(method, compileValue(source.value, builder), source.value);
    default:
      return `count(distinct ${compileValue(source.value, builder)})`;
  }
}

/** A number to add up: floating as double, any other as numeric. */
export function compileFloat(value: TypedExpr, builder: StatementBuilder): string {
  return `(${compileValue(value, builder)})::${sumType(value)}`;
}

function sumType({ type }: TypedExpr): string {
  return type === 'Edm.Double' || type === 'Edm.Single' ? 'double precision' : 'numeric';
}

// PostgreSQL divides to sixteen digits, which large numbers use up before the point: ten fraction digits are added.
function averageOf(sum: string, count: string, value: TypedExpr): string {
  return sumType(value) === 'numeric' ? `trim_scale(${sum} * 1.0000000000 / nullif(${count}, 0))` : `${sum} / nullif(${count}, 0)`;
}

// PostgreSQL 14 has no least truth and no least uuid.
function extremum(method: 'min' | 'max', text: string, { type }: TypedExpr): string {
  if (type === 'Edm.String') return `${method}(${text} collate "C")`;
  if (type !== 'Edm.Boolean' && type !== 'Edm.Guid') return `${method}(${text})`;
  return `(array_agg(${text} order by ${text}${method === 'max' ? ' desc nulls last' : ' nulls last'}))[1]`;
}

// Where each related entity belongs to one row, the rows' own aggregates are aggregated; otherwise entities are
// deduplicated.
function compileReached(method: AggregateMethod, source: Reached, builder: StatementBuilder): string {
  const { value } = source;
  const each = (aggregate: string): string => `(select ${aggregate} ${compileRecords(source, builder)})`;
  if (method === 'min' || method === 'max') return extremum(method, each(extremum(method, compileValue(value, builder), value)), value);
  if (!source.owned || method === 'countdistinct') return compileDistinct(method, source, builder);
  if (method === 'count') return `coalesce(sum(${each('count(*)')}), 0)`;
  const sum = `sum(${each(`sum(${compileFloat(value, builder)})`)})`;
  if (method === 'sum') return sum;
  return averageOf(sum, `sum(${each(`count(${compileValue(value, builder)})`)})`, value);
}

function compileRecords({ joinSteps, filter }: Reached, builder: StatementBuilder): string {
  return `${compileJoinSteps(joinSteps, builder)}${filter ? ` and ${compileCondition(filter, builder)}` : ''}`;
}

/** The distinct related entities, by id. */
function compileDistinct(method: AggregateMethod, source: Reached, builder: StatementBuilder): string {
  const { id, value } = source;
  const pair = `jsonb_build_array(${columnReference(id.alias, id.column)}, (${compileValue(value, builder)})::text)`;
  const pairs = `jsonb_agg((select jsonb_agg(${pair}) ${compileRecords(source, builder)}))`;
  const records = `(select distinct e ->> 0 as id, (e ->> 1)::${sqlTypeOf(value)} as v from jsonb_path_query(${pairs}, '$[*][*]') e) reached where id is not null`;
  return `(select ${distinctAggregates[method]?.(value) ?? 'count(*)'} from ${records})`;
}

const distinctAggregates: { readonly [Name in AggregateMethod]?: (value: TypedExpr) => string } = {
  countdistinct: () => 'count(distinct v)',
  sum: (value) => `sum(v::${sumType(value)})`,
  average: (value) => averageOf(`sum(v::${sumType(value)})`, 'count(v)', value),
};

function sqlTypeOf({ type }: TypedExpr): string {
  if (type === 'null' || type === 'polygon' || type === 'line') return 'text';
  const { sql, range } = primitives[type];
  return range === undefined ? sql : 'numeric';
}
