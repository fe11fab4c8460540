import { complexTypeNamed, fieldOf, stepsOf, type ComplexType, type EntityContainer, type EntityType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { complexOf, isCollection, type TypedExpr } from '../typed-expr.js';
import type { Scope } from '../scope.js';

/** Refuses to compare items that keep where they lead: what is stored of them says more than their properties do, and what is no property decides no comparison. */
export function refuseLinkedItems(exprs: readonly TypedExpr[], { container, option }: Pick<Scope, 'container' | 'option'>): void {
  const complex = exprs.filter(isOfItems).map(complexOf).find((name) => name !== undefined && linkedTypes(container).has(name));
  if (complex !== undefined) throw errors.notImplemented(`Comparing values of ${complex} that are items of a collection and lead to other records`, 'Compare their properties.').at(option);
}

// An item is the value of a row of its own, and so is what lies within it.
function isOfItems(expr: TypedExpr): boolean {
  return isCollection(expr) || ((expr.kind === 'column' || expr.kind === 'path') && expr.column === 'value') || (expr.kind === 'related' && isOfItems(expr.value));
}

const known = new WeakMap<EntityContainer, ReadonlySet<string>>();

function linkedTypes(container: EntityContainer): ReadonlySet<string> {
  const types = known.get(container) ?? new Set(Object.values(container.entityTypes).flatMap((type) => Object.keys(type.itemNavigation ?? {}).flatMap((path) => typesAlong(type, path, container))));
  known.set(container, types);
  return types;
}

// Every type of a value on the way, and those that derive from it or that it derives from.
function typesAlong(type: EntityType, path: string, container: EntityContainer): readonly string[] {
  const found: ComplexType[] = [];
  let owner: EntityType | ComplexType | undefined = type;
  for (const step of stepsOf(path).steps) {
    const complex: ComplexType | undefined = complexTypeNamed(container, (owner && fieldOf(owner, step.name)?.complex) ?? '');
    const cast = step.type === undefined ? undefined : complexTypeNamed(container, step.type);
    found.push(...[complex, cast].flatMap((one) => one ?? []));
    owner = cast ?? complex;
  }
  return found.flatMap(({ qualifiedName, derived }) => [qualifiedName, ...derived]);
}
