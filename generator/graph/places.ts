import type { Csdl, EntitySet, NavigationProperty, Singleton } from '../csdl/csdl.js';
import { faults } from '../faults.js';
import type { BuiltType, BuiltTypes } from './build-type.js';
import type { Context } from './context.js';
import { grouped } from './grouped.js';
import { databaseName } from './names.js';

/** Where records of a type and of those that derive from it are: every place has a table of its own. */
export interface Place {
  readonly kind: 'EntitySet' | 'Singleton' | 'Containment';
  /** The set's or the singleton's; of a containment `Type.Property`. */
  readonly name: string;
  /** Qualified name of the type that is declared there. */
  readonly declared: string;
  /** The set or singleton. */
  readonly member?: EntitySet | Singleton;
  /** The navigation property that contains the records, and the qualified name of the type that declares it. */
  readonly containment?: { readonly owner: string; readonly property: NavigationProperty };
}

/** Whether a place holds several entities, which have keys. */
export function isMany({ kind, containment }: Place): boolean {
  return kind === 'EntitySet' || containment?.property.collection === true;
}

/** All places of a model, and those of each type. */
export interface Places {
  readonly all: readonly Place[];
  /** The places where a type's records may be, by its qualified name. */
  readonly of: ReadonlyMap<string, readonly Place[]>;
  /** By the qualified name of a root type: the place whose table has the type's own name. */
  readonly first: ReadonlyMap<string, Place>;
  /** By the navigation property that contains the records. */
  readonly contained: ReadonlyMap<NavigationProperty, Place>;
  /** Sets and singletons by name. */
  readonly members: ReadonlyMap<string, Place>;
  /** The root types that are behind several entity sets. */
  readonly several: ReadonlySet<string>;
}

/** Where navigation begins: a type's records at one place. */
export interface Start {
  readonly place: Place | undefined;
  readonly places: Places;
  readonly types: BuiltTypes;
  readonly context: Context;
}

/** Looks for every place, and reports what is none. */
export function placesOf(csdl: Csdl, types: BuiltTypes, derived: ReadonlyMap<string, readonly string[]>, context: Context): Places {
  const all = [...membersOf(csdl, types, context), ...containmentsOf(types, context)];
  const each = all.flatMap((place) => [place.declared, ...(derived.get(place.declared) ?? [])].map((name) => ({ name, place })));
  const of = new Map([...grouped(each, ({ name }) => name)].map(([name, at]) => [name, at.map(({ place }) => place)]));
  const first = new Map<string, Place>();
  const several = severalSets(all, types);
  for (const place of all) {
    const root = types.get(place.declared)?.root ?? '';
    const known = first.get(root);
    // The root type's own table is that of a place without it only where this is the one set: others have tables unlike it.
    if (place.declared !== root && (place.kind !== 'EntitySet' || several.has(root))) continue;
    if (known === undefined || depthOf(place, types) < depthOf(known, types)) first.set(root, place);
  }
  const contained = new Map(
    all.toReversed().flatMap((place) => (place.containment === undefined ? [] : [[place.containment.property, place] as const])),
  );
  const members = new Map(
    all
      .toReversed()
      .filter(({ kind }) => kind !== 'Containment')
      .map((place) => [place.name, place]),
  );
  return { all, of, first, contained, members, several };
}

function severalSets(all: readonly Place[], types: BuiltTypes): ReadonlySet<string> {
  const names = new Map<string, Set<string>>();
  for (const { kind, name, declared } of all) {
    const root = types.get(declared)?.root;
    if (kind === 'EntitySet' && root !== undefined) names.set(root, new Set([...(names.get(root) ?? []), name]));
  }
  return new Set([...names].filter(([, sets]) => sets.size > 1).map(([root]) => root));
}

// The table with the type's own name is that of the most general place, so that it has room for all.
function depthOf({ declared }: Place, types: BuiltTypes): number {
  return types.get(declared)?.bases.length ?? 0;
}

// Sets come before singletons, since their records are what most requests are about.
function membersOf({ schemas }: Csdl, types: BuiltTypes, { scope, report }: Context): readonly Place[] {
  const [container] = schemas.flatMap(({ elements }) => elements.filter((element) => element.kind === 'EntityContainer'));
  const members = (container?.members ?? []).filter((member) => member.kind === 'EntitySet' || member.kind === 'Singleton');
  return members
    .toSorted((a, b) => a.kind.localeCompare(b.kind))
    .flatMap((member): readonly Place[] => {
      const written = member.kind === 'EntitySet' ? member.entityType : member.type;
      const declared = scope.qualify(written);
      if (types.has(declared)) return [{ kind: member.kind, name: member.name, declared, member }];
      report((member.kind === 'EntitySet' ? faults.entitySet : faults.singleton)(member.at, member.name, written, scope.suggest(declared)));
      return [];
    });
}

function containmentsOf(types: BuiltTypes, { scope }: Context): readonly Place[] {
  return [...types.values()].flatMap((type) =>
    type.ownNavigation.flatMap((property): readonly Place[] => {
      const declared = scope.qualify(property.type);
      if (!property.containsTarget || !types.has(declared)) return [];
      return [
        {
          kind: 'Containment',
          name: `${type.name}.${property.name}`,
          declared,
          containment: { owner: type.qualifiedName, property },
        },
      ];
    }),
  );
}

/** What tells a type's records at one place from those at its first one: nothing, or `@People`. */
export function suffixOf(type: BuiltType, place: Place | undefined, { first }: Places): string {
  return place === undefined || first.get(type.root ?? '') === place ? '' : `@${place.name}`;
}

/** The table that has a type's records at a place. */
export function tableAt(type: BuiltType, place: Place | undefined, places: Places): string {
  return databaseName(`${type.table}${tableSuffix(type, place, places)}`);
}

/**
 * What tells a type's table at one place from those at others: nothing, or `@People`. Of several sets each has its name
 * in it, since none of them is the first for good: a new one, or another order, must not give one the records of another.
 */
export function tableSuffix(type: BuiltType, place: Place | undefined, places: Places): string {
  return place?.kind === 'EntitySet' && places.several.has(type.root ?? '') ? `@${place.name}` : suffixOf(type, place, places);
}

/** The places at which a type has a node of its own; undefined stands for the table of its root type without a set. */
export function placesOfType({ qualifiedName, root }: BuiltType, { of, first }: Places): readonly (Place | undefined)[] {
  const known = of.get(qualifiedName) ?? [];
  const main = first.get(root ?? '');
  return main !== undefined && known.includes(main) ? [main, ...known.filter((place) => place !== main)] : [undefined, ...known];
}

/** Where a type's records are unless something says otherwise. */
export function usualPlace(type: BuiltType, places: Places): Place | undefined {
  return placesOfType(type, places).find((place) => place !== undefined);
}

/** The name of a type at a place in the container; where the place has only types that derive from it, that of the one declared there. */
export function nodeName(
  type: BuiltType,
  place: Place | undefined,
  { places, types }: { readonly places: Places; readonly types: BuiltTypes },
): string {
  const isThere = suffixOf(type, place, places) === '' || (place !== undefined && places.of.get(type.qualifiedName)?.includes(place));
  const there = isThere ? type : (types.get(place?.declared ?? '') ?? type);
  return `${there.name}${suffixOf(there, place, places)}`;
}
