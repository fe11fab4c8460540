import { enumText, fieldOf, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import type { Reference } from '../plan/write-plan.js';
import { compileExisting } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';

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

// As the client wrote it.
function shown(target: EntityType, value: string): string {
  const enumeration = fieldOf(target, target.key[0] ?? '')?.enumeration;
  return enumeration ? enumText(enumeration, value) : value;
}
