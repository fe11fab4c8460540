import type { EntityContainer } from '../csdl/csdl.js';
import { shortTerm, terms } from '../csdl/terms.js';
import { recordValues, restrictionValue } from '../csdl/vocabulary.js';
import { faults } from '../faults.js';
import { buildSet, lowerAnnotations, type BuiltSet, type Restriction } from './build-set.js';
import type { Context } from './context.js';
import type { Place, Places } from './places.js';

/** The restrictions of every entity source; those of undefined are for types without one. */
export function buildSets(
  { all, of }: Places,
  container: EntityContainer | undefined,
  path: string,
  context: Context,
): ReadonlyMap<Place | undefined, BuiltSet> {
  const sets = new Map<Place | undefined, BuiltSet>([[undefined, buildSet(undefined, container, path, context)]]);
  const rest = new Set(all);
  // Parents come first; among types that contain each other, any one.
  while (rest.size > 0) {
    const isNext = ({ containment }: Place): boolean =>
      containment === undefined || (of.get(containment.owner) ?? []).some((place) => sets.has(place));
    const next = [...rest].find(isNext) ?? [...rest][0];
    if (next === undefined) break;
    const owner = (of.get(next.containment?.owner ?? '') ?? []).find((place) => sets.has(place));
    sets.set(
      next,
      next.containment
        ? containedSet(next, next.containment, sets.get(owner) as BuiltSet, context)
        : buildSet(next, container, path, context),
    );
    checkRestricted(next, sets.get(next) as BuiltSet, context);
    rest.delete(next);
  }
  return sets;
}

// Annotations of contained entities are at the navigation property, or in the set's NavigationRestrictions.
function containedSet(place: Place, { owner, property }: NonNullable<Place['containment']>, parent: BuiltSet, context: Context): BuiltSet {
  const notes = context.notesOf(`${owner}/${property.name}`, property.annotations);
  const restriction: Restriction = (term) =>
    restrictionValue(notes.find(term)?.value, term, context.report) ?? restrictedAlong(property.name, parent, context)(term);
  const built = lowerAnnotations(
    { place, notes, containerNotes: { find: () => undefined, qualified: () => [] }, restriction, inherited: parent },
    context,
  );
  return { ...built, limits: parent.limits };
}

function restrictedAlong(name: string, { restriction }: BuiltSet, { report }: Context): Restriction {
  const listed = restriction(terms.navigation)?.member('RestrictedProperties');
  const items = recordValues(listed, terms.navigationProperty, report);
  const found = items.find((item) => {
    const path = item.member('NavigationProperty');
    return path?.kind === 'path' && path.value === name;
  });
  // An unreadable list may restrict this one.
  const isRead = listed === undefined || listed.kind === 'collection' || listed.kind === 'null';
  if (!isRead) return (term) => restrictionValue(listed, term, () => undefined);
  return (term) => restrictionValue(found?.member(term.slice(term.lastIndexOf('.') + 1)), term, report);
}

// Restrictions of unknown properties would be lost; omitted ones have been reported.
function checkRestricted({ declared, member }: Place, { restriction }: BuiltSet, { report, leadsSomewhere, scope }: Context): void {
  if (member === undefined) return;
  const definition = scope.definitions.get(declared);
  const leftOut = definition?.kind === 'EntityType' ? (definition.leftOut ?? []) : [];
  for (const item of recordValues(
    restriction(terms.navigation)?.member('RestrictedProperties'),
    terms.navigationProperty,
    () => undefined,
  )) {
    const path = item.member('NavigationProperty');
    if (path?.kind !== 'path' || leadsSomewhere(`${declared}/${path.value}`) || leftOut.includes(path.value)) continue;
    report(faults.unknownNavigation(path.at, shortTerm(terms.navigation), path.value, declared.slice(declared.lastIndexOf('.') + 1), ''));
  }
}
