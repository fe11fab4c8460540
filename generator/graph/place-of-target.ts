import type { NavigationProperty } from '../csdl/csdl.js';
import type { BuiltType } from './build-type.js';
import { usualPlace, type Place, type Places, type Start } from './places.js';

/** The place to which a navigation property leads: what it contains, what a binding says, or where the target's records usually are. */
export function placeOfTarget(property: NavigationProperty, target: BuiltType, { place, places, types }: Start): Place | undefined {
  if (property.containsTarget) return places.all.find(({ containment }) => containment?.property === property);
  const name = boundName(property.name, place, places);
  const bound = places.all.find((candidate) => candidate.kind !== 'Containment' && candidate.name === name);
  return bound && isRelated(types.get(bound.declared), target) ? bound : usualPlace(target, places);
}

function isRelated(declared: BuiltType | undefined, target: BuiltType): boolean {
  return declared !== undefined && (declared === target || declared.bases.includes(target) || target.bases.includes(declared));
}

// Bindings of contained records stand at the set or singleton which their path begins with (CSDL XML 4.01, 13.4.1).
function boundName(name: string, place: Place | undefined, { all }: Places): string | undefined {
  const through = place?.containment?.property.name;
  const members = place?.member ? [place.member] : through === undefined ? [] : all.flatMap(({ member }) => member ?? []);
  const found = members.flatMap(({ bindings }) => bindings).find(({ path }) => {
    const names = path.split('/').filter((segment) => !segment.includes('.'));
    return names.at(-1) === name && names.at(-2) === through;
  });
  // The target may be written with the container in front.
  return found?.target.slice(found.target.lastIndexOf('/') + 1);
}
