import type { DatabaseClient } from '../../../database/pool.js';

// Within the definition of an index, as a text of SQL.
const partsOmitted = `'^(CREATE (?:UNIQUE )?INDEX (?:"(?:[^"]|"")+"|[^" ]+) ON) ONLY'`;

// Foreign keys and the indexes that serve no constraint, with the statements that drop and build them, in the order of their
// creation: of two indexes that serve a query equally the planner takes the older one. PostgreSQL describes the index of a
// partitioned table without those of its partitions, by ONLY; without it all of them are built.
const definitions = `
  select "drop", build from (
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as "drop",
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as build, oid, 1 as part
    from pg_constraint
    where conrelid = any($1::regclass[]) and contype = 'f'
    union all
    select format('drop index %s', indexrelid::regclass), regexp_replace(pg_get_indexdef(indexrelid), ${partsOmitted}, '\\1'), indexrelid, 2
    from pg_index
    where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)
  ) parts
  order by part, oid`;

/**
 * Fills tables without their foreign keys and without the indexes that serve no constraint, which are built afterwards: that
 * costs a fraction of adding rows to them one by one. Runs in the caller's transaction; a rollback restores them.
 */
export async function withDeferredIndexes<T>(client: DatabaseClient, tables: readonly string[], fill: () => Promise<T>): Promise<T> {
  const { rows } = await client.query({ text: definitions, values: [tables], rowMode: 'array' });
  for (const [drop] of rows) await client.query({ text: drop });
  const filled = await fill();
  // An index that fits into memory is sorted there; the default of 64 MB is too small for those of text.
  await client.query({ text: `set local maintenance_work_mem to '256MB'` });
  for (const [, build] of rows) await client.query({ text: build });
  return filled;
}
