import { propertyOf, targetOf, type EntityType, type Navigation, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { spoken } from '../errors/spoken.js';
import { compileReturns, compileRivals, compileSole } from '../sql/compile-symmetric.js';
import type { Connection, Row } from '../sql/statement.js';
import { awaitPartner } from './awaited-partners.js';
import type { WriteScope } from './write-scope.js';

/**
 * Follows what a stored record says by navigation properties whose partners lead to one record. Where a property is its own
 * partner, the other record says it too, and those that were left say nothing; of others, nobody else leads to the same record.
 */
export async function leadBack(
  type: EntityType,
  id: string,
  changes: StoredRecord,
  connection: Connection,
  scope: Pick<WriteScope, 'container'>,
): Promise<void> {
  for (const [name, navigation] of Object.entries(type.navigation)) {
    if (!navigation.symmetric && !navigation.sole) continue;
    if (!Object.keys(navigation.join).some((column) => changes.has(propertyOf(type, column)))) continue;
    if (navigation.symmetric) await beMutual(type, { name, navigation, id }, connection);
    if (navigation.sole) await beSole(type, { name, navigation, id }, connection, scope);
  }
}

interface Leading {
  readonly name: string;
  readonly navigation: Navigation;
  readonly id: string;
}

/** Whether the property is its own partner, and required: what it leads to may be there only later, so that the end of the request is looked at. */
export function isAwaited({ symmetric, required }: Navigation): boolean {
  return symmetric === true && required === true;
}

/** Where such a property has the number or the key of another record. */
export function awaitedColumns(
  { table }: EntityType,
  { join }: Navigation,
): { readonly table: string; readonly columns: readonly string[] } {
  return { table, columns: Object.keys(join) };
}

/** Notes where a new record must lead by properties that are their own partners. */
export function awaitPartners(type: EntityType, id: string, connection: Connection): void {
  for (const [name, navigation] of Object.entries(type.navigation))
    if (isAwaited(navigation)) awaitOwn(type, { name, navigation, id }, connection);
}

function awaitOwn(type: EntityType, { name, navigation, id }: Leading, connection: Connection): void {
  const required = errors
    .missingRequired(name, `${name} is required: send the other ${type.name} within this one, or both in one change set.`)
    .at(name)
    .asDetail();
  awaitPartner(awaitedColumns(type, navigation), id, () => errors.notSaved(spoken(type.name)).with([required]), connection);
}

async function beMutual(type: EntityType, { name, navigation, id }: Leading, connection: Connection): Promise<void> {
  const { hold, free, back } = compileReturns(type, navigation, id);
  await connection.defer(hold);
  if (isAwaited(navigation)) awaitOwn(type, { name, navigation, id }, connection);
  if (isAwaited(navigation)) awaitFreed(type, { name, navigation, id }, await connection.run(free), connection);
  else await connection.defer(free);
  await connection.defer(back);
}

// Each record of the type leads to another one, so that this tells nothing of those out of sight.
function awaitFreed(type: EntityType, { name, navigation }: Leading, rows: readonly Row[], connection: Connection): void {
  const refusal = (): Error =>
    errors
      .conflict(
        `Another ${type.name} would lead nowhere by ${name}, and cannot be without; say in the same change set where it is to lead.`,
      )
      .at(name);
  for (const [number] of rows) if (number != null) awaitPartner(awaitedColumns(type, navigation), number, refusal, connection);
}

async function beSole(
  type: EntityType,
  { name, navigation, id }: Leading,
  connection: Connection,
  { container }: Pick<WriteScope, 'container'>,
): Promise<void> {
  const target = targetOf(container, navigation);
  for (const statement of compileSole(type, target, navigation, id)) await connection.defer(statement);
  if (navigation.sole === 'frees') return;
  const rivals = await connection.run(compileRivals(type, navigation, id));
  if (rivals.length > 0)
    throw errors
      .conflict(`Another ${type.name} leads to this ${target.name} and cannot be without it; change or delete that one first.`)
      .at(name);
}
