import type { Csdl, EntitySet, NavigationProperty, Singleton } from '../../csdl/csdl.js';
import { elementsOf } from '../../csdl/map-elements.js';
import { faults } from '../../faults.js';
import { grouped } from '../../../runtime/edm/grouped.js';
import { databaseName } from '../names/names.js';
import type { BuiltType, BuiltTypes, Context, Places, Start } from '../built-model.js';
import type { Place } from '../storage.js';
import { qualifiedSegments, withoutCasts, targetNames } from '../names/scope.js';
import { memoized } from '../../../runtime/edm/memoized.js';

/** Whether an entity source holds several entities, which have keys. */
export function isMany({ kind, containment }: Place): boolean {
  return kind === 'EntitySet' || containment?.property.collection === true;
}

/** Collects the entity sources, and reports invalid ones. */
export function placesOf(csdl: Csdl, types: BuiltTypes, derived: ReadonlyMap<string, readonly string[]>, context: Context): Places {
  const all = [...membersOf(csdl, types, context), ...containmentsOf(types, context)];
  const each = all.flatMap((place) => [place.declared, ...(derived.get(place.declared) ?? [])].map((name) => ({ name, place })));
  const of = new Map([...grouped(each, ({ name }) => name)].map(([name, at]) => [name, at.map(({ place }) => place)]));
  const first = new Map<string, Place>();
  const several = severalSets(all, types);
  for (const place of all) {
    const root = types.get(place.declared)?.root ?? '';
    const known = first.get(root);
    // The root type's table without an entity source is the set's only where there is one set: other entity sources
    // have different tables.
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

// The table with the plain name belongs to the entity source with the most general type, whose columns suffice for all.
function depthOf({ declared }: Place, types: BuiltTypes): number {
  return types.get(declared)?.bases.length ?? 0;
}

// Sets precede singletons, since most requests are for sets.
function membersOf(csdl: Csdl, types: BuiltTypes, { scope, report }: Context): readonly Place[] {
  const [container] = elementsOf(csdl, 'EntityContainer');
  const members = (container?.element.members ?? []).filter((member) => member.kind === 'EntitySet' || member.kind === 'Singleton');
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

/** The suffix of a type in an entity source: empty for its first one, or `@People`. */
export function suffixOf(type: BuiltType, place: Place | undefined, { first }: Places): string {
  return place === undefined || first.get(type.root ?? '') === place ? '' : `@${place.name}`;
}

/** The table of a type in an entity source. */
export function tableAt(type: BuiltType, place: Place | undefined, places: Places): string {
  return databaseName(`${type.table}${tableSuffix(type, place, places)}`);
}

/**
 * The suffix of a type's table in an entity source: empty, or `@People`. With several sets each table has a suffix, so
 * that a new set or another order never assigns one set's rows to another.
 */
export function tableSuffix(type: BuiltType, place: Place | undefined, places: Places): string {
  return place?.kind === 'EntitySet' && places.several.has(type.root ?? '') ? `@${place.name}` : suffixOf(type, place, places);
}

/** The entity sources for which a type has its own node; undefined stands for the root type's table without a set. */
export function placesOfType({ qualifiedName, root }: BuiltType, { of, first }: Places): readonly (Place | undefined)[] {
  const known = of.get(qualifiedName) ?? [];
  const main = first.get(root ?? '');
  return main !== undefined && known.includes(main) ? [main, ...known.filter((place) => place !== main)] : [undefined, ...known];
}

/** The default entity source of a type. */
function usualPlace(type: BuiltType, places: Places): Place | undefined {
  return placesOfType(type, places).find((place) => place !== undefined);
}

/** The name of a type's node in an entity source; where that has only derived types, that of its declared type. */
export function nodeName(
  type: BuiltType,
  place: Place | undefined,
  { places, types }: { readonly places: Places; readonly types: BuiltTypes },
): string {
  const isThere = suffixOf(type, place, places) === '' || (place !== undefined && places.of.get(type.qualifiedName)?.includes(place));
  const there = isThere ? type : (types.get(place?.declared ?? '') ?? type);
  return `${there.name}${suffixOf(there, place, places)}`;
}

/** The entity source of a navigation property's target: its containment, its binding, or the target's default. */
export function placeOfTarget(property: NavigationProperty, type: BuiltType, target: BuiltType, start: Start): Place | undefined {
  const { place, places, types, context } = start;
  if (property.containsTarget) return places.contained.get(property);
  const name = boundName(property.name.split('/'), place, places, {
    qualify: context.scope.qualify,
    isOfType: (cast) => isRelated(types.get(context.scope.qualify(cast)), type),
  });
  const bound =
    name === undefined ? undefined : boundPlace(targetNames(name, containerOf(context.csdl)), places, types, context.scope.qualify);
  return bound && isRelated(types.get(bound.declared), target) ? bound : usualPlace(target, places);
}

/** The entity source of a binding's target: a set, a singleton, or a containment of a singleton. */
function boundPlace(
  [first, ...rest]: readonly string[],
  { all, members }: Places,
  types: Start['types'],
  qualify: Names['qualify'],
): Place | undefined {
  let place = members.get(first ?? '');
  let type = place?.declared ?? '';
  for (const segment of rest) {
    if (segment.includes('.')) {
      type = qualify(segment);
      continue;
    }
    const contained = all.find(
      ({ containment }) => containment?.property.name === segment && isRelated(types.get(type), types.get(containment.owner)),
    );
    if (contained === undefined) return place;
    place = contained;
    type = contained.declared;
  }
  return place;
}

const containerOf = memoized((csdl: Csdl) => elementsOf(csdl, 'EntityContainer')[0]?.element.name ?? '');

/** Whether two types are the same, or one derives from the other. */
export function isRelated(declared: BuiltType | undefined, target: BuiltType | undefined): boolean {
  return (
    declared !== undefined &&
    target !== undefined &&
    (declared === target || declared.bases.includes(target) || target.bases.includes(declared))
  );
}

interface Names {
  readonly qualify: (name: string) => string;
  /** Whether a cast keeps entities of the type. */
  readonly isOfType: (cast: string) => boolean;
}

// Bindings of contained entities are at the set or singleton where their path begins (CSDL XML 4.01, 13.4.1).
function boundName(wanted: readonly string[], place: Place | undefined, { all }: Places, { qualify, isOfType }: Names): string | undefined {
  const through = place?.containment?.property.name;
  const members = place?.member ? [place.member] : through === undefined ? [] : all.flatMap(({ member }) => member ?? []);
  const names = withoutCasts(wanted);
  const found = members
    .flatMap((member) => bindingsOf(member).get(names.at(-1) ?? '') ?? [])
    .find(({ path }) => {
      const segments = qualifiedSegments(path, qualify);
      const own = segments.slice(beginOf(segments, names.length));
      const cast = segments.at(-1 - own.length) ?? '';
      const before = withoutCasts(segments).slice(0, -names.length);
      const isThrough = through === undefined ? before.length === 0 : before.at(-1) === through;
      const isPath = withoutCasts(own).join('/') === names.join('/') && castsOf(wanted).every((type) => own.includes(type)) && isThrough;
      return isPath && (!cast.includes('.') || isOfType(cast));
    });
  return found?.target;
}

/** The bindings of a set or singleton by the last name of their path, optionally followed by casts. */
const bindingsOf = memoized((member: EntitySet | Singleton) =>
  grouped(member.bindings, ({ path }) => withoutCasts(path.split('/')).at(-1) ?? ''),
);

function castsOf(segments: readonly string[]): readonly string[] {
  return segments.filter((segment) => segment.includes('.'));
}

// The index of the last names; some may be preceded by casts.
function beginOf(segments: readonly string[], names: number): number {
  const places = [...segments.keys()].filter((index) => !segments[index]?.includes('.'));
  return places.at(-names) ?? segments.length;
}
