import type { ComplexType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { CommonExpr, CountOptions, PathSegment } from '../../expression/ast.js';
import { isMethod } from '../../expression/methods.js';
import { planItemSearch } from '../plan-search.js';
import { memberScope, type Scope } from '../scope.js';
import type { JoinStep, PropertyExpr, TypedExpr } from '../typed-expr.js';
import { isPresent } from '../value/check-literal.js';
import { castOf, elementVariable, within } from './check-property.js';
import { both } from '../expr-facts.js';
import type { PathTarget } from './resolved-path.js';

/** A collection of values that a path has reached, and the records on the way to it. */
interface ValueItems {
  readonly name: string;
  readonly column: PropertyExpr;
  readonly joinSteps: readonly JoinStep[];
  readonly complex?: ComplexType;
  /** Which items `/$filter(...)` and casts leave, where the items are rows of that alias. */
  readonly kept?: { readonly alias: string; readonly filter: TypedExpr };
}

/** Continues a path after a collection of values: a filter, a cast, or the number of items. */
export function itemsTarget(items: ValueItems, [next, ...further]: readonly PathSegment[], scope: Scope): PathTarget {
  const { name, complex, ...reached } = items;
  if (next === undefined) return { kind: 'elements', ...reached, ...(complex && { complex }) };
  if (next.filter) return itemsTarget(filtered(items, next.filter, scope), further, scope);
  if (next.name === '$count' && further.length === 0) return { kind: 'value', expr: countOf(items, next.options ?? {}, scope) };
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
function countOf(items: ValueItems, { filter: condition, search }: CountOptions, scope: Scope): TypedExpr {
  const { column, joinSteps, kept: left } = condition ? filtered(items, condition, scope) : items;
  const alias = left?.alias ?? scope.aliases.next();
  const filter = both(left?.filter, search && planItemSearch(search, elementVariable(column, alias, {}).value));
  return within(joinSteps, {
    kind: 'count',
    type: 'Edm.Int64',
    nullable: column.kind === 'path',
    rows: { kind: 'elements', joinSteps: [], alias, column, ...(filter && { filter }) },
  });
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
