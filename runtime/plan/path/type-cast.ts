import { anyEntity, complexTypeNamed, type EntityContainer, type EntityType, qualify } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { CommonExpr, MemberExpr, MethodCallExpr, PathSegment } from '../../expression/ast.js';
import { excerpt } from '../../errors/suggest.js';
import { entityTypeNamed, isTypeOrBase, typesWithin } from './derivation.js';
import type { Scope } from '../scope.js';
import { requireOffered } from './offered-functions.js';

/** The result of a type cast: the type, and the values of `#type` that remain, if not all. */
export interface TypeCast {
  readonly type: EntityType;
  readonly types?: readonly string[];
}

/** The cast of a segment; undefined for a segment that is no entity type. */
export function castSegment(name: string, from: EntityType, container: EntityContainer): TypeCast | undefined {
  return name.includes('.') ? castTo(name, from, container) : undefined;
}

/** Casts an entity type (URL conventions 4.11): one to itself or a base type keeps all entities, to a derived type only its own. */
function castTo(name: string, from: EntityType, container: EntityContainer): TypeCast | undefined {
  const qualified = qualify(container, name);
  if (isTypeOrBase(from, qualified)) return { type: from };
  const type = entityTypeNamed(container, name, from);
  if (type === undefined) return undefined;
  if (!isTypeOrBase(type, from.qualifiedName)) {
    if (from.qualifiedName === anyEntity)
      throw errors.notImplemented(`A path through ${excerpt(name)}, whose records are in several sets,`, 'Read each of the sets.').at(name);
    throw errors.typeMismatch(`${excerpt(name)} does not derive from ${from.qualifiedName}, so no record has both types.`).at(name);
  }
  return { type, types: typeNames(type) };
}

/** The values of `#type` for a type. */
export function typeNames({ qualifiedName, derivedTypes = [] }: EntityType): readonly string[] {
  return [qualifiedName, ...derivedTypes];
}

/** The types to filter a table by; none where all rows are of the type. */
export function typesInTable(type: EntityType, container: EntityContainer): Pick<TypeCast, 'types'> {
  const isRoot = (type.baseTypes ?? []).every((name) => entityTypeNamed(container, name, type)?.table !== type.table);
  return isRoot ? {} : { types: typeNames(type) };
}

/** The cast after which a property exists, as a hint for messages. */
export function castHint(name: string, type: EntityType, container: EntityContainer): string {
  const owner = ownerOf(name, type, container);
  return owner === undefined ? '' : ` It is a property of ${owner}: write ${owner}/${name}.`;
}

/** The type that a new entity needs to have a property, as a hint for messages. */
export function typeHint(name: string, type: EntityType, container: EntityContainer): string {
  const owner = ownerOf(name, type, container);
  return owner === undefined ? '' : ` It is a property of ${owner}: add "@odata.type":"#${owner}".`;
}

/** The qualified name of a type among those of an entity source that declares a property or navigation property. */
export function ownerOf(name: string, type: EntityType, container: EntityContainer): string | undefined {
  return typesWithin(type, container).find(({ fields, navigation }) => Object.hasOwn(fields, name) || Object.hasOwn(navigation, name))
    ?.qualifiedName;
}

interface Item {
  readonly path: readonly PathSegment[];
}

/** Whether an entity source can hold entities of the named type. */
export function mayBe(name: string, type: EntityType): boolean {
  return isTypeOrBase(type, name) || (type.derivedTypes ?? []).includes(name);
}

/** Strips the leading type cast from an item of `$select` or `$expand`; a cast to a derived type stays, and an item of another type is omitted. */
export function stripCast<One extends Item>(item: One, type: EntityType, container: EntityContainer): readonly One[] {
  const name = qualify(container, item.path[0]?.name ?? '');
  if (isTypeOrBase(type, name)) return [{ ...item, path: item.path.slice(1) }];
  return mayBe(name, type) ? [item] : [];
}

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
