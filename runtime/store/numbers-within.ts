import { isDirect, type EntityContainer, type EntityType, type StoredRecord } from '../edm/index.js';
import { stepsOf } from '../plan/path/nested-path.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isSeen, rootOf } from '../plan/caller.js';
import { valueBehind } from '../plan/value/value-behind.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import { isTakenAway } from './release-streams.js';
import type { WriteScope } from './write-scope.js';

/** A complex value that is taken away, or is of another type now, leads nowhere any more: the columns that said where. */
export function numbersWithin({ navigation }: EntityType, values: StoredRecord, container: EntityContainer): StoredRecord {
  const gone = Object.entries(navigation).filter(
    ([path, { follows, contains }]) => !isDirect(path) && !follows && !contains && isTakenAway(path, values, container),
  );
  return new Map(gone.flatMap(([, { join }]) => Object.keys(join).map((column) => [column, null] as const)));
}

/** What becomes of the values of a record. */
interface ChangedValues {
  readonly before: StoredRecord;
  /** What the record's properties come to. */
  readonly own: StoredRecord;
  /** With the numbers of others that the body tells. */
  readonly values: StoredRecord;
}

/** A fault for each navigation property of a complex value that is there from now on and may not lead nowhere, and of which nothing says where it leads; a null that is said is a fault already. */
export function neededWithin(
  { type, patches, related = [] }: WritePlan,
  { before, own, values }: ChangedValues,
  { container, caller }: Pick<WriteScope, 'container' | 'caller'>,
): readonly ErrorDetail[] {
  const { navigation, anyNavigation = {} } = type;
  const isThere = (path: string): boolean => !isDirect(path) && own.has(rootOf(path)) && !isTakenAway(path, own, container);
  // Who does not see whether the value was there is to say all that the value needs.
  const isNew = (path: string): boolean =>
    isSeen(type, path, caller) ? isTakenAway(path, before, container) : isSent(path, patches, container);
  const isSaid = (path: string): boolean =>
    related.some(({ name }) => name === path) || Object.keys(navigation[path]?.join ?? {}).every((column) => values.has(column));
  const single = Object.entries(navigation).filter(
    ([path, { required, follows }]) => required && follows === undefined && isThere(path) && isNew(path) && !isSaid(path),
  );
  const any = Object.entries(anyNavigation).filter(
    ([path, { required, paths }]) => required && isThere(path) && isNew(path) && !paths.some(isSaid),
  );
  return [...single, ...any].map(([path]) => errors.missingRequired(path).at(path).asDetail());
}

// What is no change of the stored value is all that there is.
function isSent(path: string, patches: WritePlan['patches'], container: EntityContainer): boolean {
  return !patches.has(rootOf(path)) || valueBehind({ kind: 'object', members: patches }, stepsOf(path).steps, container) !== undefined;
}
