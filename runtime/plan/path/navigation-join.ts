import { type EntityType, keyColumnOf, type Navigation, propertyOf } from '../../edm/index.js';
import { parameterOf, withParameter } from '../../expression/plan-parameter.js';
import type { RecordTarget } from './path-target.js';
import type { KnownKey } from './plan-key.js';
import type { ParentStep } from '../read-plan.js';
import type { Aliases } from '../scope.js';
import type { JoinStep, KeyCondition } from '../typed-expr.js';
import { conditionOf } from '../expr-facts.js';

/** Whether a single-valued navigation property's column is in the entity's own table, not in the target's. */
export function isOwnColumn(navigation: Navigation, target: EntityType): boolean {
  const keys = new Set(target.key.map((name) => keyColumnOf(target, name)));
  return !navigation.collection && Object.values(navigation.join).every((column) => column === '#id' || keys.has(column));
}

/** Whether several rows may match a single-valued navigation property: the targets refer, and rows of an earlier model may share one. */
function mayMeetSeveral(navigation: Navigation, target: EntityType): boolean {
  const { collection, contains, container, through } = navigation;
  return !(collection || contains || container || through) && !isOwnColumn(navigation, target);
}

/** The type whose row changes with a relation; with a join table the one whose property was written. */
export function holderOf(navigation: Navigation, type: EntityType, target: EntityType): EntityType {
  return navigation.through !== undefined || isOwnColumn(navigation, target) ? type : target;
}

/** The properties that store a reference: the entity's own or the target's; none with a join table. */
export function linkingProperties(type: EntityType, navigation: Navigation, target: EntityType): readonly string[] {
  if (isOwnColumn(navigation, target))
    return Object.keys({ ...navigation.join, ...navigation.mirrors }).map((column) => propertyOf(type, column));
  return [...Object.values(navigation.join), ...Object.values(navigation.mirroredBy ?? {})].map((column) => propertyOf(target, column));
}

/** Whether another navigation property, to other entities, has the same property (CSDL148). */
export function isShared({ join, mirrors = {} }: Navigation, type: EntityType): boolean {
  return Object.values(type.navigation).some(
    (other) => other.join !== join && Object.keys(other.mirrors ?? {}).some((column) => Object.hasOwn(mirrors, column)),
  );
}

/** The join along a navigation property, from a table of the statement. */
export function joinAlong(navigation: Navigation, target: EntityType, from: string, aliases: Aliases): JoinStep {
  return {
    alias: aliases.next(),
    table: target.table,
    from,
    on: Object.entries(navigation.join),
    ...(navigation.through && { through: navigation.through }),
    ...(mayMeetSeveral(navigation, target) && { first: true }),
  };
}

/** The key properties of a navigation target that the source entity determines (URL conventions 4.3.3). */
export function knownKey({ join, mirroredBy }: Navigation, from: { readonly key: readonly KeyCondition[] }, type: EntityType): KnownKey {
  const { key, fields, keyFields } = type;
  const tied = new Map(Object.entries({ ...join, ...mirroredBy }).map(([own, other]) => [other, own]));
  return new Map(
    key.flatMap((name): readonly [string, KeyCondition | undefined][] => {
      const column = keyColumnOf({ fields, ...(keyFields && { keyFields }) }, name);
      const own = tied.get(column);
      const condition = from.key.find((one) => one.column === own);
      return own === undefined ? [] : [[name, sameValue(condition, column)]];
    }),
  );
}

// A parameter stays one, so that the plan serves other keys.
function sameValue(condition: KeyCondition | undefined, column: string): KeyCondition | undefined {
  if (condition === undefined) return undefined;
  const from = parameterOf(condition);
  if (from === undefined) return { ...condition, column };
  return withParameter({ column, sqlType: condition.sqlType, value: '' }, 'value', from);
}

/** The join from the target of a navigation property back to the entity that has it. */
export function parentStep(
  target: Pick<RecordTarget, 'type' | 'alias' | 'key' | 'types' | 'filter'>,
  navigation: Navigation,
  child: EntityType,
): ParentStep {
  const { join, mirroredBy, through, follows, collection, contains, container, insertable } = navigation;
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
    ...(insertable !== undefined && { insertable }),
    ...(mirroredBy && { mirrors: backwards(mirroredBy) }),
    ...(through && { through }),
    ...(follows && { follows }),
    ...(mayMeetSeveral(navigation, child) && { firstOf: child.table }),
  };
}

function backwards(pairs: Navigation['join']): ParentStep['on'] {
  return Object.entries(pairs).map(([own, other]) => [other, own] as const);
}
