import { quote } from '../../runtime/schema/identifier.js';
import { foreignKeysOf } from '../../runtime/schema/print-schema.js';
import type { ForeignKey, Schema, Table } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { type Step, batched } from './step.js';

/** A relation that rows referred to with a foreign key, and that a new table of pairs has from now on. */
interface PairedRelation {
  readonly pairs: string;
  /** The table with the foreign key. */
  readonly holder: string;
  readonly key: ForeignKey;
  /** The columns of the pairs, of the holder first. */
  readonly columns: readonly [string, string];
}

/** The columns of a table of pairs. */
export const sides = ['#source', '#target'] as const;

/** The cost of links that are copied. */
export const lostLinks = 'links that a service with the old model changes from this step on are lost; stop it before this step';

/** The navigation properties to one record that lead to several ones now. */
export function pairedRelations(old: Schema, wanted: Schema): readonly PairedRelation[] {
  const before = new Map(old.tables.map((table) => [table.name, table]));
  return wanted.tables.flatMap((pairs) => (before.has(pairs.name) ? [] : pairedBy(pairs, before)));
}

function pairedBy(pairs: Table, before: ReadonlyMap<string, Table>): readonly PairedRelation[] {
  const principals = sides.map((side) => foreignKeysOf(pairs).find(({ columns: [column] }) => column === side)?.principal ?? '');
  return (pairs.ends ?? []).flatMap((property, index) => {
    const [own, other] = index === 0 ? sides : (sides.toReversed() as [string, string]);
    const [holder = '', target = ''] = index === 0 ? principals : principals.toReversed();
    const table = before.get(holder);
    const name = databaseName(`${holder}#${property}#fk`);
    const key = table && foreignKeysOf(table).find((each) => each.name === name && each.principal === target);
    return key === undefined ? [] : [{ pairs: pairs.name, holder, key, columns: [own, other] as const }];
  });
}

/** The hidden columns whose links the pairs have, by table. */
export function pairedColumns(old: Schema, wanted: Schema): readonly string[] {
  return pairedRelations(old, wanted).flatMap(({ holder, key }) =>
    key.columns.filter((column) => column.startsWith('#')).map((column) => `${holder}/${column}`),
  );
}

/** Copies the links of each such relation. */
export function pairRows(old: Schema, wanted: Schema): readonly Step[] {
  return pairedRelations(old, wanted).map(({ pairs, holder, key, columns }) => {
    const [own, other] = columns.map(quote);
    const row = quote(holder);
    const match = key.columns.map((column, index) => `there.${quote(key.principalColumns[index] ?? '')} = ${row}.${quote(column)}`);
    const known = `select from ${quote(pairs)} pair where pair.${own} = ${row}."#id" and pair.${other} = there."#id"`;
    const statement = `insert into ${quote(pairs)} (${own}, ${other}) select ${row}."#id", there."#id" from ${row} join ${quote(key.principal)} there on ${match.join(' and ')} where not exists (${known})`;
    return batched('backfill', holder, statement, [lostLinks], `${row}."#id"`);
  });
}
