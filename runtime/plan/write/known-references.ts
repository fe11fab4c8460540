import { propertyOf, stepsOf, targetOf, type EntityContainer, type EntityType } from '../../edm/index.js';
import { isArray, isObject, type Json } from '../../json/json.js';
import { isOwnColumn } from '../linking-columns.js';
import { requireKnown } from '../passage.js';
import type { WriteContext } from './plan-write.js';

/** A property whose value says which record another one leads to. */
interface Saying {
  /** From the value of the record's own property to what says it, where that is a complex one. */
  readonly names: readonly string[];
  readonly target: EntityType;
}

/** By the record's own property. */
type Sayings = ReadonlyMap<string, readonly Saying[]>;

const sayings = new WeakMap<EntityType, Sayings>();

/** Refuses a value that refers to records of which the caller may not know whether they are there: it would be taken where they are. */
export function requireKnownReferences(type: EntityType, name: string, json: Json, { container, caller }: Pick<WriteContext, 'container' | 'caller'>): void {
  const known = sayings.get(type) ?? findSayings(type, container);
  sayings.set(type, known);
  for (const { names, target } of known.get(name) ?? []) {
    if (isSaid(json, names)) requireKnown(target, caller, name);
  }
}

// Looked for once a type. What everybody may read needs no asking.
function findSayings(type: EntityType, container: EntityContainer): Sayings {
  const found = new Map<string, Saying[]>();
  const add = ([name = '', ...names]: readonly string[], target: EntityType): void => {
    if (target.permissions.read !== undefined) found.set(name, [...(found.get(name) ?? []), { names, target }]);
  };
  for (const navigation of Object.values(type.navigation)) {
    const target = targetOf(container, navigation);
    if (navigation.container || navigation.through || !isOwnColumn(navigation, target)) continue;
    const paths = navigation.follows ?? Object.keys(navigation.join).filter(isProperty).map((column) => propertyOf(type, column));
    for (const path of paths) add(path.split('/'), target);
  }
  for (const [path, navigation] of Object.entries(type.itemNavigation ?? {})) {
    const steps = stepsOf(path).steps.map(({ name }) => name);
    for (const member of Object.keys(navigation.join).filter(isProperty)) add([...steps, member], targetOf(container, navigation));
  }
  return found;
}

function isProperty(column: string): boolean {
  return !column.startsWith('#');
}

function isSaid(json: Json, names: readonly string[]): boolean {
  if (isArray(json)) return json.items.some((item) => isSaid(item, names));
  const [name, ...rest] = names;
  if (name === undefined) return json !== null;
  return isObject(json) && isSaid(json.members.get(name) ?? null, rest);
}
