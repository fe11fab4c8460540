import type { EntityType, Navigation } from '../edm/index.js';
import { holderOf, mayMeetSeveral } from './linking-columns.js';
import { type RecordTarget } from './path-target.js';
import type { ParentStep } from './read-plan.js';
import { conditionOf } from './check/type-cast.js';

/** The join from the target of a navigation property back to the entity that has it. */
export function parentStep(
  target: Pick<RecordTarget, 'type' | 'alias' | 'key' | 'types' | 'filter'>,
  navigation: Navigation,
  child: EntityType,
): ParentStep {
  const { join, mirroredBy, through, follows, collection, contains, container } = navigation;
  const filter = conditionOf(target);
  return {
    type: target.type,
    alias: target.alias,
    table: target.type.table,
    key: target.key,
    on: backwards(join),
    holder: holderOf(navigation, target.type, child),
    ...(filter && { filter }),
    ...(collection && { toMany: true }),
    ...(contains && { contains }),
    ...((contains || container) && { fixed: true }),
    ...(mirroredBy && { mirrors: backwards(mirroredBy) }),
    ...(through && { through }),
    ...(follows && { follows }),
    ...(mayMeetSeveral(navigation, child) && { firstOf: child.table }),
  };
}

function backwards(pairs: Navigation['join']): ParentStep['on'] {
  return Object.entries(pairs).map(([own, other]) => [other, own] as const);
}
