import { quote } from '../../runtime/schema/identifier.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import { assignment, keptHomes, storedValue, type Home } from './moves.js';
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
function removal(table: string, home: Home): Step {
  const { name, type } = home.column;
  const value = home.shared === undefined ? quote(name) : `${storedValue(home, '')}::${type}`;
  const isJson = type === 'jsonb';
  const kept = isJson ? `jsonb_path_query_array(${value}, '$[*] ? (@ != null)')` : `array_remove(${value}, null)`;
  const has = isJson ? `${value} @? '$[*] ? (@ == null)'` : `array_position(${value}, null) is not null`;
  const rows = `update ${quote(table)} set ${assignment(home, kept)} where (${has})`;
  return batched('backfill', table, rows, [`removes null items from ${quote(name)}`]);
}
