import { randomBytes } from 'node:crypto';
import { quote } from '../../schema/identifier.js';
import { printSchema } from '../../schema/print-schema.js';
import type { Schema } from '../../schema/schema.js';
import { readCatalogue, type Catalogue } from './catalogue.js';
import { runStatement, type DatabaseClient } from '../../database/run.js';

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
  await client.query({ text: printSchema({ ...schema, extensions: [] }) });
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
