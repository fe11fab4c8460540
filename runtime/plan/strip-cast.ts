import { qualify, type EntityContainer, type EntityType } from '../edm/index.js';
import { isTypeOrBase } from './path/derivation.js';
import type { PathSegment } from '../expression/ast.js';

interface Item {
  readonly path: readonly PathSegment[];
}

/** Whether records of a place may be of the type with the name. */
export function mayBe(name: string, type: EntityType): boolean {
  return isTypeOrBase(type, name) || (type.derivedTypes ?? []).includes(name);
}

/** An item of `$select` or `$expand` as one of a place's records, where the type in front of it is theirs; a type that derives from it is a cast there too. */
export function stripCast<One extends Item>(item: One, type: EntityType, container: EntityContainer): readonly One[] {
  const name = qualify(container, item.path[0]?.name ?? '');
  if (isTypeOrBase(type, name)) return [{ ...item, path: item.path.slice(1) }];
  return mayBe(name, type) ? [item] : [];
}
