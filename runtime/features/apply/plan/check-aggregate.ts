import { planHooks } from '../../../plan/hooks.js';
import type { EntityType, EnumType, PrimitiveTypeName } from '../../../edm/index.js';
import { fieldOf, isFloating, navigationOf, own, primitives, targetOf } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { located } from '../../../errors/odata-error.js';
import { suggestion } from '../../../errors/suggest.js';
import type { CommonExpr, PathSegment, SearchExpr } from '../../../expression/ast.js';
import { familyNames } from '../../../expression/methods.js';
import { printExpr } from '../../../expression/print.js';
import type { AggregateItem } from '../../../uri/query-options.js';
import type { Aggregate, AggregateMethod, AggregateSource } from './apply-plan.js';
import { accessTo } from '../../../plan/caller.js';
import { checkCondition, checkExpr } from '../../../plan/check/check-expr.js';
import { asText, isUntyped, typedNull } from '../../../plan/value/check-literal.js';
import { joinAlong } from '../../../plan/path/navigation-join.js';
import { memberScope, noteRestricted, recordAt, type Scope, mismatchAt } from '../../../plan/scope.js';
import type { JoinStep, TypedExpr } from '../../../plan/typed-expr.js';
import { enumerationOf, isPropertyType, ofEnumeration, both, familyOfExpr, internalColumn } from '../../../plan/expr-facts.js';
import { nameOf } from '../../../plan/shown-path.js';
import { refuseUnplannedPath } from '../../../plan/check/unplanned.js';

type Method = Exclude<AggregateMethod, 'count'>;

/** The operands that each method accepts. */
const accepts: { readonly [Name in Method]: (expr: TypedExpr) => boolean } = {
  sum: (expr) => familyOfExpr(expr) === 'number',
  average: (expr) => familyOfExpr(expr) === 'number',
  min: (expr) => isOrdered(expr),
  max: (expr) => isOrdered(expr),
  countdistinct: (expr) => isOrdered(expr) || familyOfExpr(expr) === 'binary',
};

function isOrdered({ type }: TypedExpr): boolean {
  return isPropertyType(type) && primitives[type].ordered;
}

/** One item of `aggregate`: its value resolved, its method known, its alias there (Data Aggregation 3.2.1). */
export function checkAggregate(item: AggregateItem, column: string, scope: Scope): Aggregate & { readonly alias: string } {
  return located(item, () => checkItem(item, column, scope));
}

function checkItem(item: AggregateItem, column: string, scope: Scope): Aggregate & { readonly alias: string } {
  const { alias } = item;
  const { source, method } = sourceOf(item, scope);
  if (alias === undefined) throw mismatchAt(item.at, scope, 'aggregate needs an alias for its value: write ... as Name');
  return { alias, column, method, source, type: resultType(method, source), ...ofEnumeration(resultEnumeration(method, source)) };
}

interface Aggregated {
  readonly source: AggregateSource;
  readonly method: AggregateMethod;
}

function sourceOf(item: AggregateItem, scope: Scope): Aggregated {
  const { expression } = item;
  if (expression.kind !== 'member' || expression.base) return ofValue(expression, item, scope);
  refuseUnplannedPath(expression, scope);
  const reach = follow(expression.path, scope);
  const counts = expression.path.at(-1)?.name === '$count';
  if (counts && item.method !== undefined)
    throw mismatchAt(item.at, scope, '$count has no aggregation method', `; write ${nameOf(expression)} as Name.`);
  if (reach.joinSteps.length > 0) return reached(reach, { ...expression, path: reach.rest }, item, scope);
  if (counts && expression.path.length === 1) return { source: { kind: 'rows' }, method: 'count' };
  return ofValue(expression, counts ? { ...item, method: 'sum' } : item, scope);
}

function ofValue(expression: CommonExpr, item: AggregateItem, scope: Scope): Aggregated {
  requireNoCustom(expression, item, scope);
  const value = aggregated(checkExpr(expression, scope), item, scope);
  return { source: { kind: 'value', value }, method: requireMethod(item, value, scope) };
}

// A name without a method is a custom aggregate (Data Aggregation 3.2.1.2), which the service does not have.
function requireNoCustom(expression: CommonExpr, { method, at }: AggregateItem, { implicit, option }: Scope): void {
  const name = expression.kind === 'member' && expression.path.length === 1 ? expression.path[0]?.name : undefined;
  if (
    method !== undefined ||
    name === undefined ||
    name.startsWith('$') ||
    name.toLowerCase() === 'count' ||
    implicit.kind !== 'record' ||
    fieldOf(implicit.type, name) ||
    implicit.computed?.find(name)
  )
    return;
  throw errors
    .unknownName(
      `custom aggregate ${name}`,
      implicit.type.name,
      ` Name a property and one of the methods ${Object.keys(accepts).join(', ')}, at position ${at + 1}, as in ‹number› with sum as Total.`,
    )
    .at(option);
}

// Sums are of numbers. Of values of any type none is the least (as texts, 12 would come before 5), but texts can be counted.
function aggregated(value: TypedExpr, { method, expression, at }: AggregateItem, { option }: Scope): TypedExpr {
  if (method === 'sum' || method === 'average') return typedNull(value, 'Edm.Decimal');
  if (!isUntyped(value) || method === 'countdistinct' || method === undefined) return asText(value);
  throw mismatchAt(
    at,
    { option },
    `${method} needs values of one type, but ${printExpr(expression)} is dynamic`,
    `: write cast(${printExpr(expression)},Edm.Decimal) with ${method} as Name, or another type.`,
  );
}

