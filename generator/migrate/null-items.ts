import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import { keptHomes, type Home } from './moves.js';
import { batched } from './row-steps.js';
import type { Step } from './step.js';

/** Whether items of a collection become not null; a recreated column has another question. */
export function losesNullItems(old: Column, wanted: Column): boolean {
  return old.nullItems === true && wanted.nullItems === undefined && old.type === wanted.type;
}

/** Removes null items from collections that no longer permit them. */
export function removeNullItems(old: Table, wanted: Table): readonly Step[] {
  const lost = keptHomes(old, wanted).filter(({ former, home }) => losesNullItems(former.column, home.column));
  return lost.map(({ home }) => removal(wanted.name, home));
}

// In the shared column a value is the text of a separate column's value.
function removal(table: string, { column: { name, type }, shared }: Home): Step {
  const stored = quote(shared ?? name);
  const value = shared === undefined ? stored : `(${stored} ->> ${literal(name)})::${type}`;
  const isJson = type === 'jsonb';
  const kept = isJson ? `jsonb_path_query_array(${value}, '$[*] ? (@ != null)')` : `array_remove(${value}, null)`;
  const has = isJson ? `${value} @? '$[*] ? (@ == null)'` : `array_position(${value}, null) is not null`;
  const changed = shared === undefined ? kept : `${stored} || jsonb_build_object(${literal(name)}, (${kept})::text)`;
  const rows = `update ${quote(table)} set ${stored} = ${changed} where (${has})`;
  return batched('backfill', table, rows, [`removes null items from ${quote(name)}`]);
}
