import { propertyOf, targetOf, wayTo, type EntityContainer, type EntityType, type Navigation, type ValueWay } from '../../edm/index.js';
import type { Json } from '../../json/json.js';
import { valuesOn } from '../../json/values-on.js';
import { isOwnColumn } from '../linking-columns.js';
import { requireKnown } from '../passage.js';
import type { WriteContext } from './plan-write.js';

/** A property whose value says which record another one leads to. */
interface Saying {
  /** From the value of the record's own property to what says it, and the name of that, where the value is a complex one. */
  readonly within?: { readonly way: ValueWay; readonly member: string };
  readonly target: EntityType;
}

/** By the record's own property. */
type Sayings = ReadonlyMap<string, readonly Saying[]>;

const sayings = new WeakMap<EntityType, Sayings>();

/** Refuses a value that refers to records of which the caller may not know whether they are there: it would be taken where they are. */
export function requireKnownReferences(
  type: EntityType,
  name: string,
  json: Json,
  { container, caller }: Pick<WriteContext, 'container' | 'caller'>,
): void {
  const known = sayings.get(type) ?? findSayings(type, container);
  sayings.set(type, known);
  for (const { within, target } of known.get(name) ?? []) {
    if (
      within === undefined
        ? json !== null
        : valuesOn(json, within.way, [name]).some((value) => (value.json.members.get(within.member) ?? null) !== null)
    )
      requireKnown(target, caller, name);
  }
}

// Looked for once a type. What everybody may read needs no asking.
function findSayings(type: EntityType, container: EntityContainer): Sayings {
  const found = new Map<string, Saying[]>();
  const add = (path: string, target: EntityType): void => {
    const [name = ''] = path.split('/');
    const way = wayTo(type, path).names.get(name);
    if (target.permissions.read !== undefined)
      found.set(name, [
        ...(found.get(name) ?? []),
        { ...(way && { within: { way, member: path.slice(path.lastIndexOf('/') + 1) } }), target },
      ]);
  };
  for (const navigation of Object.values(type.navigation)) {
    const target = targetOf(container, navigation);
    if (navigation.container || navigation.through || !(isOwnColumn(navigation, target) || isChecked(navigation))) continue;
    const paths =
      navigation.follows ??
      Object.keys(navigation.join)
        .filter(isProperty)
        .map((column) => propertyOf(type, column));
    for (const path of paths) add(path, target);
  }
  for (const [path, navigation] of Object.entries(type.itemNavigation ?? {})) {
    const value = path.slice(0, path.lastIndexOf('/'));
    for (const member of Object.keys(navigation.join).filter(isProperty)) add(`${value}/${member}`, targetOf(container, navigation));
  }
  return found;
}

// Whether its values are those of a record is told, though they are no key.
function isChecked({ follows, required }: Navigation): boolean {
  return follows !== undefined && required === true;
}

function isProperty(column: string): boolean {
  return !column.startsWith('#');
}