/** The result of following navigation properties. */
interface Reach {
  readonly joinSteps: readonly JoinStep[];
  readonly last: { readonly alias: string; readonly type: EntityType };
  readonly owned: boolean;
  /** The condition of `/$filter(...)` and of the options of `$count`. */
  readonly filter?: TypedExpr;
  readonly rest: readonly PathSegment[];
}

function follow(path: readonly PathSegment[], scope: Scope): Reach {
  const { implicit } = scope;
  if (implicit.kind !== 'record') throw new Error('$apply starts with records.');
  let reach: Reach = { joinSteps: [], last: { alias: implicit.source.alias, type: implicit.type }, owned: true, rest: path };
  for (let next = step(reach, scope); next !== undefined; next = step(reach, scope)) reach = next;
  return reach;
}

function step(reach: Reach, scope: Scope): Reach | undefined {
  const { joinSteps, last, owned, rest, filter } = reach;
  const [segment, ...further] = rest;
  if (segment?.filter && joinSteps.length > 0) return { ...reach, ...narrowed(reach, segment.filter, undefined, scope), rest: further };
  if (segment?.options && joinSteps.length > 0)
    return {
      ...reach,
      ...narrowed(reach, segment.options.filter, segment.options.search, scope),
      rest: [{ name: segment.name, at: segment.at }, ...further],
    };
  const navigation = segment && navigationOf(last.type, segment.name);
  if (segment === undefined || navigation === undefined) return undefined;
  noteRestricted(scope, last.type, segment.name);
  const type = targetOf(scope.container, navigation);
  if (!accessTo(type, 'read', scope.caller).allowed) scope.onRestricted(segment.name);
  const joinStep = joinAlong(navigation, type, last.alias, scope.aliases);
  // A record that refers to its owner's immutable number has one owner only.
  const belongs =
    navigation.collection === true && navigation.through === undefined && Object.keys(navigation.join).every((column) => column === '#id');
  return {
    joinSteps: [...joinSteps, joinStep],
    last: { alias: joinStep.alias, type },
    owned: owned && belongs,
    ...(filter && { filter }),
    rest: further,
  };
}

// Names are those of the records that the path has come to.
function narrowed(
  { last, filter }: Reach,
  condition: CommonExpr | undefined,
  search: SearchExpr | undefined,
  scope: Scope,
): Pick<Reach, 'filter'> {
  const inner = memberScope({ ...scope, variables: new Map() }, recordAt(last));
  const kept = [
    filter,
    condition && checkCondition(condition, inner),
    search && planHooks.get('search').plan(search, last.type, { alias: last.alias, table: last.type.table }, scope),
  ].reduce(both);
  return kept ? { filter: kept } : {};
}

function reached({ joinSteps, last, owned, filter }: Reach, expression: CommonExpr, item: AggregateItem, scope: Scope): Aggregated {
  const id = internalColumn(last.alias);
  const source = { kind: 'reached', joinSteps, id, value: id, owned, ...(filter && { filter }) } as const;
  const path = expression.kind === 'member' ? expression.path : undefined;
  if (path?.length === 0) return { source, method: requireRecordMethod(item, scope) };
  if (path?.length === 1 && path[0]?.name === '$count') return { source, method: 'count' };
  const value = aggregated(checkExpr(expression, { ...scope, implicit: recordAt(last), variables: new Map() }), item, scope);
  return { source: { ...source, value }, method: path?.at(-1)?.name === '$count' ? 'sum' : requireMethod(item, value, scope) };
}

function requireRecordMethod({ method, at }: AggregateItem, scope: Scope): AggregateMethod {
  if (method === 'countdistinct') return method;
  throw mismatchAt(at, scope, 'Records can only be counted', ': use countdistinct or $count.');
}

function requireMethod({ method, at }: AggregateItem, value: TypedExpr, scope: Scope): Method {
  if (method === undefined) throw mismatchAt(at, scope, 'aggregate needs a method', ': write ... with sum as Name.');
  if (method.includes('.'))
    throw errors.notImplemented(`The aggregation method ${method}`, `The methods are ${Object.keys(accepts).join(', ')}.`).at(scope.option);
  if (own(accepts, method) === undefined)
    throw errors.unknownName(`aggregation method ${method}`, 'OData', suggestion(method, Object.keys(accepts))).at(method);
  const known = method as Method; // The name is a key of the table that the type lists.
  if (accepts[known](value)) return known;
  const family = familyOfExpr(value);
  throw mismatchAt(at, scope, `${method} cannot aggregate ${family === undefined ? 'null' : familyNames[family]}`);
}

// Counts are decimals by the standard (Data Aggregation 3.2.1.3.5 and 3.2.1.4); sums are, so that none overflows.
function resultType(method: AggregateMethod, source: AggregateSource): PrimitiveTypeName {
  if (method === 'count' || method === 'countdistinct' || source.kind === 'rows') return 'Edm.Decimal';
  const { type } = source.value;
  if (!isPropertyType(type)) return 'Edm.Decimal';
  if (method === 'min' || method === 'max') return type;
  return isFloating(type) ? 'Edm.Double' : 'Edm.Decimal';
}

function resultEnumeration(method: AggregateMethod, source: AggregateSource): EnumType | undefined {
  return (method === 'min' || method === 'max') && source.kind !== 'rows' ? enumerationOf(source.value) : undefined;
}
