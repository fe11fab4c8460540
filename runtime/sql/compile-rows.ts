import { primitives } from '../edm/index.js';
import type { JoinStep, ItemsExpr, PropertyExpr, RelatedExpr, Rows, TypedExpr, KeyCondition } from '../plan/typed-expr.js';
import { columnReference, type StatementBuilder } from './builder.js';
import { compileHolder, compileProperty, isWithin } from './compile-path.js';
import { compileCondition, compileValue } from './compile-expr.js';
import { compileMeetingColumns, compileOrder, compileTable, compileWindow } from './compile-clauses.js';

type Quantified = Extract<TypedExpr, { kind: 'quantified' }>;

type Reached = Extract<TypedExpr, { kind: 'related' | 'exists' | 'isof' | 'count' | 'quantified' | 'items' }>;

/** A fact about related entities, or about the values of a collection. */
export function compileReached(expr: Reached, builder: StatementBuilder): string {
  switch (expr.kind) {
    case 'related':
      return compileRelated(expr, builder);
    case 'exists':
      return `exists (select ${compileJoinSteps(expr.joinSteps, builder)})`;
    case 'isof':
      return compileTypeTest(expr.alias, expr.types, builder);
    case 'count':
      return compileCount(expr.rows, builder);
    case 'quantified':
      return compileQuantified(expr, builder);
    case 'items':
      return compileItems(expr, builder);
  }
}

/** `any` is an existing element, `all` the lack of one for which the predicate is not true. */
function compileQuantified(expr: Quantified, builder: StatementBuilder): string {
  const contained = compileContained(expr, builder);
  if (contained !== undefined) return contained;
  const rows = compileRows(expr.rows, builder);
  if (expr.predicate === undefined) return `exists (select ${rows})`;
  if (expr.operator === 'any') return `exists (select ${rows} and ${compileCondition(expr.predicate, builder)})`;
  return `(not exists (select ${rows} and (${compileValue(expr.predicate, builder)}) is not true))`;
}

// `any(t:t eq 'x')` as containment, which a GIN index serves.
function compileContained({ rows, operator, predicate }: Quantified, builder: StatementBuilder): string | undefined {
  if (
    rows.kind !== 'elements' ||
    rows.joinSteps.length > 0 ||
    rows.filter !== undefined ||
    operator !== 'any' ||
    predicate?.kind !== 'comparison' ||
    predicate.operator !== 'eq'
  )
    return undefined;
  const { left, right } = predicate;
  const [element, value] = left.kind === 'literal' ? [right, left] : [left, right];
  if (element.kind !== 'column' || element.alias !== rows.alias || value.kind !== 'literal' || value.nullable) return undefined;
  if (rows.column.type !== 'Edm.String' && rows.column.enumeration === undefined) return undefined;
  const array = builder.bindValueOf(value, `${primitives[rows.column.type].sql}[]`, (text) => [text]);
  return `(${compileProperty(rows.column, builder)} @> ${array})`;
}

/** The number of entities or values; null below a missing complex value or entity. */
function compileCount(rows: Rows, builder: StatementBuilder): string {
  const count = compileNumber(rows, builder);
  return rows.kind === 'elements' && isWithin(rows.column)
    ? `(case when ${compileHolder(rows.column, builder)} is not null then ${count} end)`
    : count;
}

function compileNumber(rows: Rows, builder: StatementBuilder): string {
  if (rows.kind === 'elements' && rows.filter === undefined) {
    const whole = compileProperty(rows.column, builder);
    return isJson(rows.column) ? `coalesce(jsonb_array_length(${whole}), 0)` : `cardinality(${whole})`;
  }
  return `(select count(*) ${compileRows(rows, builder)})`;
}

/** A value of the entity at a single-valued navigation; null if there is none. */
function compileRelated(expr: RelatedExpr, builder: StatementBuilder): string {
  const value = compileValue(expr.value, builder);
  return `(select ${value} ${compileJoinSteps(expr.joinSteps, builder)})`;
}

