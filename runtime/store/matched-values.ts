import {
  isDirect,
  primitives,
  targetOf,
  type EntityContainer,
  type EntityType,
  type Field,
  type Navigation,
  type StoredRecord,
} from '../edm/index.js';
import { fieldWithin } from '../plan/path/nested-path.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { rootOf } from '../plan/caller.js';
import { compileKeyOf } from '../sql/compile-target.js';
import type { Connection } from '../sql/statement.js';
import { textWithin } from './column-value.js';
import { isRemoved } from './remove-streams.js';

/**
 * The faults of required navigation properties that join by non-key values and match no visible row; no foreign key
 * covers them.
 */
export async function unmatchedValues(
  type: EntityType,
  values: StoredRecord,
  container: EntityContainer,
  connection: Connection,
  stored: StoredRecord = new Map(),
): Promise<readonly ErrorDetail[]> {
  const faults: ErrorDetail[] = [];
  for (const [name, navigation] of Object.entries(type.navigation)) {
    const { follows = [], required } = navigation;
    if (!required || !follows.some((path) => values.has(rootOf(path)))) continue;
    const record = new Map([...stored, ...values]);
    // A removed complex value has no targets.
    if (!isDirect(name) && isRemoved(name, record, container)) continue;
    const said = saidOf(type, navigation, record, container);
    if (said.some(({ value }) => value === null)) faults.push(errors.missingRequired(name).at(name).asDetail());
    else if (!(await isThere(said, navigation, container, connection))) faults.push(noSuch(said, name, targetOf(container, navigation)));
  }
  return faults;
}

/** A joined property, possibly in a complex value, with the target's column. */
interface Said {
  readonly path: string;
  readonly column: string;
  readonly value: string | null;
  readonly field: Pick<Field, 'type'>;
}

// The columns of the join are in the order of the paths.
function saidOf(type: EntityType, { follows = [], join }: Navigation, record: StoredRecord, container: EntityContainer): readonly Said[] {
  const columns = Object.values(join);
  return follows.map((path, index) => {
    const field = fieldWithin(type, path, container) ?? missing(path, type);
    const value = path.includes('/') ? textWithin(record, path, field.type) : textOf(record.get(path));
    return { path, column: columns[index] ?? '', value, field };
  });
}

async function isThere(
  said: readonly Said[],
  navigation: Navigation,
  container: EntityContainer,
  connection: Connection,
): Promise<boolean> {
  const key = said.map(({ column, value, field }) => ({ column, value: value ?? '', sqlType: primitives[field.type].sql }));
  return (await connection.run(compileKeyOf(targetOf(container, navigation), key))).length > 0;
}

function noSuch(said: readonly Said[], name: string, target: EntityType): ErrorDetail {
  const shown = said.map(({ path, value }) => `${path}=${value ?? ''}`).join(', ');
  return errors
    .invalidReference(shown, name, target.name, `there is no ${target.name} with these values`)
    .at(said[0]?.path ?? name)
    .asDetail();
}

// The generator has checked that it exists.
function missing(path: string, { name }: EntityType): never {
  throw new Error(`${name} has no property ${path}.`);
}

function textOf(value: ReturnType<StoredRecord['get']>): string | null {
  return typeof value === 'string' ? value : null;
}
