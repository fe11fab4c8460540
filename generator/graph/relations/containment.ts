import type { Navigation } from '../../../runtime/edm/navigation.js';
import type { NavigationProperty } from '../../csdl/csdl.js';
import { constraintPairs, zip } from './join-by-constraint.js';
import type { ParentNode } from '../model-graph.js';
import { databaseName } from '../names/names.js';
import { placesOfType, tableAt } from '../sources/places.js';
import { faults } from '../../faults.js';
import type { Ends, Joined, Places, Start, BuiltTypes, Context, BuiltType } from '../built-model.js';
import type { Place } from '../storage.js';
import { grouped } from '../../../runtime/edm/grouped.js';
import { memoized } from '../../../runtime/edm/memoized.js';
import { lastName } from '../../../runtime/edm/lookup.js';

/** A navigation property with ContainsTarget: the records have their parent's number. */
export function containing({ property, type, target }: Ends, { context }: Start): Joined {
  const partner = navigationNamed(property.partner, target);
  const pairs =
    partner && !partner.collection && partner.constraints.length > 0 ? constraintPairs(partner, target, type, context) : undefined;
  const mirroredBy =
    pairs &&
    zip(
      pairs.map(([, key]) => key.column),
      pairs.map(([own]) => own.column),
    );
  return { navigation: { join: { '#id': parentColumn(type.table) }, ...(mirroredBy && { mirroredBy }), contains: true, owns: true } };
}

/** A back-reference from a contained entity: the table of possible parents, and their entity source. */
interface WayBack {
  readonly table: string;
  readonly place: Place | undefined;
  readonly join: Navigation['join'];
}

/** The ways back from a contained record to the one that it belongs to, of which each record has one; undefined for any other property. */
export function waysBack(property: NavigationProperty, { place, places, types }: Start): readonly WayBack[] | undefined {
  if (place?.containment === undefined) return undefined;
  const { owner, property: down } = place.containment;
  const parent = types.get(owner);
  const isPartner = down.partner === property.name || (property.partner === down.name && property.type.endsWith(`.${parent?.name ?? ''}`));
  if (parent === undefined || !isPartner || property.collection) return undefined;
  return ownersAt(place, { places, types }).map(({ table, place: at }) => ({ table, place: at, join: { [parentColumn(table)]: '#id' } }));
}

/** Whether a back-reference belongs to the outermost entity of a self-containment, which has no parent. */
export function isOutermost({ property, type, target }: Pick<Ends, 'property' | 'type' | 'target'>, start: Start): boolean {
  const isOneFamily = type.root !== undefined && type.root === target.root;
  if (!isOneFamily) return false;
  const named = [
    navigationNamed(property.partner, target),
    ...withPartner(property.name, target).filter(({ partner }) => partner === property.name),
  ];
  const down = named.find((one) => one?.containsTarget);
  return down !== undefined && !property.collection && property.constraints.length === 0 && waysBack(property, start) === undefined;
}

/** Reports back-references to parents that may be in several entity sources; they are omitted. */
export function checkParents(places: Places, types: BuiltTypes, context: Context): void {
  for (const place of places.all) {
    const start = { place, places, types, context };
    for (const property of types.get(place.declared)?.navigation ?? []) {
      const parents = waysBack(property, start)?.map((back) => back.place?.name.replace('.', '/') ?? back.table) ?? [];
      if (parents.length > 1)
        context.report(faults.severalParents(property.at, `${types.get(place.declared)?.name}/${property.name}`, parents.join(' or ')));
    }
  }
}

/** The possible parents of a containment: their table, and the column with their `#id`. */
export function parentsAt(place: Place | undefined, start: Pick<Start, 'places' | 'types'>): readonly ParentNode[] {
  const owners = ownersAt(place, start);
  return owners.map(({ table }) => ({ column: parentColumn(table), table, nullable: owners.length > 1 }));
}

// Each table once, though types that derive from the owner share it.
function ownersAt(place: Place | undefined, { places, types }: Pick<Start, 'places' | 'types'>): readonly Omit<WayBack, 'join'>[] {
  if (place?.containment === undefined) return [];
  const { owner } = place.containment;
  const owners = [...types.values()].filter(
    ({ qualifiedName, bases, root }) =>
      root !== undefined && (qualifiedName === owner || bases.some((base) => base.qualifiedName === owner)),
  );
  const all = owners.flatMap((type) => storedAt(placesOfType(type, places)).map((at) => ({ table: tableAt(type, at, places), place: at })));
  return all.filter(({ table }, index) => all.findIndex((other) => other.table === table) === index);
}

// A type that has a place has no records without one.
function storedAt(at: readonly (Place | undefined)[]): readonly (Place | undefined)[] {
  return at.length > 1 ? at.filter((place) => place !== undefined) : at;
}

/** The column with the number of the record of that table that contains one. */
export function parentColumn(table: string): string {
  return databaseName(`#in.${table}`);
}

/** An index of a type's navigation properties, built in one pass. */
interface NavigationIndex {
  readonly byName: ReadonlyMap<string, NavigationProperty>;
  /** By the last name of their Partner. */
  readonly byPartner: ReadonlyMap<string, readonly NavigationProperty[]>;
}

/** The navigation property with the name or path, including inherited ones. */
export function navigationNamed(name: string | undefined, type: BuiltType): NavigationProperty | undefined {
  return name === undefined ? undefined : indexOf(type.navigation).byName.get(name);
}

/** The navigation properties that may declare the given one as their Partner; types on the path are not checked. */
export function withPartner(name: string, type: BuiltType): readonly NavigationProperty[] {
  return indexOf(type.navigation).byPartner.get(lastName(name)) ?? [];
}

const indexOf = memoized((navigation: readonly NavigationProperty[]): NavigationIndex => {
  // The first property with a name wins.
  const byName = new Map(navigation.toReversed().map((property) => [property.name, property]));
  const byPartner = grouped(
    navigation.filter(({ partner }) => partner !== undefined),
    ({ partner = '' }) => lastName(partner),
  );
  return { byName, byPartner };
});
