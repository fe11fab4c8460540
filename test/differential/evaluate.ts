import { cast } from './casts.js';
import type { Branch, Expression, Items } from './expression.js';
import { call } from './functions.js';
import { ofFlags, ofItems } from './items.js';
import { dynamicValue } from './dynamic.js';
import { isInside, metresBetween } from './places.js';
import { equal, minus, not, operators } from './operators.js';
import { whole, type Value } from './values.js';

/** An entity with its values and related entities. */
export interface Entity {
  readonly values: { readonly [name: string]: Value | readonly Value[] };
  readonly one: { readonly [name: string]: Entity | null };
  readonly many: { readonly [name: string]: readonly Entity[] };
  /** It is a value, and the same as another one with the same properties. */
  readonly complex?: true;
}

/** The value of a name: an entity, or an item of a collection. */
type Bound = { readonly entity: Entity } | { readonly value: Value };

type Scope = ReadonlyMap<string, Bound>;

/** The start of a path without a variable, where that is not the entity itself. */
const implicit = '';

/** The scope of an expression over one record. */
export function scopeOf(entity: Entity): Scope {
  return new Map([['$it', { entity }]]);
}

/** An expression's value in OData's three-valued logic. */
export function evaluate(expr: Expression, scope: Scope): Value {
  const value = (inner: Expression): Value => evaluate(inner, scope);
  switch (expr.kind) {
    case 'literal':
      return expr.value;
    case 'path':
      return single(follow(expr.path, scope));
    case 'unary':
      return expr.operator === 'not' ? not(value(expr.operand)) : minus(value(expr.operand));
    case 'binary':
      return evaluateBinary(expr, scope);
    case 'in':
      return expr.items.some((item) => equal(value(expr.operand), value(item)));
    case 'call':
      return call(expr.method, expr.arguments.map(value));
    case 'cast':
      return cast(value(expr.operand), expr.to);
    case 'case':
      return evaluateCase(expr.branches, value);
    case 'tuple':
      return expr.rows.some((row) => row.every((item, index) => equal(value(expr.operands[index] ?? item), value(item))));
    case 'count':
      return evaluateCount(expr, scope);
    case 'items':
      return evaluateItems(expr, scope);
    case 'dynamic':
      return dynamicValue(single(follow(expr.path, scope)), expr.type);
    case 'near':
      return isNear(expr, single(follow(expr.path, scope)));
    case 'inside':
      return isInside(single(follow(expr.path, scope)), expr.box);
    case 'flags':
      return ofFlags(expr.operator, single(follow(expr.path, scope)), expr.value);
    case 'collections':
      return evaluateCollections(expr, scope);
    default:
      return evaluateLambda(expr, scope);
  }
}

function isNear({ place, operator, metres }: Extract<Expression, { kind: 'near' }>, value: Value): Value {
  const found = metresBetween(value, place);
  return operators[operator]?.(found === null ? null : whole(Math.round(found)), whole(metres)) ?? null;
}

function evaluateCase(branches: readonly Branch[], value: (expr: Expression) => Value): Value {
  const taken = branches.find(({ condition }) => value(condition) === true);
  return taken === undefined ? null : value(taken.value);
}

// The collection of a missing value or entity is null.
function evaluateItems({ method, path, items }: Extract<Expression, { kind: 'items' }>, scope: Scope): Value {
  const all = valuesOf({ path }, scope);
  return all && ofItems(method, all, items);
}

// Names without a variable belong to the member; `$it` is unchanged.
function evaluateCount({ path, predicate }: Extract<Expression, { kind: 'count' }>, scope: Scope): Value {
  const members = follow(path, scope);
  if (!isMany(members)) return null;
  return whole(members.filter((member) => evaluate(predicate, new Map([...scope, [implicit, member], ['$this', member]])) === true).length);
}

// Collections have the same items where each is in the other as often.
function evaluateCollections({ operator, left, right }: Extract<Expression, { kind: 'collections' }>, scope: Scope): Value {
  const [a, b] = [valuesOf(left, scope), valuesOf(right, scope)];
  if (operator === 'hassubset') return a && b ? hasAll(a, b) : null;
  const same = a && b ? hasAll(a, b) && hasAll(b, a) : a === b;
  return same === (operator === 'eq');
}

function hasAll(values: readonly Value[], wanted: readonly Value[]): boolean {
  return wanted.every((one) => timesIn(wanted, one) <= timesIn(values, one));
}

