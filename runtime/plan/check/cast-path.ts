import { complexTypeNamed, qualify, type EntityContainer } from '../../edm/index.js';
import { entityTypeNamed } from '../path/derivation.js';
import type { CommonExpr, MemberExpr, MethodCallExpr, PathSegment } from '../../expression/ast.js';
import type { Scope } from '../scope.js';
import { requireOffered } from './offered-functions.js';

/**
 * The path equivalent to a cast of an entity or complex value (URL conventions 5.1.1.10.1): `cast(Boss,Ns.Manager)` is
 * `Boss/Ns.Manager`, and `cast(Ns.Manager)` casts the entity itself. Undefined for other expressions.
 */
export function asPath(expr: CommonExpr, scope: Scope): MemberExpr | undefined {
  if (expr.kind === 'methodCall') return castPath(expr, scope);
  if (expr.kind !== 'member' || expr.base?.kind !== 'methodCall') return undefined;
  const start = castPath(expr.base, scope);
  return start && { ...start, path: [...start.path, ...expr.path] };
}

function castPath({ method, arguments: [first, second], at }: MethodCallExpr, scope: Scope): MemberExpr | undefined {
  const type = second ?? first;
  if (method !== 'cast' || type?.kind !== 'type' || !isStructured(type.name, scope.container)) return undefined;
  requireOffered(method, scope);
  const segment: PathSegment = { name: qualify(scope.container, type.name), at: type.at };
  if (second === undefined) return { kind: 'member', at, path: [segment] };
  const start = first?.kind === 'member' ? (asPath(first, scope) ?? first) : first && asPath(first, scope);
  return start?.kind === 'member' ? { ...start, path: [...start.path, segment] } : undefined;
}

function isStructured(name: string, container: EntityContainer): boolean {
  return isEntityType(name, container) || complexTypeNamed(container, qualify(container, name)) !== undefined;
}

/** Whether a name is that of an entity type, including transient ones. */
export function isEntityType(name: string, container: EntityContainer): boolean {
  const qualified = qualify(container, name);
  return (
    entityTypeNamed(container, name) !== undefined ||
    Object.values(container.entityTypes).some(({ baseTypes }) => baseTypes?.includes(qualified))
  );
}
