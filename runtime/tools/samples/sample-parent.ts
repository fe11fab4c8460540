import { targetOf } from '../../edm/index.js';
import { type EntityContainer } from '../../edm/entity-container.js';
import { type EntityType } from '../../edm/entity-type.js';
import { type Navigation } from '../../edm/navigation.js';
import { type StoredRecord } from '../../edm/extension.js';
import { parentStep } from '../../plan/navigation-join.js';
import type { Connection } from '../../sql/statement.js';
import { byNumber, fromParent, givenByParent } from '../../store/locate-record.js';

/** A containing type, with its navigation property. */
interface ContainerOf {
  readonly owner: EntityType;
  readonly navigation: Navigation;
}

/** The possible parents of a type's entities. */
export function containersOf(type: EntityType, container: EntityContainer): readonly ContainerOf[] {
  if (type.contained === undefined) return [];
  return Object.values(container.entityTypes).flatMap((owner) =>
    Object.values(owner.navigation).flatMap((navigation) =>
      navigation.contains && targetOf(container, navigation).table === type.table ? [{ owner, navigation }] : [],
    ),
  );
}

/** The properties that a sample gets from the record which contains it, and their values. */
interface SampleParent {
  readonly given: ReadonlySet<string>;
  readonly values: (connection: Connection) => Promise<StoredRecord>;
}

/** The record that contains a sample: one after the other of those that there are, the first of each place before the second of any. */
export function sampleParent(
  type: EntityType,
  index: number,
  container: EntityContainer,
  numbersOf: (owner: EntityType) => readonly string[],
): SampleParent | undefined {
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
