import { isDirect, targetOf, type EntityContainer, type EntityType, type Navigation } from '../edm/index.js';
import type { Json, JsonObject } from '../json/json.js';
import { isOwnColumn, linkingProperties } from '../plan/linking-columns.js';
import { sampleValue } from './sample-value.js';

/** The id of the record that a navigation property of a sample leads to, as a body says it; undefined for none. */
type ReferTo = (target: EntityType) => string | undefined;

/** The body that creates a sample of a type: every property that a client may set, and every reference that there is a record for. */
export function sampleBody(type: EntityType, index: number, container: EntityContainer, referTo: ReferTo): JsonObject {
  const members = new Map<string, Json>();
  const related = new Set<string>();
  for (const { name, navigation, target } of ownReferences(type, container)) {
    const linking = linkingProperties(type, navigation, target);
    // Two navigation properties over one column lead to the same record, and one of them says so.
    if (linking.some((property) => related.has(property))) continue;
    const id = referTo(target);
    if (id !== undefined) members.set(`${name}@odata.bind`, id);
    for (const property of linking) related.add(property);
  }
  for (const [name, navigation] of Object.entries(type.navigation)) {
    // Of two types whose records are related many to many, the later one relates them.
    const id = navigation.through && isDirect(name) ? referTo(targetOf(container, navigation)) : undefined;
    if (id !== undefined) members.set(`${name}@odata.bind`, { kind: 'array', items: [id] });
  }
  for (const [name, field] of Object.entries(type.fields)) {
    if (!related.has(name) && isSettable(type, name)) members.set(name, sampleValue(field, { container, name, index, isKey: type.key.includes(name), depth: 0 }));
  }
  return { kind: 'object', members };
}

/** The navigation properties whose column is the record's own. */
export function ownReferences(type: EntityType, container: EntityContainer): readonly { readonly name: string; readonly navigation: Navigation; readonly target: EntityType }[] {
  return Object.entries(type.navigation)
    .map(([name, navigation]) => ({ name, navigation, target: targetOf(container, navigation) }))
    .filter(({ name, navigation, target }) => isOwnColumn(navigation, target) && !navigation.follows && !navigation.container && isDirect(name));
}

// What the service gives is left to it, and a state begins where it begins.
function isSettable({ rules, key, keyGeneration }: EntityType, name: string): boolean {
  return !rules.computed.includes(name) && !rules.initialOnly.includes(name) && !(keyGeneration !== undefined && key.includes(name));
}
