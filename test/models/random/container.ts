import { lineOf, structuredOf, type ModelDraft, type NavigationDraft, type PlaceDraft, type StructuredDraft } from './drafts.js';
import { takeName } from './names.js';

/** Entity sets and singletons; most types that have a key have a set. */
export function addPlaces({ random, places, ...model }: ModelDraft): void {
  const names = new Set<string>();
  const types = structuredOf(model, 'EntityType');
  const keyed = types.filter((type) => lineOf(type).some(({ key }) => key.length > 0));
  const add = (kind: PlaceDraft['kind'], type: StructuredDraft): number =>
    places.push({ kind, name: takeName(random, names), type, nullable: kind === 'Singleton' && random.chance(0.4), bindings: [] });
  for (const type of keyed) {
    if (random.chance(type.base === undefined ? 0.85 : 0.25)) add('EntitySet', type);
    if (random.chance(0.1)) add('EntitySet', type);
  }
  for (const type of types) if (!type.abstract && random.chance(0.12)) add('Singleton', type);
  const [first] = keyed;
  if (!places.some(({ kind }) => kind === 'EntitySet') && first) add('EntitySet', first);
}

/** Where the navigation properties of each place lead, or not a word of it. */
export function addBindings(model: ModelDraft): void {
  for (const { type, bindings } of model.places) bindings.push(...bindingsOf(type, model));
}

// Paths to properties of derived types contain a cast.
function bindingsOf(type: StructuredDraft, model: ModelDraft): PlaceDraft['bindings'] {
  const { random } = model;
  const derived = structuredOf(model, 'EntityType').filter((other) => lineOf(other).includes(type));
  const owned = [
    ...lineOf(type).map((owner) => ({ owner, cast: '' })),
    ...derived.filter((other) => other !== type).map((owner) => ({ owner, cast: `${owner.schema.namespace}.${owner.name}/` })),
  ];
  return owned.flatMap(({ owner, cast }) =>
    owner.navigation.flatMap((navigation) => {
      const target = targetOf(navigation, model);
      return target === undefined || random.chance(0.25) ? [] : [[`${cast}${navigation.name}`, target] as const];
    }),
  );
}

function targetOf({ target, contains }: NavigationDraft, { random, places }: ModelDraft): string | undefined {
  const fitting = places.filter(({ kind, type }) => kind === 'EntitySet' && lineOf(target).includes(type));
  return contains || fitting.length === 0 ? undefined : random.pick(fitting).name;
}
