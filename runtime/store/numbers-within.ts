import { isDirect, type EntityContainer, type EntityType, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isTakenAway } from './release-streams.js';

/** A complex value that is taken away, or is of another type now, leads nowhere any more: the columns that said where. */
export function numbersWithin({ navigation }: EntityType, values: StoredRecord, container: EntityContainer): StoredRecord {
  const gone = Object.entries(navigation).filter(([path, { follows, contains }]) => !isDirect(path) && !follows && !contains && isTakenAway(path, values, container));
  return new Map(gone.flatMap(([, { join }]) => Object.keys(join).map((column) => [column, null] as const)));
}

/** What leads from a value and may not lead nowhere, where the columns that are `gone` leave it so. */
export function neededWithin({ navigation, anyNavigation = {} }: EntityType, gone: StoredRecord, values: StoredRecord): readonly ErrorDetail[] {
  if (gone.size === 0) return [];
  const isLost = (path: string): boolean => Object.keys(navigation[path]?.join ?? {}).every((column) => gone.has(column) && values.get(column) === null);
  const single = Object.entries(navigation).filter(([path, { required }]) => required && isLost(path));
  const any = Object.entries(anyNavigation).filter(([, { required, paths }]) => required && paths.every(isLost));
  return [...single, ...any].map(([path]) => errors.missingRequired(path).at(path).asDetail());
}
