import { isDirect, navigationOf, qualify, targetOf, type EntityContainer, type EntityType, type Navigation } from '../../edm/index.js';
import { anyNavigationOf, nestedNavigationOf } from '../path/nested-path.js';
import { entityTypeNamed } from '../path/derivation.js';
import { isArray, isObject, type Json, type JsonObject } from '../../json/json.js';
import type { ExpandItem } from '../../uri/query-options.js';
import { readableArms } from '../any-navigation.js';
import { accessTo, isHidden } from '../caller.js';
import { maxWrittenDepth } from '../limits.js';
import { createdType } from './body-type.js';
import { nestedMembers } from './nested-members.js';
import type { GraphContext } from './plan-link.js';
import { isReference } from './plan-members.js';

/** What an answer expands where the request does not say it: the records that the body wrote (protocol 11.4.2.2), as far as the caller may read them. */
export function expandOfBody(
  type: EntityType,
  bodies: readonly JsonObject[],
  context: Pick<GraphContext, 'container' | 'caller'>,
  depth = 1,
): readonly ExpandItem[] {
  if (depth > maxWrittenDepth) return [];
  const nested = new Map<string, Nested>();
  for (const body of bodies) {
    for (const { path, navigation, written } of nestedIn(type, body, context.container))
      nested.set(path, { navigation, written: [...(nested.get(path)?.written ?? []), ...written] });
  }
  return [
    ...anyCollections(type, bodies, context),
    ...[...nested].flatMap(([path, { navigation, written }]): readonly ExpandItem[] => {
      const target = targetOf(context.container, navigation);
      if (navigation.expandable === false || isHidden(type, path, context.caller) || !accessTo(target, 'read', context.caller).allowed)
        return [];
      const expand = expandOfBody(target, written, context, depth + 1);
      return [{ path: path.split('/').map((name) => ({ name, at: 0 })), options: expand.length > 0 ? { expand } : {}, written: true }];
    }),
  ];
}

// Records of any type are shown as a whole.
function anyCollections(
  type: EntityType,
  bodies: readonly JsonObject[],
  { container, caller }: Pick<GraphContext, 'container' | 'caller'>,
): readonly ExpandItem[] {
  const written = bodies.flatMap((body) => {
    const actual = createdType(type, body, container).type;
    return Object.entries(actual.anyNavigation ?? {})
      .filter(
        ([name, any]) =>
          any.collection &&
          !isHidden(actual, name, caller) &&
          readableArms(actual, any, { container, caller }).length > 0 &&
          writesIn(name, actual, body, container),
      )
      .map(([name]) => (anyNavigationOf(type, name) ? name : `${ownerOf(actual, name, container)}/${name}`));
  });
  return [...new Set(written)].map((path) => ({ path: path.split('/').map((name) => ({ name, at: 0 })), options: {}, written: true }));
}

function writesIn(name: string, type: EntityType, body: JsonObject, container: EntityContainer): boolean {
  const members = isDirect(name) ? body.members : new Map(nestedMembers(type, body, container));
  return [name, `${name}@delta`, `${name}@odata.delta`].some((member) => writtenIn(members.get(member) ?? null).length > 0);
}

// The first type in its line that has the property.
function ownerOf(type: EntityType, name: string, container: EntityContainer): string {
  const line = [type, ...(type.baseTypes ?? []).flatMap((base) => entityTypeNamed(container, base, type) ?? [])];
  return (line.findLast((one) => anyNavigationOf(one, name)) ?? type).qualifiedName;
}

/** The records that a body wrote along a navigation property. */
interface Nested {
  readonly navigation: Navigation;
  readonly written: readonly JsonObject[];
}

// What only a derived type has stands behind the cast to it, whatever further type the record is of.
function nestedIn(declared: EntityType, body: JsonObject, container: EntityContainer): readonly (Nested & { readonly path: string })[] {
  const { type } = createdType(declared, body, container);
  const line = [type, ...(type.baseTypes ?? []).flatMap((name) => entityTypeNamed(container, name, type) ?? [])];
  const byOwner = (name: string, has: (one: EntityType) => unknown): string => {
    const owner = has(declared) ? undefined : line.findLast(has);
    return owner === undefined ? name : `${owner.qualifiedName}/${name}`;
  };
  const own = [...body.members, ...nestedMembers(type, body, container)].flatMap(([member, json]) => {
    const name = armOfBody(type, member.replace(/@(?:odata\.)?delta$/, ''), json, container);
    const navigation = navigationOf(type, name);
    return navigation === undefined
      ? []
      : [{ path: byOwner(name, (one) => navigationOf(one, name)), navigation, written: writtenIn(json) }];
  });
  return own.filter(({ written }) => written.length > 0);
}

// What leads to records of any type has a path for the one that the new record says.
function armOfBody(type: EntityType, name: string, json: Json, container: EntityContainer): string {
  const stated = isObject(json) ? (json.members.get('@odata.type') ?? json.members.get('@type')) : undefined;
  if (typeof stated !== 'string' || type.anyNavigation === undefined || anyNavigationOf(type, name) === undefined) return name;
  return (
    nestedNavigationOf(type, [...name.split('/'), qualify(container, stated.slice(stated.lastIndexOf('#') + 1))], container)?.path ?? name
  );
}

// A reference writes nothing of the record that it leads to.
function writtenIn(json: Json): readonly JsonObject[] {
  const items = isArray(json) ? json.items : [json];
  return items.filter(isObject).filter((item) => !isReference(item));
}
