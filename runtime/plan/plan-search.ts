import type { EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { SearchExpr } from '../expression/ast.js';
import { accessTo } from './caller.js';
import type { Scope } from './scope.js';
import type { Source, TypedExpr } from './typed-expr.js';

/**
 * A search of a record's words. They lie together, whatever property they come from, so that a caller who may not see
 * one of the searchable properties may not search at all: a match would tell what it says.
 */
export function planSearch(query: SearchExpr, type: EntityType, source: Source, { caller }: Scope): TypedExpr {
  const searchable = Object.keys(type.fields).filter((name) => type.fields[name]?.searchable);
  if (searchable.length === 0) throw errors.notImplemented(`$search of ${type.name}, of which the model marks no property as searchable,`).at('$search');
  const access = accessTo(type, 'read', caller);
  const hidden = searchable.find((name) => !access.allowed || access.restricted.has(name));
  if (hidden !== undefined) throw errors.notPermitted(hidden).at(hidden);
  return { kind: 'search', type: 'Edm.Boolean', nullable: false, alias: source.alias, query };
}
