import { type EntityContainer, type EntityType, type Navigation, navigationOf, targetOf } from '../../edm/index.js';
import { entityTypeNamed } from '../path/derivation.js';
import { isArray, isObject, type Json, type JsonObject } from '../../json/json.js';
import type { ExpandItem } from '../../uri/query-options.js';
import { accessTo, isHidden } from '../caller.js';
import { maxWrittenDepth } from '../limits.js';
import { createdType, isReference, nestedMembers } from './entity-body.js';
import type { GraphContext } from './plan-link.js';

/** The default expansion of an answer: the entities that the body wrote (protocol 11.4.2.2), if the caller may read them. */
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
  return [...nested].flatMap(([path, { navigation, written }]): readonly ExpandItem[] => {
    const target = targetOf(context.container, navigation);
    if (navigation.expandable === false || isHidden(type, path, context.caller) || !accessTo(target, 'read', context.caller).allowed)
      return [];
    const expand = expandOfBody(target, written, context, depth + 1);
    return [{ path: path.split('/').map((name) => ({ name, at: 0 })), options: expand.length > 0 ? { expand } : {}, written: true }];
  });
}

/** The records that a body wrote along a navigation property. */
interface Nested {
  readonly navigation: Navigation;
  readonly written: readonly JsonObject[];
}

// Members of a derived type follow a cast to it, whatever further type the entity has.
function nestedIn(declared: EntityType, body: JsonObject, container: EntityContainer): readonly (Nested & { readonly path: string })[] {
  const { type } = createdType(declared, body, container);
  const line = [type, ...(type.baseTypes ?? []).flatMap((name) => entityTypeNamed(container, name, type) ?? [])];
  const byOwner = (name: string, has: (one: EntityType) => unknown): string => {
    const owner = has(declared) ? undefined : line.findLast(has);
    return owner === undefined ? name : `${owner.qualifiedName}/${name}`;
  };
  const own = [...body.members, ...nestedMembers(type, body, container)].flatMap(([member, json]) => {
    const name = member.replace(/@(?:odata\.)?delta$/, '');
    const navigation = navigationOf(type, name);
    return navigation === undefined
      ? []
      : [{ path: byOwner(name, (one) => navigationOf(one, name)), navigation, written: writtenIn(json) }];
  });
  return own.filter(({ written }) => written.length > 0);
}

// A reference writes nothing of its target.
function writtenIn(json: Json): readonly JsonObject[] {
  const items = isArray(json) ? json.items : [json];
  return items.filter(isObject).filter((item) => !isReference(item));
}
