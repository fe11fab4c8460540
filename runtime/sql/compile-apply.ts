import { unreachable } from '../errors/unreachable.js';
import type { ApplyBase, ApplyPlan, ApplyStep, ConcatBranch, GroupStep, JoinStep, TheseStep } from '../plan/apply-plan.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import { columnReference, identifier, type StatementBuilder } from './builder.js';
import { compileAggregate } from './compile-aggregate.js';
import { compileCondition, compileValue } from './compile-expr.js';
import { compileTraverse, compileWalkStep } from './compile-hierarchy.js';
import { compileOrder, compileWindow } from './compile-order.js';
import { compilePlace } from './compile-place.js';
import { compileRollup, compileRestore } from './compile-rollup.js';
import { compileRank } from './compile-rank.js';
import { compileMeeting } from './compile-rows.js';
import { compileTable } from './compile-tables.js';

/** The set that `$apply` makes, as it stands behind `from`: each step reads the one before as a subquery. */
export function compileApply({ base, steps }: ApplyPlan, builder: StatementBuilder): string {
  return compileSteps(compileBase(base, builder), steps, builder);
}

function compileBase(base: ApplyBase, builder: StatementBuilder): string {
  if (base.cross) return compileCross(base.cross);
  const place = [
    ...(base.hop ? [compileMeeting(base.hop, builder)] : []),
    ...compilePlace(base, base.alias, builder),
    ...(base.filter ? [compileCondition(base.filter, builder)] : []),
  ];
  const table = base.hop ? compileTable(base.hop, builder) : `${identifier(base.table)} ${base.alias}`;
  return place.length === 0 ? identifier(base.table) : `(select ${base.alias}.* from ${table} where ${place.join(' and ')})`;
}

// PostgreSQL takes such a subquery apart, so that only what is used of it is read.
function compileCross({ sets, columns }: NonNullable<ApplyBase['cross']>): string {
  const cells = columns.map(({ alias, column, as }) => `${columnReference(alias, column)} as ${identifier(as)}`);
  return `(select ${cells.join(', ')} from ${sets.map(({ type, alias }) => `${identifier(type.table)} ${alias}`).join(' cross join ')})`;
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
    case 'these':
      return compileThese(step, input, builder);
    case 'walk':
      return compileWalkStep(step, input, builder, (source, steps) => compileSteps(source, steps, builder));
    case 'rollup':
      return compileRollup(step, input, builder);
    case 'restore':
      return compileRestore(step, input);
    case 'traverse':
      return compileTraverse(step, input, builder);
    case 'join':
      return compileJoin(step, from, builder);
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

// The related records are looked up row by row where only some of them are kept, and else joined as PostgreSQL likes.
function compileJoin(
  { alias, hop, column, outer, filter, order, number, limit, offset }: JoinStep,
  from: string,
  builder: StatementBuilder,
): string {
  const where = `${compileMeeting(hop, builder)}${filter ? ` and ${compileCondition(filter, builder)}` : ''}`;
  const columns = `${alias}.*, ${columnReference(hop.alias, '#id')} as ${identifier(column)}`;
  const join = outer ? 'left join' : 'join';
  const table = compileTable(hop, builder);
  if (number === undefined && limit === undefined && offset === undefined) return `select ${columns} ${from} ${join} ${table} on ${where}`;
  const sorted = compileOrder(
    order,
    order.map(({ expression }) => compileValue(expression, builder)),
  );
  const counted = number === undefined ? '' : `, row_number() over (${sorted}) as ${identifier(number)}`;
  const records = `(select ${hop.alias}.*${counted} from ${table} where ${where}${sorted}${compileWindow(limit, offset, builder)})`;
  const numbered = number === undefined ? '' : `, ${columnReference(hop.alias, number)}`;
  return `select ${columns}${numbered} ${from} ${join} lateral ${records} ${hop.alias} on true`;
}

function compileGroup({ keys, sets, aggregates, live }: GroupStep, from: string, builder: StatementBuilder): string {
  const names = keys.map(({ key }) => columnReference(key.alias, key.column));
  const alive = live && columnReference(live.alias, live.column);
  const columns = [
    ...keys.map(({ column }, index) => `${names[index]} as ${identifier(column)}`),
    ...keys.flatMap(({ presence }, index) => (presence === undefined ? [] : [`grouping(${names[index]}) = 0 as ${identifier(presence)}`])),
    ...aggregates.map((aggregate) => `${compileAggregate(aggregate, alive, builder)} as ${identifier(aggregate.column)}`),
  ];
  const groups = sets.map((set) => `(${set.map((index) => names[index]).join(', ')})`);
  const by = keys.length === 0 ? '' : ` group by ${groups.length === 1 ? names.join(', ') : `grouping sets (${groups.join(', ')})`}`;
  return `select ${columns.join(', ')} ${from}${by}`;
}

// The groups of the keys are met by their text as an array, in which null equals null and which can be hashed.
function compileThese({ alias, column, keys, aggregate, live }: TheseStep, input: string, builder: StatementBuilder): string {
  const value = `${compileAggregate(aggregate, live && columnReference(live.alias, live.column), builder)} as v`;
  const whole = `with ${alias} as materialized (select * from ${input} ${alias}) select ${alias}.*, whole.v as ${identifier(column)} from ${alias}`;
  if (keys.length === 0) return `${whole} cross join (select ${value} from ${alias}) whole`;
  const key = `array[${keys.map((one) => `${columnReference(one.alias, one.column)}::text`).join(', ')}]`;
  return `${whole} join (select ${key} as k, ${value} from ${alias} group by 1) whole on whole.k = ${key}`;
}

function compileBranch({ alias, steps, cells }: ConcatBranch, input: string, builder: StatementBuilder): string {
  const source = compileSteps(input, steps, builder);
  const columns = cells.map(
    ({ column, sqlType, value }) => `${value ? compileValue(value, builder) : `null::${sqlType}`} as ${identifier(column)}`,
  );
  return `select ${columns.join(', ')} from ${source} ${alias}`;
}