function compileRows(rows: Rows, builder: StatementBuilder): string {
  const from = rows.kind === 'joinSteps' ? compileJoinSteps(rows.joinSteps, builder) : compileElements(rows, builder);
  return rows.filter === undefined ? from : `${from} and ${compileCondition(rows.filter, builder)}`;
}

function compileElements({ joinSteps, column, alias }: Extract<Rows, { kind: 'elements' }>, builder: StatementBuilder): string {
  const items = compileProperty(column, builder);
  // JSON null is null.
  const values = isJson(column)
    ? `(select nullif(item.value, 'null') from jsonb_array_elements(${items}) as item(value)) as ${alias}(value)`
    : `unnest(${items}) as ${alias}(value)`;
  return joinSteps.length === 0 ? `from ${values} where true` : compileJoinSteps(joinSteps, builder, ` cross join lateral ${values}`);
}

function isJson(column: PropertyExpr): boolean {
  return primitives[column.type].sql === 'jsonb';
}

// Equal items keep their order.
function compileItems({ rows, order, limit, offset }: ItemsExpr, builder: StatementBuilder): string {
  const { alias, column, filter } = rows;
  const terms = order.map(({ expression }) => compileValue(expression, builder));
  const complex = isJson(column);
  const items = compileProperty(column, builder);
  const from = complex
    ? `from (select nullif(item.value, 'null'), item.place from jsonb_array_elements(${items}) with ordinality as item(value, place)) as ${alias}(value, place)`
    : `from unnest(${items}) with ordinality as ${alias}(value, place)`;
  const where = filter === undefined ? '' : ` where ${compileCondition(filter, builder)}`;
  const by = terms.length === 0 ? ` order by ${alias}.place` : `${compileOrder(order, terms)}, ${alias}.place`;
  return `(select coalesce(${complex ? "jsonb_agg(page.value), '[]'" : "array_agg(page.value), '{}'"}) from (select ${alias}.value ${from}${where}${by}${compileWindow(limit, offset, builder)}) page)`;
}

/** `from` and `where` along navigation; the first table meets the statement around it, or is met by its key. */
export function compileJoinSteps(joinSteps: readonly JoinStep[], builder: StatementBuilder, further = ''): string {
  const [first, ...others] = joinSteps;
  if (first === undefined) return 'where true';
  const joins = others.map((joinStep) => ` join ${compileTable(joinStep)} on ${compilePlaceOf(joinStep, builder)}`);
  return `from ${compileTable(first)}${joins.join('')}${further} where ${compilePlaceOf(first, builder)}`;
}

/** The conditions that identify a join step's rows within their table. */
export function compilePlaceOf(joinStep: JoinStep, builder: StatementBuilder): string {
  const { alias, key = [] } = joinStep;
  if (key === 'none') return 'false';
  return (
    [
      ...(joinStep.on.length === 0 && joinStep.types === undefined && joinStep.through === undefined
        ? []
        : [compileMeeting(joinStep, builder)]),
      ...compileKeyAt(alias, key, builder),
    ].join(' and ') || 'true'
  );
}

/** The conditions that a key makes on a row. */
export function compileKeyAt(alias: string, key: readonly KeyCondition[], builder: StatementBuilder): readonly string[] {
  return key.map((one) => `${columnReference(alias, one.column)} = ${builder.bindValueOf(one, one.sqlType)}`);
}

/** The condition of a join step: the columns of its two tables, the types of a cast, and a condition on the source row. */
export function compileMeeting(joinStep: JoinStep, builder: StatementBuilder): string {
  const { alias, types, given } = joinStep;
  return [
    ...compileMeetingColumns(joinStep),
    ...(types ? [compileTypeTest(alias, types, builder)] : []),
    ...(given ? [compileCondition(given, builder)] : []),
  ].join(' and ');
}

/** Whether a record is of one of the types. */
export function compileTypeTest(alias: string, types: readonly string[], builder: StatementBuilder): string {
  return `(${columnReference(alias, '#type')} = any(${builder.bind(types, 'text[]')}))`;
}
