import { enumText, keyFieldOf, targetOf, type EntityContainer, type EntityType, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import type { Reference } from '../plan/write-plan.js';
import { compileExisting } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';
import { valueWithin } from './column-value.js';

/** A fault for each reference that leads nowhere; one statement a target type. */
export async function missingReferences(references: readonly Reference[], connection: Connection): Promise<readonly ErrorDetail[]> {
  const faults: ErrorDetail[] = [];
  for (const target of new Set(references.map((reference) => reference.target))) {
    const asked = references.filter((reference) => reference.target === target);
    const rows = await connection.run(compileExisting(target, asked.map(({ value }) => value)));
    const known = new Set(rows.map(([key]) => key));
    const missing = asked.filter(({ value }) => !known.has(value));
    faults.push(...missing.map(({ value, property }) => errors.invalidReference(shown(target, value), property, target.name).at(property).asDetail()));
  }
  return faults;
}

/** The references that properties within complex values are: a value must be the key of a record, as one of a column must. */
export function referencesWithin(type: EntityType, values: StoredRecord, container: EntityContainer): readonly Reference[] {
  return Object.values(type.navigation).flatMap((navigation) => {
    const [path, ...others] = navigation.follows ?? [];
    // The other side of the relation follows too, and has nothing to check.
    if (path === undefined || others.length > 0 || !Object.keys(navigation.join).every((column) => column.startsWith('#'))) return [];
    const value = valueWithin(values, path);
    const target = targetOf(container, navigation);
    return value === null || target.key.length > 1 ? [] : [{ property: path, target, value }];
  });
}

// As the client wrote it.
function shown(target: EntityType, value: string): string {
  const enumeration = keyFieldOf(target, target.key[0] ?? '')?.enumeration;
  return enumeration ? enumText(enumeration, value) : value;
}
