import { derivedTypesOf, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { SearchExpr } from '../expression/ast.js';
import { accessTo } from './caller.js';
import type { Scope } from './scope.js';
import type { Source, TypedExpr } from './typed-expr.js';

/**
 * A search of a record's words. They lie together, whatever property they come from, so that a caller who may not see
 * one of the searchable properties may not search at all: a match would tell what it says.
 */
export function planSearch(query: SearchExpr, type: EntityType, source: Source, { caller, container }: Scope): TypedExpr {
  const types = [type, ...derivedTypesOf(type, container)];
  const searchable = types.flatMap((of) => Object.keys(of.fields).filter((name) => of.fields[name]?.searchable).map((name) => ({ name, of })));
  if (searchable.length === 0) throw errors.notImplemented(`$search of ${type.name}, of which the model marks no property as searchable,`).at('$search');
  const hidden = searchable.find(({ name, of }) => {
    const access = accessTo(of, 'read', caller);
    return !access.allowed || access.restricted.has(name);
  });
  if (hidden !== undefined) throw errors.notPermitted(hidden.name).at(hidden.name);
  return { kind: 'search', type: 'Edm.Boolean', nullable: false, alias: source.alias, query };
}
