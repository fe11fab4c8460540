import { type EntityType, type Field, fieldOf, navigationOf, type PrimitiveTypeName } from '../../edm/index.js';
import { derivedTypesOf } from '../path/derivation.js';
import { errors } from '../../errors/catalogue.js';
import { located } from '../../errors/odata-error.js';
import type { CommonExpr } from '../../expression/ast.js';
import { longText } from '../../expression/token.js';
import type { ComputeItem } from '../../uri/query-options.js';
import { checkExpr } from '../check/check-expr.js';
import { asUntyped, typedNull } from '../value/check-literal.js';
import { maxComputedNodes } from '../limits.js';
import type { ComputedColumn } from '../read-plan.js';
import { mismatchAt, refuseHidden, type Scope, withComputed } from '../scope.js';
import type { TypedExpr } from '../typed-expr.js';
import { enumerationOf, isPropertyType, ofEnumeration } from '../expr-facts.js';

/** The result of `$compute`: a scope with its names, and the values as columns. */
export interface ComputePlan {
  readonly scope: Scope;
  readonly columns: readonly ComputedColumn[];
}

/** Plans `$compute` (protocol 11.2.5.3); items may use earlier ones. */
export function planCompute(items: readonly ComputeItem[], type: EntityType, scope: Scope): ComputePlan {
  const columns = new Map<string, ComputedColumn>();
  const names = items.map(({ alias }) => alias);
  const open = withComputed(scope, { names, find: findIn(columns, names) });
  items.forEach((item, index) => located(item, () => requireNewName(item.alias, type, names.slice(0, index), scope)));
  for (const item of items) columns.set(item.alias, planItem(item, open));
  return { scope: open, columns: [...columns.values()] };
}

// Names are replaced by their expressions, and a chain of names doubles with every link: the total is limited.
function findIn(columns: ReadonlyMap<string, ComputedColumn>, names: readonly string[]): (name: string) => TypedExpr | undefined {
  let nodes = 0;
  const counts = new Map<object, number>();
  return (name) => {
    const expression = columns.get(name)?.expression;
    if (expression === undefined && names.includes(name))
      throw errors.badOption(`$compute uses ${name} before its definition; write its item first.`).at('$compute');
    if (expression === undefined) return undefined;
    nodes += countNodes(expression, counts);
    if (nodes > maxComputedNodes)
      throw errors.limitExceeded(`The computed values expand to more than ${maxComputedNodes} operands and operators.`).at('$compute');
    return expression;
  };
}

// A name's expression is one shared object, which is counted once.
function countNodes(value: unknown, counts: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return longText(value);
  const known = counts.get(value);
  if (known !== undefined) return known;
  let count = 'kind' in value ? 1 : 0;
  for (const part of Object.values(value)) count += countNodes(part, counts);
  counts.set(value, count);
  return count;
}

function requireNewName(name: string, type: EntityType, before: readonly string[], { container }: Scope): void {
  const isProperty = [type, ...derivedTypesOf(type, container)].some(
    (one) => fieldOf(one, name) !== undefined || navigationOf(one, name) !== undefined,
  );
  if (isProperty)
    throw errors.badOption(`$compute cannot use the alias ${name}: ${type.name} has a property with this name.`).at('$compute');
  if (before.includes(name)) throw errors.badOption(`$compute uses the alias ${name} twice.`).at('$compute');
}

function planItem(item: ComputeItem, scope: Scope): ComputedColumn {
  const { expression: computed, type } = computedValue(item, { ...scope, option: '$compute', onRestricted: refuseHidden });
  const expression = inRange(computed);
  const field: Field = { type, ...ofEnumeration(enumerationOf(expression)), nullable: true };
  return { name: item.alias, expression, field };
}

/** The value of an item of `$compute`, or of the transformation `compute`, in a type that a property can have. */
export function computedValue(item: ComputeItem, scope: Scope): { readonly expression: TypedExpr; readonly type: Field['type'] } {
  const { expression: syntax, alias } = item;
  return located(syntax, () => returned(alias, syntax, scope));
}

function returned(alias: string, syntax: CommonExpr, scope: Scope): { readonly expression: TypedExpr; readonly type: Field['type'] } {
  const expression = typedNull(asUntyped(checkExpr(syntax, scope)), 'Edm.String');
  const { type } = expression;
  if (!isPropertyType(type) || type === 'Edm.ComplexType') {
    throw mismatchAt(
      syntax.at,
      scope,
      `The value of ${alias} cannot be returned: ${type === 'Edm.ComplexType' ? 'write one of the properties of the complex value' : 'a shape cannot be a computed property'}`,
    );
  }
  return { expression, type };
}

function inRange(value: TypedExpr): TypedExpr {
  const isComputed = value.kind === 'arithmetic' || value.kind === 'negate' || value.kind === 'case';
  return isComputed ? bounded(value) : value;
}

const boundedTypes: ReadonlySet<PrimitiveTypeName> = new Set(['Edm.Int64', 'Edm.Date', 'Edm.DateTimeOffset']);

/** Arithmetic goes beyond its types, but a returned property does not: like a failing cast, a value out of range is null. */
export function bounded(value: TypedExpr): TypedExpr {
  if (!isPropertyType(value.type) || !boundedTypes.has(value.type) || enumerationOf(value) !== undefined) return value;
  return { kind: 'cast', type: value.type, nullable: true, operand: value };
}
