import { navigationOf, targetOf, type EntityType } from '../../edm/index.js';
import { isArray, isObject, type Json, type JsonObject } from '../../json/json.js';
import type { ExpandItem } from '../../uri/query-options.js';
import { accessTo } from '../caller.js';
import { maxExpandDepth } from '../limits.js';
import type { GraphContext } from './plan-link.js';
import { isReference } from './plan-members.js';

/** What an answer expands where the request does not say it: the records that the body wrote (protocol 11.4.2.2), as far as the caller may read them. */
export function expandOfBody(type: EntityType, bodies: readonly JsonObject[], context: Pick<GraphContext, 'container' | 'caller'>, depth = 1): readonly ExpandItem[] {
  const nested = new Map<string, JsonObject[]>();
  for (const [member, json] of bodies.flatMap(({ members }) => [...members])) {
    const name = member.replace(/@(?:odata\.)?delta$/, '');
    const written = writtenIn(json);
    if (navigationOf(type, name) && written.length > 0) nested.set(name, [...(nested.get(name) ?? []), ...written]);
  }
  if (depth > maxExpandDepth(type)) return [];
  return [...nested].flatMap(([name, inner]): readonly ExpandItem[] => {
    const navigation = navigationOf(type, name);
    const target = navigation && targetOf(context.container, navigation);
    if (navigation?.expandable === false || target === undefined || !accessTo(target, 'read', context.caller).allowed) return [];
    const expand = expandOfBody(target, inner, context, depth + 1);
    return [{ path: [{ name, at: 0 }], options: expand.length > 0 ? { expand } : {} }];
  });
}

// A reference writes nothing of the record that it leads to.
function writtenIn(json: Json): readonly JsonObject[] {
  const items = isArray(json) ? json.items : [json];
  return items.filter(isObject).filter((item) => !isReference(item));
}
