import { navigationOf, type EntityType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import type { Json, JsonObject } from '../../json/json.js';
import { planRelation } from './plan-graph.js';
import type { GraphContext } from './plan-link.js';
import type { WritePlan } from './write-plan.js';

/** An added or deleted link of a delta (JSON format 15.5 and 15.6). */
export interface DeltaLink {
  readonly operation: 'link' | 'unlink';
  readonly source: string;
  /** The navigation property of the source. */
  readonly relationship: string;
  readonly target: string;
}

/** The link of a delta's object; undefined if its context is not that of a link. */
export function linkOf({ members }: JsonObject, at: string): DeltaLink | undefined {
  const said = members.get('@odata.context') ?? members.get('@context');
  const [, kind] = (typeof said === 'string' && /\$(link|deletedLink)$/i.exec(said)) || [];
  if (kind === undefined) return undefined;
  const text = (name: string): string => {
    const value = members.get(name);
    if (typeof value !== 'string')
      throw errors.missingRequired(name, `${name} is required: a link has a source, a relationship and a target.`).at(`${at}.${name}`);
    return value;
  };
  return {
    operation: kind.toLowerCase() === 'link' ? 'link' : 'unlink',
    source: text('source'),
    relationship: text('relationship'),
    target: text('target'),
  };
}

/** A link as the equivalent update of its source. */
export function planDeltaLink(type: EntityType, { operation, relationship, target }: DeltaLink, context: GraphContext): WritePlan {
  const navigation = navigationOf(type, relationship);
  if (navigation === undefined)
    throw errors
      .unknownName(`navigation property ${relationship}`, type.name, suggestion(relationship, Object.keys(type.navigation)))
      .at('relationship');
  const removed: readonly (readonly [string, Json])[] = operation === 'link' ? [] : [['@removed', object(['reason', 'changed'])]];
  const reference = object(...removed, ['@id', target]);
  return planRelation(
    type,
    navigation.collection ? `${relationship}@delta` : relationship,
    navigation.collection ? { kind: 'array', items: [reference] } : reference,
    context,
  );
}

function object(...members: readonly (readonly [string, Json])[]): JsonObject {
  return { kind: 'object', members: new Map(members) };
}
