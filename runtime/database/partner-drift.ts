import { quote } from '../schema/identifier.js';
import { foreignKeysOf } from '../schema/print-schema.js';
import type { ForeignKey, Mutual, Schema } from '../schema/schema.js';
import type { Difference } from './drift.js';
import { runStatement, type DatabaseClient } from './run.js';

/** A foreign key of a navigation property that is its own partner. */
interface MutualKey extends ForeignKey {
  readonly table: string;
  readonly mutual: Mutual;
}

/**
 * Rows that a former model has left, and that no constraint of the database refuses: several that lead to one by a property
 * that is its own partner, where one may, and those that lead nowhere though each must. What lacks its columns is not looked at.
 */
export async function findPartnerDrift(
  client: DatabaseClient,
  { tables }: Schema,
  found: readonly Difference[],
): Promise<readonly Difference[]> {
  const missing = new Set(found.flatMap((one) => (one.found === undefined ? [one.what] : [])));
  const keys = tables.flatMap((table) =>
    foreignKeysOf(table).flatMap((key): readonly MutualKey[] =>
      key.mutual === undefined ? [] : [{ ...key, table: table.name, mutual: key.mutual }],
    ),
  );
  const differences: Difference[] = [];
  for (const key of keys.filter(
    ({ table, columns }) => ![`table ${table}`, ...columns.map((column) => `column ${table}/${column}`)].some((what) => missing.has(what)),
  )) {
    differences.push(...(await severalLeading(client, key)), ...(key.mutual.required ? await leadingNowhere(client, key) : []));
  }
  return differences;
}

async function severalLeading(
  client: DatabaseClient,
  { table, mutual: { property }, columns, principal, principalColumns }: MutualKey,
): Promise<readonly Difference[]> {
  const on = columns.map((column, index) => `me.${quote(column)} = other.${quote(principalColumns[index] ?? '')}`).join(' and ');
  const text = `select other."#id", string_agg(me."#id"::text, ', ' order by me."#id") from ${quote(table)} me join ${quote(principal)} other on ${on} group by other."#id" having count(*) > 1 order by 1`;
  const rows = await runStatement(client, { text, bind: [] });
  return rows.map(([to, from]) => ({
    what: `what leads to row ${to} of ${principal} by ${property}`,
    expected: 'one row',
    found: `rows ${from}`,
  }));
}

async function leadingNowhere(client: DatabaseClient, { table, mutual: { property }, columns }: MutualKey): Promise<readonly Difference[]> {
  const text = `select "#id" from ${quote(table)} where ${columns.map((column) => `${quote(column)} is null`).join(' or ')} order by 1`;
  const rows = await runStatement(client, { text, bind: [] });
  return rows.map(([row]) => ({ what: `where row ${row} of ${table} leads by ${property}`, expected: 'to a row', found: 'nowhere' }));
}
