import { own, type EntityContainer, type EntityType } from '../edm/index.js';

/** The location of a type's entities for messages, and the types on the path. */
export interface TypeLocation {
  readonly path: string;
  readonly types: readonly EntityType[];
}

/** The set of a type, or the path to its containment below one set; undefined where there is none, or several. */
export function locationOf(type: EntityType, container: EntityContainer): TypeLocation | undefined {
  if (type.entitySet !== undefined) return { path: type.entitySet, types: [type] };
  // Types that share a table share its containment.
  const ways = new Map(
    Object.values(container.entityTypes).flatMap((outer) =>
      Object.entries(outer.navigation)
        .filter(([, { contains, target }]) => contains && own(container.entityTypes, target)?.table === type.table)
        .map(([name]) => [JSON.stringify([outer.table, name]), { outer, name }] as const),
    ),
  );
  const [found, ...others] = ways.values();
  if (found === undefined || others.length > 0 || found.outer.table === type.table) return undefined;
  const place = locationOf(found.outer, container);
  return place && { path: `${place.path}/${found.name}`, types: [type, ...place.types] };
}
