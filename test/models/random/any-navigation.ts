import { createRandom, type Random } from '../../permission/random.js';
import { lineOf, memberNames, structuredOf, type ModelDraft, type NavigationDraft, type StructuredDraft } from './drafts.js';
import { newName } from './names.js';
import { repeatedTypes } from './repeated-types.js';

/** The most entity sets that what leads to records of any type may lead to. */
const mostSets = 20;

/** Navigation properties to records of any type, with bindings or without. Chance is of its own, so that all else of a seed's model stays what it is. */
export function addAnyNavigation(seed: number, model: ModelDraft): void {
  const random = createRandom(seed + 1_000_000);
  const sets = model.places.filter(({ kind }) => kind === 'EntitySet');
  if (random.chance(0.4) || sets.length === 0 || sets.length > mostSets) return;
  const repeated = repeatedTypes(model);
  const types = [...structuredOf(model, 'EntityType'), ...structuredOf(model, 'ComplexType').filter((type) => !repeated.has(type))];
  for (const type of types) {
    if (!random.chance(0.35)) continue;
    const navigation = draftOf(random, type, sets[0]?.type ?? type, model);
    type.navigation.push(navigation);
    if (random.chance(0.5)) bind(random, navigation, type, model);
  }
}

function draftOf(random: Random, type: StructuredDraft, target: StructuredDraft, model: ModelDraft): NavigationDraft {
  const name = newName(random, memberNames(type, structuredOf(model, type.kind)));
  return { name, target, any: true, collection: random.chance(0.4), nullable: true, contains: false, constraints: [] };
}

// To one set, or to another one besides, whose type stands behind the path then: no path is bound twice (CSDL XML 4.01, 13.4.1).
function bind(random: Random, { name }: NavigationDraft, type: StructuredDraft, { places }: ModelDraft): void {
  const sets = places.filter(({ kind }) => kind === 'EntitySet');
  const [first, second] = [random.pick(sets), random.pick(sets)];
  const bound = [
    [name, first.name] as const,
    ...(second === first ? [] : [[`${name}/${second.type.schema.namespace}.${second.type.name}`, second.name] as const]),
  ];
  for (const place of places) if (lineOf(place.type).includes(type)) place.bindings.push(...bound);
}
