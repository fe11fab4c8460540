import { errors } from '../../errors/catalogue.js';
import type { AggregateExpr } from '../../expression/ast.js';
import type { Aggregate } from '../apply-plan.js';
import { checkAggregate } from './check-aggregate.js';
import { elementRange } from './check-collection.js';
import { resolvePath, type PathTarget } from './check-path.js';
import { memberScope, type Scope } from '../scope.js';
import { within } from './check-property.js';
import type { AggregatedExpr, TypedExpr } from '../typed-expr.js';
import { enumerationOf, ofEnumeration } from '../expr-facts.js';

/** `Media/aggregate(Order with max)`: one value of all records that a path leads to (Data Aggregation 3.6.1). */
export function checkAggregated(expr: AggregateExpr, scope: Scope): TypedExpr {
  if (ofThese(expr)) return scope.these?.(expr) ?? refuseThese(scope);
  const name = expr.source.path.map((segment) => segment.name).join('/');
  const target = resolvePath(expr.source, scope);
  if (target.kind === 'elements') return ofItems(expr, target, scope);
  const last = target.kind === 'records' ? target.hops.at(-1) : undefined;
  if (target.kind !== 'records' || last === undefined) {
    throw errors.typeMismatch(`aggregate needs a collection before it, and ${name} is none, at position ${expr.at + 1}.`).at(scope.option);
  }
  const inner = memberScope(scope, { kind: 'record', source: last, type: target.type });
  const { value, ...aggregate } = apart(checkAggregate(asItem(expr), 'value', inner), scope);
  const rows = { kind: 'hops', hops: target.hops.slice(-1), ...(target.filter && { filter: target.filter }) } as const;
  // As with $count, what belongs to no record has no value.
  return within(target.hops.slice(0, -1), aggregated(rows, aggregate, value));
}

// The values of a collection, each of which is `$this`, or what lies within them where they are complex.
function ofItems(expr: AggregateExpr, target: Extract<PathTarget, { kind: 'elements' }>, scope: Scope): TypedExpr {
  const { rows, variable } = elementRange({ ...target, hops: [] }, scope);
  const { value, ...aggregate } = apart(checkAggregate(asItem(expr), 'value', memberScope(scope, variable)), scope);
  return within(target.hops, aggregated(rows, aggregate, value));
}

function aggregated(rows: AggregatedExpr['rows'], aggregate: Aggregate, value: AggregatedExpr['value']): AggregatedExpr {
  const { type, enumeration } = aggregate;
  return {
    kind: 'aggregated',
    type,
    ...ofEnumeration(enumeration),
    nullable: isNullable(aggregate),
    rows,
    aggregate,
    ...(value && { value }),
  };
}

// SQL aggregates in the statement around it what is made of that one's columns alone, such as `$it/City`.
function apart(aggregate: Aggregate, { aliases }: Scope): Aggregate & Pick<AggregatedExpr, 'value'> {
  const { source } = aggregate;
  if (source.kind !== 'value' || source.value.type === 'null' || source.value.type === 'polygon' || source.value.type === 'line')
    return aggregate;
  const alias = aliases.next();
  const { type, nullable } = source.value;
  const column: TypedExpr = {
    kind: 'column',
    type,
    ...ofEnumeration(enumerationOf(source.value)),
    collection: false,
    nullable,
    alias,
    column: 'v',
  };
  return { ...aggregate, source: { kind: 'value', value: column }, value: { alias, expression: source.value } };
}

/** Whether it is a value of the set that the transformation around it takes. */
export function ofThese({ source: { base, path } }: AggregateExpr): boolean {
  return base === undefined && path.length === 1 && path[0]?.name === '$these';
}

/** The same as an item of `aggregate`, whose name nobody writes. */
export function asItem({ at, expression, method }: AggregateExpr): Parameters<typeof checkAggregate>[0] {
  return { at, expression, from: [], alias: '#', ...(method !== undefined && { method }) };
}

/** Nothing has a number of zero and no other value. */
export function isNullable({ method }: Pick<ReturnType<typeof checkAggregate>, 'method'>): boolean {
  return method !== 'count' && method !== 'countdistinct';
}

function refuseThese({ option }: Scope): never {
  throw errors
    .badOption(
      '$these is the set that a transformation of $apply takes: write $apply=filter(‹number› gt $these/aggregate(‹number› with average)).',
    )
    .at(option);
}
