import type { EntityType, JoinTable, StoredRecord } from '../../edm/index.js';
import { errors, requireNoFaults } from '../../errors/catalogue.js';
import { isOwnColumn, parentStep } from '../../plan/path/navigation-join.js';
import type { Link, Relation } from '../../plan/write/write-plan.js';
import { compileUnlink } from '../../sql/compile-relations.js';
import { compileNumbers, tablePlace, type Place } from '../../sql/compile-target.js';
import type { Connection } from '../../sql/statement.js';
import { byNumber, findRecord, findTarget, memberNumbers } from '../../store/locate-record.js';
import { endingValues, lackingFaults, valuesForOther } from '../../store/link-records.js';
import { requireAllowed, requireOpen } from '../../store/row-rules.js';
import type { LockedRecord } from '../../store/stored-record.js';
import { applyValues } from '../../store/store-changes.js';
import { updateRecord } from '../../store/update-record.js';
import type { WriteTransaction } from '../../store/write-scope.js';

/** A navigation property of an entity, optionally with one of its targets. */
interface RelationOfOne extends Relation {
  readonly one?: Place;
}

/** Relates a locked entity to an existing one. */
export async function linkRecord(type: EntityType, locked: LockedRecord, link: Link, scope: WriteTransaction): Promise<void> {
  await updateRecord({ type, values: new Map(), patches: new Map(), references: [], faults: [], links: [link] }, locked, scope);
}

/** Removes a relation of a locked entity; 404 if it does not exist. */
export async function unlinkRecord(
  type: EntityType,
  locked: LockedRecord,
  relation: RelationOfOne,
  scope: WriteTransaction,
): Promise<void> {
  if (relation.navigation.through) return unjoin(type, locked, relation, relation.navigation.through, scope.connection);
  if (!isOwnColumn(relation.navigation, relation.target)) return unlinkOther(type, locked, relation, scope);
  const values = await endingValues(relation.navigation, { type, values: new Map(), id: locked.id }, scope.connection);
  requireOptional(type, values, relation);
  await applyValues(type, locked, values, scope);
}

/** Removes all relations of a collection. */
export async function unlinkAll(type: EntityType, locked: LockedRecord, relation: RelationOfOne, scope: WriteTransaction): Promise<void> {
  const { connection } = scope;
  if (relation.navigation.through) {
    await requireOpen(type, locked, 'update', connection);
    await requireAllowed(type, locked.id, 'update', connection);
    return void (await connection.run(compileUnlink(relation.navigation.through, locked.id)));
  }
  for (const number of await memberNumbers(membersOf(type, locked, relation), connection)) {
    await unlinkOther(
      type,
      locked,
      { ...relation, one: { ...membersOf(type, locked, relation), parents: [], key: byNumber(number) } },
      scope,
    );
  }
}

async function unjoin(
  type: EntityType,
  locked: LockedRecord,
  relation: RelationOfOne,
  through: JoinTable,
  connection: Connection,
): Promise<void> {
  await requireOpen(type, locked, 'update', connection);
  await requireAllowed(type, locked.id, 'update', connection);
  const [found] = await connection.run(compileNumbers(tablePlace(relation.one ?? membersOf(type, locked, relation)), 1));
  const parted = found?.[0] == null ? [] : await connection.run(compileUnlink(through, locked.id, found[0]));
  if (parted.length === 0) throw errors.notFound(`such ${relation.name} of this ${type.name}`);
}

// The other entity holds the reference, which must be to this one.
async function unlinkOther(type: EntityType, locked: LockedRecord, relation: RelationOfOne, scope: WriteTransaction): Promise<void> {
  const { navigation, target, one, name } = relation;
  const place = one ?? membersOf(type, locked, { navigation, target });
  const other = await findTarget(place, scope);
  const ours = valuesForOther(navigation, type, target, locked);
  if (other === undefined || !(await belongs(other, ours, target, scope))) throw errors.notFound(`such ${name} of this ${type.name}`);
  const values: StoredRecord = new Map([...ours.keys()].map((property) => [property, null]));
  requireOptional(target, values, { name });
  await applyValues(target, other, values, scope);
}

async function belongs(other: LockedRecord, ours: StoredRecord, target: EntityType, scope: WriteTransaction): Promise<boolean> {
  const { container, connection } = scope;
  // A shared property may have the key of another target, so the number decides where there is one.
  const numbers = [...ours].filter(([name]) => name.startsWith('#'));
  if (numbers.length === 0) return [...ours].every(([name, value]) => other.record.get(name) === value);
  const linked = numbers.map(([column, value]) => ({ column, sqlType: 'bigint', value: String(value) }));
  return (await findRecord(target, [...byNumber(other.id), ...linked], { connection, container })) !== undefined;
}

/** The source of the entities at a navigation property. */
export function membersOf(type: EntityType, locked: LockedRecord, { navigation, target }: Pick<Relation, 'navigation' | 'target'>): Place {
  return { type: target, alias: 't1', key: [], parents: [parentStep({ type, alias: 't0', key: byNumber(locked.id) }, navigation, target)] };
}

function requireOptional(type: EntityType, values: StoredRecord, { name }: Pick<Relation, 'name'>): void {
  const faults = lackingFaults(type, values, { at: name });
  requireNoFaults(type, faults);
}
