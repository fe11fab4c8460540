import { chunkColumns, streamTable } from '../../runtime/edm/index.js';
import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Table, ValueMember } from '../../runtime/schema/schema.js';
import { valueChangesOf } from './compare-values.js';
import { homesOf } from './moves.js';
import type { Step } from './step.js';
import type { TableChange } from './table-change.js';

const chunks = quote(streamTable);

/** Deletes the chunks of removed streams, while their owners are still known. */
export function dropStreams({ table, old, wanted, decisions }: TableChange): readonly Step[] {
  const gone = old.columns.filter(({ name }) => !wanted.columns.some((column) => column.name === name));
  const conditions =
    wanted.name === streamTable
      ? gone.map(({ name }) => `${quote(name)} is not null`)
      : gone
          .filter(({ name }) => old.columns.some(({ follows }) => follows === name))
          .map(({ name }) => `${quote(chunkColumns.stream)} in (select ${quote(name)} from ${table})`);
  if (isGoneOfItems(old, wanted, decisions))
    conditions.push(
      ofNoItem(
        wanted.name,
        gone.map(({ name }) => name),
      ),
    );
  return conditions.map((condition): Step => ({
    phase: 'contract',
    manner: { kind: 'transaction' },
    statements: [`delete from ${chunks} where ${condition};`],
    costs: [`removes the chunks of streams that are gone, which locks nothing but them`],
  }));
}

// An item stores the id of its stream in its JSON: a chunk whose id is in no row belongs to a removed stream.
function ofNoItem(table: string, gone: readonly string[]): string {
  const left = `(to_jsonb(holder) - array[${gone.map(literal).join(', ')}]::text[])::text`;
  return `exists (select from ${quote(table)} holder where holder."#id" = ${chunks}.${quote(table)} and strpos(${left}, ${chunks}.${quote(chunkColumns.stream)}::text) = 0)`;
}

// Of items whose collection stays, or of such as go with it; where the table has no stream any more, its chunks go with their column.
function isGoneOfItems(old: Table, wanted: Table, decisions: TableChange['decisions']): boolean {
  const before = homesOf(old).flatMap(({ column }) => (column.within ?? []).filter(isStream));
  const kept = valueChangesOf(old, wanted, decisions).flatMap((change) => change.kept.filter(({ member }) => isStream(member)));
  const isLast =
    !homesOf(wanted).some(({ column }) => column.within?.some(isStream)) && !wanted.columns.some(({ follows }) => follows !== undefined);
  return before.length > kept.length && !isLast;
}

function isStream({ type }: ValueMember): boolean {
  return type === 'Edm.Stream';
}
