import { isDirect, type EntityContainer, type EntityType, type StoredRecord } from '../edm/index.js';
import { stepsOf } from '../plan/path/nested-path.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isSeen, rootOf } from '../plan/caller.js';
import { valueAlong } from '../plan/value/value-along.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import { isRemoved } from './remove-streams.js';
import type { WriteScope } from './write-scope.js';

/** The foreign key columns of complex values that are removed or change their type: they become null. */
export function numbersWithin({ navigation }: EntityType, values: StoredRecord, container: EntityContainer): StoredRecord {
  const gone = Object.entries(navigation).filter(
    ([path, { follows, contains }]) => !isDirect(path) && !follows && !contains && isRemoved(path, values, container),
  );
  return new Map(gone.flatMap(([, { join }]) => Object.keys(join).map((column) => [column, null] as const)));
}

/** The changed values of an entity. */
interface ChangedValues {
  readonly before: StoredRecord;
  /** The values of the entity's properties. */
  readonly own: StoredRecord;
  /** With the ids of related entities in the body. */
  readonly values: StoredRecord;
}

/**
 * The faults of required navigation properties in new complex values without a target; an explicit null has been
 * reported.
 */
export function neededWithin(
  { type, patches, related = [] }: WritePlan,
  { before, own, values }: ChangedValues,
  { container, caller }: Pick<WriteScope, 'container' | 'caller'>,
): readonly ErrorDetail[] {
  const { navigation } = type;
  const isThere = (path: string): boolean => !isDirect(path) && own.has(rootOf(path)) && !isRemoved(path, own, container);
  // A caller who cannot see whether the value existed has to send everything that it requires.
  const isNew = (path: string): boolean =>
    isSeen(type, path, caller) ? isRemoved(path, before, container) : isSent(path, patches, container);
  const isSaid = (path: string): boolean =>
    related.some(({ name }) => name === path) || Object.keys(navigation[path]?.join ?? {}).every((column) => values.has(column));
  const missing = Object.entries(navigation).filter(
    ([path, { required, follows }]) => required && follows === undefined && isThere(path) && isNew(path) && !isSaid(path),
  );
  return missing.map(([path]) => errors.missingRequired(path).at(path).asDetail());
}

// Without a stored value the sent one is complete.
function isSent(path: string, patches: WritePlan['patches'], container: EntityContainer): boolean {
  return !patches.has(rootOf(path)) || valueAlong({ kind: 'object', members: patches }, stepsOf(path).steps, container) !== undefined;
}
