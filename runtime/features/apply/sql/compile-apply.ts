import { isFloating, primitives } from '../../../edm/index.js';
import type { Aggregate, AggregateMethod, ApplyStep, ConcatBranch, GroupStep, Reached } from '../plan/apply-plan.js';
import type { ApplyBase, ApplyPlan } from '../../../plan/read-plan.js';
import { isPropertyType } from '../../../plan/expr-facts.js';
import type { TypedExpr } from '../../../plan/typed-expr.js';
import { quote } from '../../../schema/identifier.js';
import { columnReference, type StatementBuilder } from '../../../sql/builder.js';
import { compileOrder, compileWindow } from '../../../sql/compile-clauses.js';
import { compileCondition, compileValue } from '../../../sql/compile-expr.js';
import { compileJoinSteps } from '../../../sql/compile-rows.js';
import { compilePlace } from '../../../sql/compile-target.js';

/** An aggregated value. Sums are exact and cannot overflow. */
function compileAggregate({ method, source }: Aggregate, builder: StatementBuilder): string {
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
function compileFloat(value: TypedExpr, builder: StatementBuilder): string {
  return `(${compileValue(value, builder)})::${sumType(value)}`;
}

function sumType({ type }: TypedExpr): string {
  return isFloating(type) ? 'double precision' : 'numeric';
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
  if (!isPropertyType(type)) return 'text';
  const { sql, range } = primitives[type];
  return range === undefined ? sql : 'numeric';
}

/** The result of `$apply` as it follows `from`: each step is a query over the one before. */
export function compileApply({ base, steps }: ApplyPlan, builder: StatementBuilder): string {
  return compileSteps(compileBase(base, builder), steps as readonly ApplyStep[], builder); // As planned by `planApplied`.
}

function compileBase(base: ApplyBase, builder: StatementBuilder): string {
  const place = [...compilePlace(base, base.alias, builder), ...(base.filter ? [compileCondition(base.filter, builder)] : [])];
  return place.length === 0
    ? quote(base.table)
    : `(select ${base.alias}.* from ${quote(base.table)} ${base.alias} where ${place.join(' and ')})`;
}

function compileSteps(input: string, steps: readonly ApplyStep[], builder: StatementBuilder): string {
  return steps.reduce((source, step) => `(${compileStep(step, source, builder)})`, input);
}

function compileStep(step: ApplyStep, input: string, builder: StatementBuilder): string {
  const { alias } = step;
  const from = `from ${input} ${alias}`;
  switch (step.kind) {
    case 'filter':
      return `select ${alias}.* ${from} where ${compileCondition(step.condition, builder)}`;
    case 'compute':
      // `offset 0` keeps PostgreSQL from writing the value out wherever it is used.
      return `select ${alias}.*, ${compileColumn(step.value, builder)} as ${quote(step.column)} ${from}${step.chained ? ' offset 0' : ''}`;
    case 'window': {
      const order = step.order.map(({ expression }) => compileValue(expression, builder));
      return `select ${alias}.* ${from}${compileOrder(step.order, order)}${compileWindow(step.limit, step.offset, builder)}`;
    }
    case 'group':
      return compileGroup(step, from, builder);
    case 'concat':
      return `with ${alias} as materialized (select * from ${input} ${alias}) ${step.branches.map((branch) => compileBranch(branch, step, builder)).join(' union all ')}`;
  }
}

// A bind has the database's collation and no column's; text is compared by code point everywhere.
function compileColumn(value: TypedExpr, builder: StatementBuilder): string {
  const text = compileValue(value, builder);
  return value.type === 'Edm.String' ? `(${text} collate "C")` : text;
}

function compileGroup({ keys, sets, aggregates }: GroupStep, from: string, builder: StatementBuilder): string {
  const names = keys.map(({ key }) => columnReference(key.alias, key.column));
  const columns = [
    ...keys.map(({ column }, index) => `${names[index]} as ${quote(column)}`),
    ...keys.flatMap(({ presence }, index) => (presence === undefined ? [] : [`grouping(${names[index]}) = 0 as ${quote(presence)}`])),
    ...aggregates.map((aggregate) => `${compileAggregate(aggregate, builder)} as ${quote(aggregate.column)}`),
  ];
  const groups = sets.map((set) => `(${set.map((index) => names[index]).join(', ')})`);
  const by = keys.length === 0 ? '' : ` group by ${groups.length === 1 ? names.join(', ') : `grouping sets (${groups.join(', ')})`}`;
  return `select ${columns.join(', ')} ${from}${by}`;
}

// The columns of records are read from their table: those that the steps of a sequence add would differ. Other rows have none.
function compileBranch(
  { alias, steps, cells, records }: ConcatBranch,
  { alias: input, table }: Extract<ApplyStep, { kind: 'concat' }>,
  builder: StatementBuilder,
): string {
  const source = compileSteps(input, steps, builder);
  const columns = cells.map(
    ({ column, sqlType, value }) => `${value ? compileValue(value, builder) : `null::${sqlType}`} as ${quote(column)}`,
  );
  if (table === undefined) return `select ${columns.join(', ')} from ${source} ${alias}`;
  const id = records ? `records."#id" = ${columnReference(alias, '#id')}` : 'false';
  return `select ${columns.join(', ')}, records.* from ${source} ${alias} left join ${quote(table)} records on ${id}`;
}
