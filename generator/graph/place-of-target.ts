import type { NavigationProperty } from '../csdl/csdl.js';
import type { BuiltType } from './build-type.js';
import { usualPlace, type Place, type Places, type Start } from './places.js';

/** The place to which a navigation property leads: what it contains, what a binding says, or where the target's records usually are. */
export function placeOfTarget(property: NavigationProperty, type: BuiltType, target: BuiltType, { place, places, types, context }: Start): Place | undefined {
  if (property.containsTarget) return places.all.find(({ containment }) => containment?.property === property);
  const name = boundName(property.name, place, places, (cast) => isRelated(types.get(context.scope.qualify(cast)), type));
  const bound = places.all.find((candidate) => candidate.kind !== 'Containment' && candidate.name === name);
  return bound && isRelated(types.get(bound.declared), target) ? bound : usualPlace(target, places);
}

function isRelated(declared: BuiltType | undefined, target: BuiltType): boolean {
  return declared !== undefined && (declared === target || declared.bases.includes(target) || target.bases.includes(declared));
}

// Bindings of contained records stand at the set or singleton which their path begins with (CSDL XML 4.01, 13.4.1).
function boundName(name: string, place: Place | undefined, { all }: Places, isOfType: (cast: string) => boolean): string | undefined {
  const through = place?.containment?.property.name;
  const members = place?.member ? [place.member] : through === undefined ? [] : all.flatMap(({ member }) => member ?? []);
  const wanted = name.split('/');
  const found = members.flatMap(({ bindings }) => bindings).find(({ path }) => {
    const segments = path.split('/');
    const names = segments.filter((segment) => !segment.includes('.'));
    const cast = segments.at(-1 - wanted.length) ?? '';
    const isPath = wanted.every((segment, index) => names.at(index - wanted.length) === segment) && names.at(-1 - wanted.length) === through;
    return isPath && (!cast.includes('.') || isOfType(cast));
  });
  // The target may be written with the container in front.
  return found?.target.slice(found.target.lastIndexOf('/') + 1);
}