function timesIn(all: readonly Value[], one: Value): number {
  return all.filter((value) => equal(value, one)).length;
}

function valuesOf(items: Items, scope: Scope): readonly Value[] | null {
  if (!('path' in items)) return items.map((item) => evaluate(item, scope));
  const target = follow(items.path, scope);
  return isMany(target) ? target.map(single) : null;
}

function evaluateBinary(expr: Extract<Expression, { kind: 'binary' }>, scope: Scope): Value {
  if (expr.operator === 'has') {
    const wanted = evaluate(expr.right, scope);
    return collection(expr.left, scope).some((bound) => equal(single(bound), wanted));
  }
  const record = expr.left.kind === 'path' ? follow(expr.left.path, scope) : null;
  const other = expr.right.kind === 'path' ? follow(expr.right.path, scope) : null;
  const [left, right] = [record, other].map((bound) => (bound !== null && 'entity' in bound ? bound.entity : undefined));
  // A record compared with null, or with another one, which may be missing.
  if (left !== undefined || right !== undefined) return (left === right) === (expr.operator === 'eq');
  return operators[operatorName(expr)]?.(evaluate(expr.left, scope), evaluate(expr.right, scope)) ?? null;
}

function operatorName({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): string {
  return operator === 'div' && isWhole(left) && isWhole(right) ? 'wholeDiv' : operator;
}

const wholeNames = new Set(['Id', 'OtherId', 'I', 'J', 'L', 'No', 'ItemId', 'Zip', 'Floor', 'n', '$this', '$count']);
const wholeCalls = new Set(['length', 'indexof', 'year', 'month', 'day', 'hour', 'minute', 'second', 'totaloffsetminutes']);

// Numeric promotion: what is made of whole numbers alone is whole (URL conventions 5.1.1.16).
function isWhole(expr: Expression): boolean {
  switch (expr.kind) {
    case 'literal':
      return expr.type === 'int' || expr.value === null;
    case 'path':
      return wholeNames.has(expr.path.at(-1) ?? '');
    case 'unary':
      return isWhole(expr.operand);
    case 'binary':
      return expr.operator !== 'divby' && isWhole(expr.left) && isWhole(expr.right);
    case 'call':
      return wholeCalls.has(expr.method);
    case 'cast':
      return /Int|Byte/.test(expr.to);
    case 'case':
      return expr.branches.every(({ value }) => isWhole(value));
    case 'count':
      return true;
    case 'items':
      return expr.method === 'indexof';
    default:
      return false;
  }
}

function evaluateLambda({ operator, path, variable, predicate }: Extract<Expression, { kind: 'lambda' }>, scope: Scope): Value {
  const all = collection({ kind: 'path', path }, scope);
  if (predicate === undefined) return all.length > 0;
  const holds = (bound: Bound): boolean => evaluate(predicate, new Map([...scope, [variable, bound]])) === true;
  return operator === 'any' ? all.some(holds) : all.every(holds);
}

type Target = Bound | readonly Bound[] | null;

function collection(expr: Expression, scope: Scope): readonly Bound[] {
  const target = expr.kind === 'path' ? follow(expr.path, scope) : null;
  return isMany(target) ? target : [];
}

function single(target: Target): Value {
  return target !== null && 'value' in target ? target.value : null;
}

// A path without related entities is null, as is the count after it; a lambda finds nothing there.
function follow(path: readonly string[], scope: Scope): Target {
  const start = scope.get(path[0] ?? '');
  let target: Target = start ?? scope.get(implicit) ?? scope.get('$it') ?? null;
  for (const name of start === undefined ? path : path.slice(1)) {
    if (name === '$count') return { value: isMany(target) ? whole(target.length) : null };
    target = target === null ? null : step(target, name);
  }
  return target;
}

function step(target: Bound | readonly Bound[], name: string): Target {
  if (isMany(target) || !('entity' in target)) throw new Error(`The generator went from a value to ${name}.`);
  const { values, one, many } = target.entity;
  const value = values[name];
  if (value !== undefined) return isList(value) ? value.map((item) => ({ value: item })) : { value };
  const entity = one[name];
  if (entity !== undefined) return entity && { entity };
  return (many[name] ?? []).map((part) => ({ entity: part }));
}

function isList(value: Value | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value);
}

function isMany(target: Target): target is readonly Bound[] {
  return Array.isArray(target);
}
