import { fieldOf, navigationOf, type EntityType, type Field } from '../edm/index.js';
import { derivedTypesOf } from './path/derivation.js';
import { errors } from '../errors/catalogue.js';
import type { ComputeItem } from '../uri/query-options.js';
import { checkExpr } from './check/check-expr.js';
import { typedNull } from './value/check-literal.js';
import { asUntyped } from './value/dynamic-value.js';
import { maxComputedNodes } from './limits.js';
import type { ComputedColumn } from './read-plan.js';
import { withComputed, type Scope } from './scope.js';
import type { TypedExpr } from './typed-expr.js';
import { enumerationOf, ofEnumeration } from './expr-facts.js';

/** What `$compute` adds to a record: a scope in which its names can be used, and the values as columns. */
export interface ComputePlan {
  readonly scope: Scope;
  readonly columns: readonly ComputedColumn[];
}

/** `$compute` (protocol 11.2.5.3); an item may use those before it. */
export function planCompute(items: readonly ComputeItem[] | undefined, type: EntityType, scope: Scope): ComputePlan {
  if (items === undefined) return { scope, columns: [] };
  const columns = new Map<string, ComputedColumn>();
  const names = items.map(({ alias }) => alias);
  const open = withComputed(scope, { names, find: findIn(columns, names) });
  names.forEach((name, index) => requireNewName(name, type, names.slice(0, index), scope));
  for (const item of items) columns.set(item.alias, planItem(item, open));
  return { scope: open, columns: [...columns.values()] };
}

// A name is replaced by its expression, and a chain of names doubles with every link: what they add up to is bounded.
function findIn(columns: ReadonlyMap<string, ComputedColumn>, names: readonly string[]): (name: string) => TypedExpr | undefined {
  let nodes = 0;
  const counts = new Map<object, number>();
  return (name) => {
    const expression = columns.get(name)?.expression;
    if (expression === undefined && names.includes(name))
      throw errors.badOption(`$compute uses ${name} before it has a value; put its item first.`).at('$compute');
    if (expression === undefined) return undefined;
    nodes += countNodes(expression, counts);
    if (nodes > maxComputedNodes)
      throw errors.limitExceeded(`The computed values are used in more than ${maxComputedNodes} operands and operators.`).at('$compute');
    return expression;
  };
}

// What a name stands for is the same object wherever it is used, and is counted once.
function countNodes(value: unknown, counts: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return 0;
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
  if (isProperty) throw errors.badOption(`$compute cannot name a value ${name}: ${type.name} has a property of that name.`).at('$compute');
  if (before.includes(name)) throw errors.badOption(`$compute names two values ${name}.`).at('$compute');
}

function planItem(item: ComputeItem, scope: Scope): ComputedColumn {
  const { expression: made, type } = computedValue(item, { ...scope, option: '$compute', onRestricted: refuse });
  const expression = inRange(made);
  const field: Field = { type, ...ofEnumeration(enumerationOf(expression)), nullable: true };
  return { name: item.alias, expression, field };
}

/** The value of an item of `$compute`, or of the transformation `compute`: one that a property can have. */
export function computedValue(
  { expression: syntax, alias }: ComputeItem,
  scope: Scope,
): { readonly expression: TypedExpr; readonly type: Field['type'] } {
  const expression = typedNull(asUntyped(checkExpr(syntax, scope)), 'Edm.String');
  const { type } = expression;
  if (type === 'null' || type === 'polygon' || type === 'line' || type === 'Edm.ComplexType') {
    throw errors
      .typeMismatch(
        `The value of ${alias} cannot be returned: ${type === 'Edm.ComplexType' ? 'name one of the properties of the complex value' : "a shape is no property's type"}, at position ${syntax.at + 1}.`,
      )
      .at(scope.option);
  }
  return { expression, type };
}

// Arithmetic of whole numbers knows no bounds, and a property that is shown has those of its type: like a cast that fails, what does not fit is null.
function inRange(value: TypedExpr): TypedExpr {
  const isMade = value.kind === 'arithmetic' || value.kind === 'negate' || value.kind === 'case';
  return isMade && value.type === 'Edm.Int64' ? { kind: 'cast', type: value.type, nullable: true, operand: value } : value;
}

// The value would tell what the caller must not see.
function refuse(name: string): never {
  throw errors.notPermitted(name).at(name);
}
