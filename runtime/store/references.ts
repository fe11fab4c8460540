import { keyColumnOf, keyFieldOf, primitives, targetOf, type EntityContainer, type EntityType, type StoredRecord } from '../edm/index.js';
import { enumText } from '../expression/enum-members.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import type { Reference, WritePlan } from '../plan/write/write-plan.js';
import { compileExisting } from '../sql/compile-write.js';
import type { AskedRows, Connection } from '../sql/statement.js';
import { textWithin } from './column-value.js';
import { isRemoved } from './remove-streams.js';

/** The faults of references to nothing; one queued statement per target type. */
export function missingReferences(references: readonly Reference[], connection: Connection): () => Promise<readonly ErrorDetail[]> {
  const asked = [...new Set(references.map(({ target }) => target))].map((target) => {
    const there = references.filter((reference) => reference.target === target);
    const values = there.map(({ value }) => value).filter((value) => mayBeKey(target, value));
    return { target, there, rows: values.length === 0 ? noRows : connection.ahead(compileExisting(target, values)) };
  });
  return async () => {
    const faults: ErrorDetail[] = [];
    for (const { target, there, rows } of asked) {
      const known = new Set((await rows()).map(([key]) => key));
      const missing = there.filter(({ value }) => !known.has(value));
      faults.push(
        ...missing.map(({ value, property }) =>
          errors.invalidReference(shown(target, value), property, target.name).at(property).asDetail(),
        ),
      );
    }
    return faults;
  };
}

/** Queues the check of a plan's references; its faults are added to the plan. */
export function withReferences(plan: WritePlan, connection: Connection): () => Promise<WritePlan> {
  const missing = missingReferences(plan.references, connection);
  return async () => ({ ...plan, references: [], faults: [...plan.faults, ...(await missing())] });
}

/** The references in complex values: like those in columns, they must be keys of existing rows. */
export function referencesWithin(type: EntityType, values: StoredRecord, container: EntityContainer): readonly Reference[] {
  return Object.values(type.navigation).flatMap((navigation) => {
    const [path, ...others] = navigation.follows ?? [];
    // The other side of a relation follows its columns too, but has nothing to check.
    if (path === undefined || others.length > 0 || !Object.keys(navigation.join).every((column) => column.startsWith('#'))) return [];
    const target = targetOf(container, navigation);
    const [key = ''] = target.key;
    if (target.key.length > 1 || !Object.values(navigation.join).includes(keyColumnOf(target, key))) return [];
    const value = isRemoved(path, values, container) ? null : textWithin(values, path, keyFieldOf(target, key)?.type ?? 'Edm.String');
    return value === null ? [] : [{ property: path, target, value }];
  });
}

const noRows: AskedRows = () => Promise.resolve([]);

// A constraint may join integers of different widths, and the database rejects values beyond its column's.
function mayBeKey(target: EntityType, value: string): boolean {
  const type = keyFieldOf(target, target.key[0] ?? '')?.type;
  const [low, high] = (type && primitives[type].range) ?? [];
  return low === undefined || high === undefined || (BigInt(value) >= BigInt(low) && BigInt(value) <= BigInt(high));
}

// The value as the client wrote it.
function shown(target: EntityType, value: string): string {
  const enumeration = keyFieldOf(target, target.key[0] ?? '')?.enumeration;
  return enumeration ? enumText(enumeration, value) : value;
}
