import { errors } from '../../errors/catalogue.js';
import type { CommonExpr, CountOptions, PathSegment } from '../../expression/ast.js';
import { planSearch } from '../plan-search.js';
import { memberScope, type Scope } from '../scope.js';
import type { JoinStep, TypedExpr } from '../typed-expr.js';
import { within } from './check-property.js';
import { castSegment } from './type-cast.js';
import type { PathTarget, RecordRows } from './resolved-path.js';

/** The continuation of a path after a collection of entities: a filter, a cast, or `$count`. */
export function recordsTarget(rows: RecordRows, [next, ...further]: readonly PathSegment[], scope: Scope): PathTarget {
  if (next === undefined) return { kind: 'records', ...rows };
  if (next.filter) return recordsTarget(withFilter(rows, next.filter, scope), further, scope);
  const cast = castSegment(next.name, rows.type, scope.container);
  if (cast)
    return recordsTarget(cast.types ? { ...rows, type: cast.type, joinSteps: castLast(rows.joinSteps, cast.types) } : rows, further, scope);
  if (next.name !== '$count' || further.length > 0) {
    throw errors
      .typeMismatch(`${next.name} needs a single record before it, but the path is a collection; write ${insteadOf(next, scope)} instead.`)
      .at(scope.option);
  }
  return { kind: 'value', expr: countOf(withOptions(rows, next.options ?? {}, scope)) };
}

function insteadOf({ name }: PathSegment, { option }: Scope): string {
  if (/^(?:length|size|count)$/i.test(name)) return '$count';
  if (/^(?:any|all)$/i.test(name)) return `${name.toLowerCase()}(x:x/‹relatedNumber› eq 1)`;
  return option === '$orderby' || option === '$compute'
    ? `aggregate(${name} with max), or min`
    : `any(x:x/${name} ...) or all(x:x/${name} ...)`;
}

function withOptions(rows: RecordRows, { filter, search }: CountOptions, scope: Scope): RecordRows {
  const filtered = filter ? withFilter(rows, filter, scope) : rows;
  return search ? withCondition(filtered, planSearch(search, rows.type, sourceOf(rows), scope)) : filtered;
}

// The count below a missing entity is null (URL conventions 5.1.1.15): `Other/Parts/$count` without Other.
function countOf({ joinSteps, filter }: RecordRows): TypedExpr {
  const count: TypedExpr = {
    kind: 'count',
    type: 'Edm.Int64',
    nullable: false,
    rows: { kind: 'joinSteps', joinSteps: joinSteps.slice(-1), ...(filter && { filter }) },
  };
  return within(joinSteps.slice(0, -1), count);
}

function withFilter(rows: RecordRows, condition: CommonExpr, scope: Scope): RecordRows {
  return withCondition(
    rows,
    scope.checks.condition(condition, memberScope(scope, { kind: 'record', source: sourceOf(rows), type: rows.type })),
  );
}

function sourceOf({ joinSteps }: RecordRows): JoinStep {
  const source = joinSteps.at(-1);
  if (source === undefined) throw new Error('The collection of records has no join.');
  return source;
}

function withCondition({ joinSteps, type, filter }: RecordRows, right: TypedExpr): RecordRows {
  if (filter === undefined) return { joinSteps, type, filter: right };
  return {
    joinSteps,
    type,
    filter: { kind: 'logical', type: 'Edm.Boolean', nullable: filter.nullable || right.nullable, operator: 'and', left: filter, right },
  };
}

/** The same way, to records of the types that a cast leaves. */
export function castLast(joinSteps: readonly JoinStep[], types: readonly string[]): readonly JoinStep[] {
  return joinSteps.map((joinStep, index) => (index === joinSteps.length - 1 ? { ...joinStep, types } : joinStep));
}
