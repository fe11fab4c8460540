import { runStatement, withClient } from '../../database/run.js';
import { changeTable, type EntityContainer, type EntityType } from '../../edm/index.js';
import type { Database } from '../embedded/open.js';

/** The right that each operation of a route needs on the table. */
const rights: { readonly [operation: string]: string } = {
  createEntity: 'INSERT',
  updateEntity: 'UPDATE',
  replaceEntity: 'UPDATE',
  deleteEntity: 'DELETE',
};

/** A sentence about the sets whose writes would fail, since the role lacks a right on their tables; undefined where there is none. */
export async function missingWriteRights({ pool }: Database, { entityTypes }: EntityContainer): Promise<string | undefined> {
  const wanted = JSON.stringify(Object.values(entityTypes).flatMap(wantedRights));
  const rows = await withClient(pool, (client) => runStatement(client, { text: question, bind: [wanted] }));
  const [role, sets] = rows[0] ?? [];
  return sets
    ? `The role ${role} lacks rights to change rows of ${sets}: writes of them will fail. Grant it SELECT, INSERT, UPDATE and DELETE on all tables; for a service that only reads, set GABLE_READ_ONLY=true.`
    : undefined;
}

interface WantedRight {
  readonly set: string;
  readonly table: string;
  readonly right: string;
}

function wantedRights({ entitySet, singleton, table, routes, tracking }: EntityType): readonly WantedRight[] {
  const set = entitySet ?? singleton;
  if (set === undefined) return [];
  const own = routes.flatMap(({ operation }) => rights[operation] ?? []);
  const log = tracking && own.length > 0 ? [{ set, table: changeTable, right: 'INSERT' }] : [];
  return [...own.map((right) => ({ set, table, right })), ...log];
}

// A table that is missing is reported by the check of the migrations.
const question = `select current_user, (select string_agg(distinct "set", ', ' order by "set")
  from json_to_recordset($1) as wanted("set" text, "table" text, "right" text)
  where not has_table_privilege(to_regclass(quote_ident("table")), "right"))`;
