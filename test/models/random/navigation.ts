import { lineOf, memberNames, structuredOf, type ModelDraft, type NavigationDraft, type StructuredDraft } from './drafts.js';
import { newName } from './names.js';
import { repeatedTypes } from './repeated-types.js';

/** Navigation properties of entity types: to one, to many, contained, with partners and constraints. */
export function addNavigation(model: ModelDraft): void {
  const { random } = model;
  const entities = structuredOf(model, 'EntityType').filter(isAddressable);
  if (entities.length === 0) return;
  for (const type of structuredOf(model, 'EntityType')) {
    for (let count = random.below(4); count > 0; count--) addTo(type, random.pick(entities), model);
  }
  for (const type of structuredOf(model, 'EntityType')) removeBackReferences(type, model);
  const repeated = repeatedTypes(model);
  for (const type of structuredOf(model, 'ComplexType').filter((one) => !repeated.has(one))) {
    if (random.chance(0.35)) type.navigation.push(plain(model, type, random.pick(entities)));
  }
}

// A key, its own or inherited; without one there is nothing to refer to.
function isAddressable(type: StructuredDraft): boolean {
  return lineOf(type).some(({ key }) => key.length > 0);
}

function addTo(type: StructuredDraft, target: StructuredDraft, model: ModelDraft): void {
  const { random } = model;
  const kind = random.below(100);
  if (kind < 20) addContained(type, target, model);
  else if (kind < 45 && isAddressable(type)) addPair(type, target, model);
  else if (kind < 65 && hasSet(target, model)) addConstrained(type, target, model);
  else type.navigation.push(plain(model, type, target));
}

function addContained(type: StructuredDraft, target: StructuredDraft, model: ModelDraft): void {
  const { random } = model;
  const down: NavigationDraft = { ...plain(model, type, target), contains: true, nullable: true };
  type.navigation.push(down);
  if (!isAddressable(type) || random.chance(0.4)) return;
  const up: NavigationDraft = { ...plain(model, target, type), collection: false, nullable: true, partner: down.name };
  down.partner = up.name;
  target.navigation.push(up);
}

// A contained record leads back to its parent only where a single entity set holds the parents.
function removeBackReferences(type: StructuredDraft, model: ModelDraft): void {
  const isRelated = (other: StructuredDraft): boolean => lineOf(type).includes(other) || lineOf(other).includes(type);
  const places = model.places.filter((place) => isRelated(place.type));
  const isContained = structuredOf(model, 'EntityType').some(({ navigation }) =>
    navigation.some(({ contains, target }) => contains && isRelated(target)),
  );
  const [place] = places;
  if (places.length === 1 && place?.kind === 'EntitySet' && lineOf(type).includes(place.type) && !isContained) return;
  for (const down of type.navigation) {
    if (!down.contains || down.partner === undefined) continue;
    const index = down.target.navigation.findIndex(({ name }) => name === down.partner);
    down.target.navigation.splice(index, 1);
    delete down.partner;
  }
}

// Keys of contained records are unique beneath their parents only.
function hasSet(target: StructuredDraft, { places }: ModelDraft): boolean {
  return places.some(({ kind, type }) => kind === 'EntitySet' && type === target);
}

function plain(model: ModelDraft, type: StructuredDraft, target: StructuredDraft): NavigationDraft {
  const { random } = model;
  const collection = random.chance(0.45);
  return {
    name: newName(random, memberNames(type, structuredOf(model, type.kind))),
    target,
    collection,
    nullable: collection || !canBeNeeded(type, target, model) || random.chance(0.6),
    contains: false,
    constraints: [],
  };
}

// A record needs only what there may be before it: of a type that comes before its own, and in a set.
function canBeNeeded(type: StructuredDraft, target: StructuredDraft, model: ModelDraft): boolean {
  const types = structuredOf(model, 'EntityType');
  return (
    types.indexOf(target) < types.indexOf(type) &&
    !target.abstract &&
    target.base === undefined &&
    !target.stream &&
    model.places.some(({ kind, type: placed }) => kind === 'EntitySet' && placed === target)
  );
}

function addPair(type: StructuredDraft, target: StructuredDraft, model: ModelDraft): void {
  const { random } = model;
  const [there, back] = random.pick([
    [false, true],
    [true, false],
    [true, true],
    [false, false],
  ] as const);
  const one = { ...plain(model, type, target), collection: there, nullable: true };
  type.navigation.push(one);
  const other: NavigationDraft = { ...plain(model, target, type), collection: back, nullable: true, partner: one.name };
  one.partner = other.name;
  target.navigation.push(other);
}

// The property that repeats the key of the other record has its type and facets.
function addConstrained(type: StructuredDraft, target: StructuredDraft, model: ModelDraft): void {
  const { random } = model;
  const types = structuredOf(model, type.kind);
  const key = lineOf(target).find((one) => one.key.length > 0);
  const properties = key?.properties.filter(({ name }) => key.key.some(({ path }) => path === name)) ?? [];
  const nullable = !canBeNeeded(type, target, model) || random.chance(0.6);
  const constraints = properties.map((property) => {
    const name = newName(random, memberNames(type, types));
    type.properties.push({ ...property, name, nullable });
    return [name, property.name] as const;
  });
  if (constraints.length !== key?.key.length) return;
  type.navigation.push({ ...plain(model, type, target), collection: false, nullable, constraints });
}
