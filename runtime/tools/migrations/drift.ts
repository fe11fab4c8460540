import { randomBytes } from 'node:crypto';
import { runStatement } from '../../database/run.js';
import type { DatabaseClient } from '../../database/pool.js';
import { quote } from '../../schema/identifier.js';
import { printSchema } from '../../schema/print-schema.js';
import type { Schema } from '../../schema/schema.js';

/** A difference between the database and the schema; one side may be missing. */
export interface Difference {
  readonly what: string;
  readonly expected: string | undefined;
  readonly found: string | undefined;
}

/** Compares the database with a schema: the schema is created next to it, read from the catalogue, and rolled back. */
export async function findDrift(client: DatabaseClient, schema: Schema): Promise<readonly Difference[]> {
  const [row] = await runStatement(client, { text: 'SELECT current_schema()', bind: [] });
  const live = row?.[0] ?? 'public';
  await client.query({ text: 'BEGIN' });
  const differences = await differencesWithin(client, schema, live).catch(async (failure: unknown) => {
    // A lost connection needs no rollback; its cause is the error to report.
    await client.query({ text: 'ROLLBACK' }).catch(() => undefined);
    throw failure;
  });
  await client.query({ text: 'ROLLBACK' });
  return differences;
}

async function differencesWithin(client: DatabaseClient, schema: Schema, live: string): Promise<readonly Difference[]> {
  const scratch = `gable_expected_${randomBytes(4).toString('hex')}`;
  const found = await readCatalogue(client, live);
  const missing = await missingExtensions(client, schema);
  if (missing.length > 0) return missing;
  await client.query({ text: `CREATE SCHEMA ${scratch}; SET LOCAL search_path TO ${scratch}, ${quote(live)}` });
  await client.query({ text: printSchema({ extensions: [], tables: schema.tables.map(({ distribution: _where, ...table }) => table) }) });
  return compareCatalogues(await readCatalogue(client, scratch), found);
}

/** The differences of two catalogues, by name. */
export function compareCatalogues(expected: Catalogue, found: Catalogue): readonly Difference[] {
  const names = [...new Set([...expected.keys(), ...found.keys()])];
  const different = names.filter((what) => expected.get(what) !== found.get(what) && !isOfMissing(what, expected, found));
  return different.map((what) => ({ what, expected: expected.get(what), found: found.get(what) }));
}

/** A difference as a sentence. */
export function printDifference({ what, expected, found }: Difference): string {
  if (expected === undefined) return `${what} is in the database but not in the schema${found === 'table' ? '' : `: ${found}`}.`;
  if (found === undefined) return `${what} is missing${expected === 'table' ? '' : `: ${expected}`}.`;
  return `${what} is ${found}; the schema has ${expected}.`;
}

// A missing table is reported once, without its columns.
function isOfMissing(what: string, expected: Catalogue, found: Catalogue): boolean {
  const [kind, ...rest] = what.split(' ');
  const table = `table ${rest.join(' ').split('/')[0]}`;
  return kind !== 'table' && expected.has(table) !== found.has(table);
}

async function missingExtensions(client: DatabaseClient, { extensions }: Schema): Promise<readonly Difference[]> {
  const rows = await runStatement(client, { text: 'SELECT extname FROM pg_extension', bind: [] });
  const present = new Set(rows.map(([name]) => name));
  return extensions
    .filter((name) => !present.has(name))
    .map((name) => ({ what: `extension ${name}`, expected: 'installed', found: undefined }));
}

/** The database objects by a readable name, with their definitions in PostgreSQL's form. */
export type Catalogue = ReadonlyMap<string, string>;

/**
 * Reads the tables, columns, constraints, indexes and leftover triggers of a schema; names in definitions are relative
 * to it.
 */
export async function readCatalogue(client: DatabaseClient, schema: string): Promise<Catalogue> {
  const found = new Map<string, string>();
  for (const [kind, text] of Object.entries(queries)) {
    for (const [name, definition] of await runStatement(client, { text, bind: [schema] })) found.set(`${kind} ${name}`, definition ?? '');
  }
  return found;
}

// The service's own tables begin with gable_; extensions add tables that are not the model's.
const ours = `relation.relnamespace = $1::regnamespace AND relation.relkind IN ('r', 'p') AND NOT relation.relispartition AND relation.relname NOT LIKE 'gable\\_%'
  AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = relation.oid AND deptype = 'e')`;

const queries: { readonly [kind: string]: string } = {
  table: `SELECT relation.relname, 'table' FROM pg_class AS relation WHERE ${ours} ORDER BY 1`,
  column: `SELECT relation.relname || '/' || attname, concat_ws(' ',
      format_type(atttypid, atttypmod),
      CASE WHEN attcollation <> 0 AND attcollation <> type.typcollation THEN 'collate ' || (SELECT collname FROM pg_collation WHERE oid = attcollation) END,
      CASE WHEN attnotnull THEN 'not null' END,
      CASE WHEN attidentity <> '' THEN 'identity' END,
      CASE WHEN attgenerated <> '' THEN 'generated ' WHEN adbin IS NOT NULL THEN 'default ' END || pg_get_expr(adbin, adrelid))
    FROM pg_class AS relation JOIN pg_attribute ON attrelid = relation.oid JOIN pg_type AS type ON type.oid = atttypid LEFT JOIN pg_attrdef ON adrelid = relation.oid AND adnum = attnum
    WHERE ${ours} AND attnum > 0 AND NOT attisdropped ORDER BY 1`,
  // From PostgreSQL 18 on, not null is a constraint as well, which the column already covers.
  constraint: `SELECT relation.relname || '/' || conname, pg_get_constraintdef(pg_constraint.oid) || CASE WHEN convalidated THEN '' ELSE ' (not validated)' END
    FROM pg_class AS relation JOIN pg_constraint ON conrelid = relation.oid WHERE ${ours} AND contype <> 'n' ORDER BY 1`,
  index: `SELECT relation.relname || '/' || index.relname, regexp_replace(pg_get_indexdef(indexrelid), '^CREATE (UNIQUE )?INDEX .*? USING ', '\\1') || CASE WHEN indisvalid THEN '' ELSE ' (invalid)' END
    FROM pg_class AS relation JOIN pg_index ON indrelid = relation.oid JOIN pg_class AS index ON index.oid = indexrelid WHERE ${ours} ORDER BY 1`,
  // Triggers of migrations, dropped in their last phase, have a number sign in their names; others are not ours.
  trigger: `SELECT relation.relname || '/' || tgname, 'trigger' FROM pg_class AS relation JOIN pg_trigger ON tgrelid = relation.oid WHERE ${ours} AND NOT tgisinternal AND tgname LIKE '%#%' ORDER BY 1`,
  function: `SELECT proname, 'function' FROM pg_proc WHERE pronamespace = $1::regnamespace AND proname LIKE '%#%' ORDER BY 1`,
};
