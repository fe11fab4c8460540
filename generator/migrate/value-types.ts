import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Table } from '../../runtime/schema/schema.js';
import { keptHomes, type Home } from './moves.js';
import { renamedTypes } from './record-types.js';
import { batched } from './row-steps.js';
import type { Step } from './step.js';

/** Updates the type names in complex and dynamic values at any depth, where types were renamed. */
export function changeValueTypes(old: Table, wanted: Table): readonly Step[] {
  return keptHomes(old, wanted).flatMap(({ former, home }) => {
    const { valueTypes = [], typesFrom = {} } = home.column;
    const renamed = renamedTypes(former.column.valueTypes ?? [], valueTypes, typesFrom);
    return renamed.size === 0 ? [] : [renaming(wanted.name, home, renamed)];
  });
}

// Within JSON, quotation marks delimit only names and values, so no text of a client looks like a type. In the shared
// column a value is the text of its JSON.
function renaming(table: string, { column, shared }: Home, renamed: ReadonlyMap<string, string>): Step {
  const stored = quote(shared ?? column.name);
  const name = literal(column.name);
  const text = shared === undefined ? `${stored}::text` : `${stored} ->> ${name}`;
  const marks = [...renamed].flatMap(([from, to]) => marked.map((mark) => [literal(mark(from)), literal(mark(to))] as const));
  const changed = marks.reduce((value, [from, to]) => `replace(${value}, ${from}, ${to})`, text);
  const value = shared === undefined ? `(${changed})::jsonb` : `${stored} || jsonb_build_object(${name}, ${changed})`;
  const condition = marks.map(([from]) => `strpos(${text}, ${from}) > 0`).join(' or ');
  const rows = `update ${quote(table)} set ${stored} = ${value} where (${condition})`;
  return batched('backfill', table, rows, [
    `${quote(column.name)}: a service with the old model does not know these types from this step on`,
  ]);
}

// Of a complex value itself, and of a dynamic property: its name precedes the at sign.
const marked = [(type: string): string => `@odata.type": "#${type}"`, (type: string): string => `@odata.type": "#Collection(${type})"`];
