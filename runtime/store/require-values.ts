import type { EntityType, StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { displayName } from '../errors/display-name.js';

/** Rejects nulls in values that should relate an entity to another: null equals nothing. */
export function requireValues(values: StoredRecord, { name }: EntityType): void {
  const [lacking] = [...values].find(([, value]) => value === null) ?? [];
  if (lacking !== undefined)
    throw errors
      .notSaved(displayName(name))
      .with([errors.readOnly(lacking, 'it is to be that of a record that has none').at(lacking).asDetail()]);
}
