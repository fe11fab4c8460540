import { isDirect, own, targetOf } from '../edm/index.js';
import { type EntityContainer } from '../edm/entity-container.js';
import { type EntityType } from '../edm/entity-type.js';
import { type StoredRecord } from '../edm/extension.js';
import { errors } from '../errors/catalogue.js';
import { requireWritable } from '../plan/write/plan-write.js';
import { compileAlong, compileEmpty, compileHeld, compilePart, type Along } from '../sql/compile-relations.js';
import { deleteRecords, lockCascade } from './delete-record.js';
import { isRemoved } from './nested-values.js';
import type { LockedRecord } from './stored-record.js';
import type { Connection, Statement } from '../sql/statement.js';
import { requireAllowed, requireOpen } from './row-rules.js';
import type { WriteScope } from './write-scope.js';

/** Removes the contained entities and many-to-many links of a complex value that is removed. */
export async function partWithin(
  { name, navigation }: EntityType,
  { id }: LockedRecord,
  changes: StoredRecord,
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  for (const [path, property] of Object.entries(navigation)) {
    if (isDirect(path) || !(property.through || property.contains) || !isRemoved(path, changes, scope.container)) continue;
    const target = targetOf(scope.container, property);
    if (property.through) {
      await connection.defer(compilePart(property.through, id));
      continue;
    }
    const held = (): Statement => compileHeld(target, property, id);
    await requireDroppable({ name, path, target }, held, connection, scope);
    await droppedAlong(target, held, compileEmpty(target, property, id), connection, scope);
  }
}

// Deletes the contained entities of a complex value and their dependents; one statement selects their ids, another
// deletes them.
async function droppedAlong(
  target: EntityType,
  contents: () => Statement,
  drop: Statement,
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  const rows = target.cascadesTo !== undefined ? await connection.run(contents()) : [];
  const along = await lockCascade(
    target,
    rows.map(([number]) => number ?? ''),
    connection,
    scope,
  );
  await connection.defer(drop);
  await deleteRecords(target, along, connection, scope);
}

/** A containment within a complex value. */
interface Contained {
  readonly name: string;
  readonly path: string;
  readonly target: EntityType;
}

// Rejects the removal of a value whose contained entities, at any depth, the caller must not delete; the statement
// selects their ids.
async function requireDroppable(contained: Contained, contents: () => Statement, connection: Connection, scope: WriteScope): Promise<void> {
  if (isAsked(contained.target, connection, scope.container))
    await requireAll(contained, await connection.run(contents()), connection, scope);
}

async function requireAll(
  { name, path, target }: Contained,
  rows: readonly (readonly (string | null)[])[],
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  const ids = [...new Set(rows.flatMap(([number]) => number ?? []))];
  if (ids.length === 0) return;
  requireWritable(target, 'delete', scope.caller);
  if (!isOffered(target))
    throw errors
      .notSaved(name.toLowerCase())
      .with([errors.readOnly(path, `a ${target.name} cannot be deleted, but is contained in the record`).at(path).asDetail()]);
  for (const id of ids) {
    await requireOpen(target, { id }, 'delete', connection);
    await requireAllowed(target, id, 'delete', connection);
  }
  for (const within of containedIn(target, scope.container)) {
    if (isAsked(within.to, connection, scope.container))
      await requireAll(
        { name, path: `${path}/${within.name}`, target: within.to },
        await connection.run(compileAlong(within, ids)),
        connection,
        scope,
      );
  }
}

// No check is needed where every caller may delete everything that would cascade.
function isAsked(target: EntityType, { rowFilters }: Connection, container: EntityContainer): boolean {
  return (
    rowFilters !== undefined || withAllWithin(target, container).some((type) => !isOffered(type) || type.permissions.delete !== undefined)
  );
}

function isOffered({ routes }: EntityType): boolean {
  return routes.some(({ operation }) => operation === 'deleteEntity');
}

/** A containment of a type. */
interface Within extends Along {
  readonly name: string;
}

function containedIn({ table }: EntityType, { entityTypes }: EntityContainer): readonly Within[] {
  const types = Object.values(entityTypes).filter((type) => type.table === table);
  const found = types.flatMap(({ navigation }) =>
    Object.entries(navigation).flatMap(([name, { contains, target, join }]): readonly Within[] => {
      const to = contains ? own(entityTypes, target) : undefined;
      return to === undefined ? [] : [{ name, from: table, to, join }];
    }),
  );
  // Derived types inherit them.
  return [...new Map(found.map((within) => [`${within.name} ${within.to.table}`, within])).values()];
}

const known = new WeakMap<EntityContainer, Map<string, readonly EntityType[]>>();

function withAllWithin(target: EntityType, container: EntityContainer): readonly EntityType[] {
  const tables = known.get(container) ?? new Map<string, readonly EntityType[]>();
  known.set(container, tables);
  const all = tables.get(target.table) ?? findWithin(target, container);
  tables.set(target.table, all);
  return all;
}

function findWithin(target: EntityType, container: EntityContainer): readonly EntityType[] {
  const all = new Map([[target.table, target]]);
  // Iterating a map includes entries added meanwhile.
  for (const type of all.values()) for (const { to } of containedIn(type, container)) if (!all.has(to.table)) all.set(to.table, to);
  return [...all.values()];
}
