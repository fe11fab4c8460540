import { type EntityContainer, type EntityType, type Navigation, type StoredRecord, targetOf } from '../../edm/index.js';
import { isOwnColumn, parentStep } from '../../plan/path/navigation-join.js';
import type { Connection } from '../../sql/statement.js';
import { byNumber, fromParent, givenByParent } from '../../store/locate-record.js';
import { mayLeaveOut, neededWithin, ownReferences } from './sample-record.js';

/** The types in an order in which referenced entities come first, unless there is a cycle; in a cycle required references come first. */
export function sampleOrder(container: EntityContainer): readonly EntityType[] {
  const types = Object.values(container.entityTypes);
  const ways = new Map(types.map((type) => [type, waysFrom(type, container)]));
  const needs = new Map(types.map((type) => [type, neededFrom(type, ways)]));
  const ordered = new Set<EntityType>();
  const open = new Set<EntityType>();
  const visit = (type: EntityType): void => {
    if (ordered.has(type) || open.has(type)) return;
    open.add(type);
    for (const { target, required } of ways.get(type) ?? []) {
      // It waits for a record of this type, or of one that waits for this, and can be left out here.
      const waits = !required && [...(needs.get(target) ?? [])].some((needed) => open.has(needed));
      if (!waits) visit(target);
    }
    open.delete(type);
    ordered.add(type);
  };
  types.forEach(visit);
  return [...ordered];
}

/** A type of records that samples of another refer to. */
interface Way {
  readonly target: EntityType;
  /** They cannot be without. */
  readonly required: boolean;
}

// Parents come first; a complex value's reference with a generated key has its key by then.
function waysFrom(type: EntityType, container: EntityContainer): readonly Way[] {
  const followed = Object.values(type.navigation)
    .filter(({ follows }) => follows !== undefined)
    .map((navigation) => ({ navigation, target: targetOf(container, navigation) }));
  const own = ownReferences(type, container).map(({ navigation, target }) => ({
    target,
    required: navigation.required ?? isRequired(type, navigation.join),
  }));
  const within = neededWithin(type, container).map(({ path, target }) => ({ target, required: !mayLeaveOut(type, path, container) }));
  const ways = [
    ...followed.filter(({ navigation, target }) => isOwnColumn(navigation, target)).map(({ target }) => ({ target, required: true })),
    ...containersOf(type, container).map(({ owner }) => ({ target: owner, required: true })),
    // In a circle, references that a record cannot be without come first.
    ...[...own, ...within].sort((a, b) => Number(b.required) - Number(a.required)),
  ];
  return ways.flatMap(({ target, required }) => concrete(target, container).map((one) => ({ target: one, required })));
}

// The type, and all that its records cannot be without, however far.
function neededFrom(type: EntityType, ways: ReadonlyMap<EntityType, readonly Way[]>): ReadonlySet<EntityType> {
  const needed = new Set([type]);
  // Grows while it is walked.
  for (const one of needed) for (const { target, required } of ways.get(one) ?? []) if (required) needed.add(target);
  return needed;
}

// The target of a reference to an abstract type is an entity of a derived one.
function concrete(target: EntityType, { entityTypes }: EntityContainer): readonly EntityType[] {
  return target.abstract ? Object.values(entityTypes).filter(({ baseTypes }) => baseTypes?.includes(target.qualifiedName)) : [target];
}

function isRequired({ fields }: EntityType, join: Readonly<Record<string, string>>): boolean {
  return Object.keys(join).some((column) =>
    Object.entries(fields).some(([name, field]) => (field.column ?? name) === column && !field.nullable),
  );
}

/** The possible parents of a type's entities. */
export function containersOf(
  type: EntityType,
  container: EntityContainer,
): readonly { readonly owner: EntityType; readonly navigation: Navigation }[] {
  if (type.contained === undefined) return [];
  return Object.values(container.entityTypes).flatMap((owner) =>
    Object.values(owner.navigation).flatMap((navigation) =>
      navigation.contains && targetOf(container, navigation).table === type.table ? [{ owner, navigation }] : [],
    ),
  );
}

/** The record that contains a sample: one after the other of those that there are, the first of each place before the second of any. */
export function sampleParent(
  type: EntityType,
  index: number,
  container: EntityContainer,
  numbersOf: (owner: EntityType) => readonly string[],
): { readonly given: ReadonlySet<string>; readonly values: (connection: Connection) => Promise<StoredRecord> } | undefined {
  const found = containersOf(type, container).flatMap(({ owner, navigation }) =>
    numbersOf(owner).map((number, rank) => ({ owner, navigation, number, rank })),
  );
  const chosen = found.sort((a, b) => a.rank - b.rank)[index % found.length];
  if (chosen === undefined) return undefined;
  const { owner, navigation, number } = chosen;
  const place = {
    type,
    alias: 't1',
    key: [],
    parents: [parentStep({ type: owner, alias: 't0', key: byNumber(number) }, navigation, type)],
  };
  return { given: givenByParent(place), values: async (connection) => (await fromParent(place, connection)).values };
}
