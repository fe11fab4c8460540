import { complexTypeOf, fieldOf, navigationOf, targetOf, type StructuredType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { MemberExpr } from '../../expression/ast.js';
import type { AggregateItem } from '../../uri/transformations.js';
import { nameOf } from '../shown-path.js';
import type { Scope } from '../scope.js';

/** Methods whose value of all items is their value of what they give for each record. */
const nested: ReadonlySet<string | undefined> = new Set(['sum', 'min', 'max']);

/** Refuses an aggregate of values within the items of a collection, which the standard offers (Data Aggregation 3.2.1). */
export function refuseAlongValues(expression: MemberExpr, { method, alias }: AggregateItem, scope: Scope): void {
  const { path } = expression;
  const length = lengthToItems(path, scope);
  if (length === undefined || path.at(-1)?.name === '$count') return;
  const [items, inner] = [nameOf({ path: path.slice(0, length) }), nameOf({ path: path.slice(length) })];
  const each = `compute(${items}/aggregate(${inner} with ${method ?? 'sum'}) as Each)`;
  const instead = nested.has(method)
    ? `Write ${each}/aggregate(Each with ${method} as ${alias ?? 'Total'}).`
    : `One value of each record is ${each}.`;
  throw errors.notImplemented(`An aggregate of ${nameOf(expression)}, along the values of ${items},`, instead).at(scope.option);
}

// Up to a collection of complex values that no ordinal behind it chooses from.
function lengthToItems(path: MemberExpr['path'], { implicit, container }: Scope): number | undefined {
  let owner: StructuredType | undefined = implicit.kind === 'record' ? implicit.type : undefined;
  for (const [index, { name }] of path.slice(0, -1).entries()) {
    const navigation = owner && navigationOf(owner, name);
    if (navigation?.collection) return undefined;
    if (navigation) {
      owner = targetOf(container, navigation);
      continue;
    }
    const field = owner && fieldOf(owner, name);
    if (field?.complex === undefined) return undefined;
    if (field.collection) return /^-?\d+$/.test(path[index + 1]?.name ?? '') ? undefined : index + 1;
    owner = complexTypeOf(container, field);
  }
  return undefined;
}
