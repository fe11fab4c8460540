import type { EntityType } from '../edm/index.js';
import type { JsonObject } from '../json/json.js';
import { isAwaited } from '../store/lead-back.js';

/** The navigation properties of a type that are their own partners, and lead somewhere at any time. */
export function neededPartners({ navigation }: EntityType): readonly string[] {
  return Object.entries(navigation)
    .filter(([, one]) => isAwaited(one))
    .map(([name]) => name);
}

/** The body of the first sample of a pair, which the second one leads to. */
export function withoutPartners(type: EntityType, { members }: JsonObject): JsonObject {
  const names = new Set(neededPartners(type).map((name) => `${name}@odata.bind`));
  return { kind: 'object', members: new Map([...members].filter(([member]) => !names.has(member))) };
}
