import type { ConnectionPool } from '../../database/pool.js';
import { runStatement, withClient } from '../../database/run.js';
import { changeTable, type EntityContainer, type EntityType } from '../../edm/index.js';

/** The right that each operation of a route needs on the table. */
const rights: { readonly [operation: string]: string } = {
  createEntity: 'INSERT',
  updateEntity: 'UPDATE',
  replaceEntity: 'UPDATE',
  deleteEntity: 'DELETE',
};

/** Sentences about the sets whose reads or writes would fail, since the role lacks a right on their tables. */
export async function missingRights(pool: ConnectionPool, container: EntityContainer, readOnly: boolean): Promise<readonly string[]> {
  const types = Object.values(container.entityTypes);
  const reads = await lacking(pool, types.flatMap(readRight));
  const writes = readOnly ? undefined : await lacking(pool, types.flatMap(writeRights));
  return [
    ...(reads ? [`The role ${reads.role} may not read ${reads.sets}: requests that do will fail. Grant it SELECT on all tables.`] : []),
    ...(writes
      ? [
          `The role ${writes.role} lacks rights to change rows of ${writes.sets}: writes of them will fail. Grant it SELECT, INSERT, UPDATE and DELETE on all tables; for a service that only reads, set GABLE_READ_ONLY=true.`,
        ]
      : []),
  ];
}

interface WantedRight {
  readonly set: string;
  readonly table: string;
  readonly right: string;
}

function readRight({ entitySet, singleton, table }: EntityType): readonly WantedRight[] {
  const set = entitySet ?? singleton;
  return set === undefined ? [] : [{ set, table, right: 'SELECT' }];
}

function writeRights({ entitySet, singleton, table, routes, tracking }: EntityType): readonly WantedRight[] {
  const set = entitySet ?? singleton;
  if (set === undefined) return [];
  const own = routes.flatMap(({ operation }) => rights[operation] ?? []);
  const log = tracking && own.length > 0 ? [{ set, table: changeTable, right: 'INSERT' }] : [];
  return [...own.map((right) => ({ set, table, right })), ...log];
}

async function lacking(
  pool: ConnectionPool,
  wanted: readonly WantedRight[],
): Promise<{ readonly role: string; readonly sets: string } | undefined> {
  const rows = await withClient(pool, (client) => runStatement(client, { text: question, bind: [JSON.stringify(wanted)] }));
  const [role, sets] = rows[0] ?? [];
  return role && sets ? { role, sets } : undefined;
}

// A table that is missing is reported by the check of the migrations.
const question = `select current_user, (select string_agg(distinct "set", ', ' order by "set")
  from json_to_recordset($1) as wanted("set" text, "table" text, "right" text)
  where not has_table_privilege(to_regclass(quote_ident("table")), "right"))`;
