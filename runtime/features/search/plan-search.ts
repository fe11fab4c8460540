import type { EntityContainer, EntityType } from '../../edm/index.js';
import { derivedTypesOf } from '../../plan/path/derivation.js';
import { errors } from '../../errors/catalogue.js';
import type { SearchExpr } from '../../expression/ast.js';
import { isSeen } from '../../plan/caller.js';
import type { Scope } from '../../plan/scope.js';
import type { Source, TypedExpr } from '../../plan/typed-expr.js';

/**
 * A search in an entity's words. They are indexed together, so a caller who may not read one of the searchable
 * properties may not search: a match would reveal the property's content.
 */
export function planSearch(query: SearchExpr, type: EntityType, source: Source, { caller, container }: Scope): TypedExpr {
  const searchable = searchableOf(type, container);
  if (searchable.length === 0)
    throw errors
      .notImplemented(
        `$search of ${type.name}, which has no property with Rules.Searchable,`,
        `Write $filter=contains(...) of one of its properties.`,
      )
      .at('$search');
  const hidden = searchable.find(({ of, name }) => !isSeen(of, name, caller));
  if (hidden !== undefined) throw errors.notPermitted(hidden.name).at(hidden.name);
  return { kind: 'search', type: 'Edm.Boolean', nullable: false, words: { alias: source.alias }, query };
}

/** A search in the items of a text collection, each by its own words. */
export function planItemSearch(query: SearchExpr, item: TypedExpr): TypedExpr {
  if (item.type !== 'Edm.String') throw errors.notImplemented('$search of values that are not strings', 'Use $filter.').at('$search');
  return { kind: 'search', type: 'Edm.Boolean', nullable: false, words: { text: item }, query };
}

/** Whether a type is searchable for the caller. */
export function isSearchable(type: EntityType, { caller, container }: Pick<Scope, 'caller' | 'container'>): boolean {
  const searchable = searchableOf(type, container);
  return searchable.length > 0 && searchable.every(({ of, name }) => isSeen(of, name, caller));
}

function searchableOf(type: EntityType, container: EntityContainer): readonly { readonly name: string; readonly of: EntityType }[] {
  const types = [type, ...derivedTypesOf(type, container)];
  return types.flatMap((of) =>
    Object.keys(of.fields)
      .filter((name) => of.fields[name]?.searchable)
      .map((name) => ({ name, of })),
  );
}
