import { planHooks } from '../hooks.js';
import type { ComplexType } from '../../edm/entity-type.js';
import { errors } from '../../errors/catalogue.js';
import { located } from '../../errors/odata-error.js';
import type { CommonExpr, CountOptions, PathSegment } from '../../expression/ast.js';
import { isMethod } from '../../expression/methods.js';
import { both, logical, countOf } from '../expr-facts.js';
import { memberScope, type PathTarget, type RecordRows, type Scope } from '../scope.js';
import type { JoinStep, TypedExpr, Rows } from '../typed-expr.js';
import { isPresent } from '../value/check-literal.js';
import { castOf, elementVariable, within } from './property-expr.js';
import { castSegment } from '../path/type-cast.js';

/** The continuation of a path after a collection of entities: a filter, a cast, or `$count`. */
export function recordsTarget(rows: RecordRows, rest: readonly PathSegment[], scope: Scope): PathTarget {
  return located(rest[0], () => withinRecords(rows, rest, scope));
}

function withinRecords(rows: RecordRows, [next, ...further]: readonly PathSegment[], scope: Scope): PathTarget {
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
  return { kind: 'value', expr: countOfRecords(withOptions(rows, next.options ?? {}, scope)) };
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
  return search ? withCondition(filtered, planHooks.get('search').plan(search, rows.type, sourceOf(rows), scope)) : filtered;
}

// The count below a missing entity is null (URL conventions 5.1.1.15): `Other/Parts/$count` without Other.
function countOfRecords({ joinSteps, filter }: RecordRows): TypedExpr {
  const rows: Rows = { kind: 'joinSteps', joinSteps: joinSteps.slice(-1), ...(filter && { filter }) };
  return within(joinSteps.slice(0, -1), countOf(rows));
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
  return { joinSteps, type, filter: filter === undefined ? right : logical('and', filter, right) };
}

/** The same way, to records of the types that a cast leaves. */
export function castLast(joinSteps: readonly JoinStep[], types: readonly string[]): readonly JoinStep[] {
  return joinSteps.map((joinStep, index) => (index === joinSteps.length - 1 ? { ...joinStep, types } : joinStep));
}

/** A collection of values that a path has reached, and the records on the way to it. */
interface ValueItems extends Omit<Extract<PathTarget, { kind: 'elements' }>, 'kind'> {
  readonly name: string;
}

/** Continues a path after a collection of values: a filter, a cast, or the number of items. */
export function itemsTarget(items: ValueItems, rest: readonly PathSegment[], scope: Scope): PathTarget {
  return located(rest[0], () => withinItems(items, rest, scope));
}

function withinItems(items: ValueItems, [next, ...further]: readonly PathSegment[], scope: Scope): PathTarget {
  const { name, complex, ...reached } = items;
  if (next === undefined) return { kind: 'elements', ...reached, ...(complex && { complex }) };
  if (next.filter) return itemsTarget(filtered(items, next.filter, scope), further, scope);
  if (next.name === '$count' && further.length === 0) return { kind: 'value', expr: countOfItems(items, next.options ?? {}, scope) };
  if (complex && next.name.includes('.') && !next.parentheses)
    return itemsTarget(cast({ ...items, complex }, next.name, scope), further, scope);
  throw complex ? notOne(name, next, scope) : errors.unknownName(next.name, name, itemsHint(name, next.name)).at(scope.option);
}

function filtered(items: ValueItems, condition: CommonExpr, scope: Scope): ValueItems {
  const alias = items.kept?.alias ?? scope.aliases.next();
  return kept(items, alias, scope.checks.condition(condition, memberScope(scope, elementVariable(items.column, alias, items))));
}

// Items of other types are left out (URL conventions 4.11).
function cast(items: ValueItems & { readonly complex: ComplexType }, name: string, scope: Scope): ValueItems {
  const alias = items.kept?.alias ?? scope.aliases.next();
  const { value, complex } = castOf(elementVariable(items.column, alias, items).value, items.complex, name, scope);
  if (complex === items.complex) return items;
  return { ...kept(items, alias, isPresent(value)), complex };
}

function kept(items: ValueItems, alias: string, right: TypedExpr): ValueItems {
  return { ...items, kept: { alias, filter: both(items.kept?.filter, right) ?? right } };
}

// The collection of a missing entity or complex value is null, and so is its count (URL conventions 5.1.1.15).
function countOfItems(items: ValueItems, { filter: condition, search }: CountOptions, scope: Scope): TypedExpr {
  const { column, joinSteps, kept: left } = condition ? filtered(items, condition, scope) : items;
  const alias = left?.alias ?? scope.aliases.next();
  const filter = both(left?.filter, search && planHooks.get('search').planItems(search, elementVariable(column, alias, {}).value));
  const rows: Rows = { kind: 'elements', joinSteps: [], alias, column, ...(filter && { filter }) };
  return within(joinSteps, countOf(rows, column.kind === 'path'));
}

// A function takes one of the items, and their number is no function.
function itemsHint(owner: string, name: string): string {
  if (/^(?:length|size|count)$/i.test(name)) return ` Write ${owner}/$count.`;
  if (/^(?:any|all)$/i.test(name)) return ` Write ${owner}/${name.toLowerCase()}(x:x eq 'value').`;
  return isMethod(name.toLowerCase()) ? ` Write ${owner}/any(x:${name.toLowerCase()}(x,...)).` : '';
}

function notOne(name: string, next: PathSegment, { option }: Scope): Error {
  const way = option === '$filter' ? `; use ${name}/any or ${name}/all` : '';
  return errors.typeMismatch(`${next.name} needs a single value before it, but ${name} is a collection${way}.`).at(option);
}
