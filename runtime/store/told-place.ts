import { own, type EntityContainer, type EntityType } from '../edm/index.js';

/** Where the records of a type are, as a message tells it, and the types whose records have to be passed to come there. */
export interface ToldPlace {
  readonly path: string;
  readonly types: readonly EntityType[];
}

/** The set of a type, or the path by which one set's records contain those of the type; undefined where it is none of these, or several. */
export function toldPlace(type: EntityType, container: EntityContainer): ToldPlace | undefined {
  if (type.entitySet !== undefined) return { path: type.entitySet, types: [type] };
  // Types that share a table have the same way to what they contain.
  const ways = new Map(
    Object.values(container.entityTypes).flatMap((outer) =>
      Object.entries(outer.navigation)
        .filter(([, { contains, target }]) => contains && own(container.entityTypes, target)?.table === type.table)
        .map(([name]) => [JSON.stringify([outer.table, name]), { outer, name }] as const),
    ),
  );
  const [found, ...others] = ways.values();
  if (found === undefined || others.length > 0 || found.outer.table === type.table) return undefined;
  const place = toldPlace(found.outer, container);
  return place && { path: `${place.path}/${found.name}`, types: [type, ...place.types] };
}
