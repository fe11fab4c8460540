import { unreachable } from '../../../errors/odata-error.js';
import type { ApplyBase, ApplyPlan, ApplyStep, ConcatBranch, GroupStep } from '../../../plan/apply-plan.js';
import type { TypedExpr } from '../../../plan/typed-expr.js';
import { columnReference, identifier, type StatementBuilder } from '../../../sql/builder.js';
import { compileAggregate } from './compile-aggregate.js';
import { compileCondition, compileValue } from '../../../sql/compile-expr.js';
import { compileTraverse, compileWalkStep } from './compile-hierarchy.js';
import { compileOrder, compileTable, compileWindow } from '../../../sql/compile-clauses.js';
import { compilePlace } from '../../../sql/compile-target.js';
import { compileRank } from './compile-rank.js';
import { compileMeeting } from '../../../sql/compile-rows.js';

/** The result of `$apply` as it follows `from`: each step is a query over the one before. */
export function compileApply({ base, steps }: ApplyPlan, builder: StatementBuilder): string {
  return compileSteps(compileBase(base, builder), steps, builder);
}

function compileBase(base: ApplyBase, builder: StatementBuilder): string {
  const place = [
    ...(base.joinStep ? [compileMeeting(base.joinStep, builder)] : []),
    ...compilePlace(base, base.alias, builder),
    ...(base.filter ? [compileCondition(base.filter, builder)] : []),
  ];
  const table = base.joinStep ? compileTable(base.joinStep) : `${identifier(base.table)} ${base.alias}`;
  return place.length === 0 ? identifier(base.table) : `(select ${base.alias}.* from ${table} where ${place.join(' and ')})`;
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
      return `select ${alias}.*, ${compileColumn(step.value, builder)} as ${identifier(step.column)} ${from}${step.chained ? ' offset 0' : ''}`;
    case 'window': {
      const order = step.order.map(({ expression }) => compileValue(expression, builder));
      return `select ${alias}.* ${from}${compileOrder(step.order, order)}${compileWindow(step.limit, step.offset, builder)}`;
    }
    case 'group':
      return compileGroup(step, from, builder);
    case 'rank':
      return compileRank(step, input, builder);
    case 'walk':
      return compileWalkStep(step, input, builder, (source, steps) => compileSteps(source, steps, builder));
    case 'traverse':
      return compileTraverse(step, input, builder);
    case 'concat':
      return `with ${alias} as materialized (select * from ${input} ${alias}) ${step.branches.map((branch) => compileBranch(branch, alias, builder)).join(' union all ')}`;
    default:
      return unreachable(step);
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
    ...keys.map(({ column }, index) => `${names[index]} as ${identifier(column)}`),
    ...keys.flatMap(({ presence }, index) => (presence === undefined ? [] : [`grouping(${names[index]}) = 0 as ${identifier(presence)}`])),
    ...aggregates.map((aggregate) => `${compileAggregate(aggregate, builder)} as ${identifier(aggregate.column)}`),
  ];
  const groups = sets.map((set) => `(${set.map((index) => names[index]).join(', ')})`);
  const by = keys.length === 0 ? '' : ` group by ${groups.length === 1 ? names.join(', ') : `grouping sets (${groups.join(', ')})`}`;
  return `select ${columns.join(', ')} ${from}${by}`;
}

function compileBranch({ alias, steps, cells }: ConcatBranch, input: string, builder: StatementBuilder): string {
  const source = compileSteps(input, steps, builder);
  const columns = cells.map(
    ({ column, sqlType, value }) => `${value ? compileValue(value, builder) : `null::${sqlType}`} as ${identifier(column)}`,
  );
  return `select ${columns.join(', ')} from ${source} ${alias}`;
}
