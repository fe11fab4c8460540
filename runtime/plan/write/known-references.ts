import { propertyOf, targetOf, type EntityContainer, type EntityType } from '../../edm/index.js';
import { isObject, type Json } from '../../json/json.js';
import { isOwnColumn } from '../linking-columns.js';
import { requireKnown } from '../navigation-access.js';
import { shownPath } from '../shown-path.js';
import type { WriteContext } from './plan-write.js';

/** A property whose value references another entity. */
interface Saying {
  /** The path from the entity's property, if that is a complex value. */
  readonly within: readonly string[];
  readonly target: EntityType;
}

/** By the record's own property. */
type Sayings = ReadonlyMap<string, readonly Saying[]>;

const sayings = new WeakMap<EntityType, Sayings>();

/** Rejects references to entities whose existence the caller may not learn: the write would succeed if they exist. */
export function requireKnownReferences(
  type: EntityType,
  name: string,
  json: Json,
  { container, caller }: Pick<WriteContext, 'container' | 'caller'>,
): void {
  const known = sayings.get(type) ?? findSayings(type, container);
  sayings.set(type, known);
  for (const { within, target } of known.get(name) ?? []) {
    const value = within.reduce<Json>((outer, member) => (isObject(outer) ? (outer.members.get(member) ?? null) : null), json);
    if (value !== null) requireKnown(target, caller, name);
  }
}

// Computed once per type. Entities that everybody may read need no check.
function findSayings(type: EntityType, container: EntityContainer): Sayings {
  const found = new Map<string, Saying[]>();
  const add = (path: string, target: EntityType): void => {
    const [name = '', ...within] = shownPath(path);
    if (target.permissions.read !== undefined) found.set(name, [...(found.get(name) ?? []), { within, target }]);
  };
  for (const navigation of Object.values(type.navigation)) {
    const target = targetOf(container, navigation);
    if (navigation.container || navigation.through || !isOwnColumn(navigation, target)) continue;
    const paths =
      navigation.follows ??
      Object.keys(navigation.join)
        .filter(isProperty)
        .map((column) => propertyOf(type, column));
    for (const path of paths) add(path, target);
  }
  return found;
}

function isProperty(column: string): boolean {
  return !column.startsWith('#');
}
