import type { NavigationProperty } from '../csdl/csdl.js';
import type { Ends, Joined } from './ends.js';
import { constraintPairs, zip } from './join-by-constraint.js';
import type { ParentNode } from './model-graph.js';
import { databaseName } from './names.js';
import { placesOfType, tableAt, usualPlace, type Place, type Start } from './places.js';

/** A navigation property with ContainsTarget: the records have their parent's number. */
export function containing({ property, type, target }: Ends, { context }: Start): Joined {
  const partner = target.navigation.find(({ name }) => name === property.partner);
  const pairs = partner && !partner.collection && partner.constraints.length > 0 ? constraintPairs(partner, target, type, context) : undefined;
  const copies = pairs && zip(pairs.map(([, key]) => key.column), pairs.map(([own]) => own.column));
  return { navigation: { join: { '#id': parentColumn(type.table) }, ...(copies && { copies }), contains: true, owns: true } };
}

/** The way back from a contained record to the one that it belongs to; undefined for any other property. */
export function containedBy(property: NavigationProperty, { place, places, types }: Start): Joined | undefined {
  if (place?.containment === undefined) return undefined;
  const { owner, property: down } = place.containment;
  const parent = types.get(owner);
  const isPartner = down.partner === property.name || (property.partner === down.name && property.type.endsWith(`.${parent?.name ?? ''}`));
  if (parent === undefined || !isPartner || property.collection) return undefined;
  return { navigation: { join: { [parentColumn(tableAt(parent, usualPlace(parent, places), places))]: '#id' }, container: true } };
}

/** What the records of a containment may belong to: a table of records, and the column with their number. */
export function parentsAt(place: Place | undefined, { places, types }: Pick<Start, 'places' | 'types'>): readonly ParentNode[] {
  if (place?.containment === undefined) return [];
  const { owner } = place.containment;
  const owners = [...types.values()].filter(({ qualifiedName, bases, root }) => root !== undefined && (qualifiedName === owner || bases.some((base) => base.qualifiedName === owner)));
  const tables = new Set(owners.flatMap((type) => storedAt(placesOfType(type, places)).map((at) => tableAt(type, at, places))));
  return [...tables].map((table) => ({ column: parentColumn(table), table, nullable: tables.size > 1 }));
}

// A type that has a place has no records without one.
function storedAt(at: readonly (Place | undefined)[]): readonly (Place | undefined)[] {
  return at.length > 1 ? at.filter((place) => place !== undefined) : at;
}

/** The column with the number of the record of that table that contains one. */
export function parentColumn(table: string): string {
  return databaseName(`#in.${table}`);
}
