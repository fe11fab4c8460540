import type { Csdl, EntitySet, NavigationProperty, Singleton } from '../../csdl/csdl.js';
import { elementsOf } from '../../csdl/map-elements.js';
import { grouped } from '../../../runtime/edm/grouped.js';
import { usualPlace } from './places.js';
import { qualifiedSegments, withoutCasts, targetNames } from '../names/scope.js';
import type { BuiltType, Places, Start } from '../built-model.js';
import type { Place } from '../storage.js';
import { memoized } from '../../../runtime/edm/memoized.js';

/** The entity source of a navigation property's target: its containment, its binding, or the target's default. */
export function placeOfTarget(
  property: NavigationProperty,
  type: BuiltType,
  target: BuiltType,
  { place, places, types, context }: Start,
): Place | undefined {
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
