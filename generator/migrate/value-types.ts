import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import { homesOf, type Home } from './moves.js';
import { renamedTypes } from './record-types.js';
import type { Step } from './step.js';

/** Updates the type names in complex values at any depth, where types were renamed. */
export function changeValueTypes(old: Table, wanted: Table): readonly Step[] {
  const before = new Map(homesOf(old).map(({ column }) => [column.name, column]));
  return homesOf(wanted).flatMap((home) => {
    const renamed = renamedValues(before.get(home.column.name), home.column);
    return renamed.size === 0 ? [] : [renaming(wanted.name, home, renamed)];
  });
}

function renamedValues(old: Column | undefined, { valueTypes: now = [], typesFrom = {} }: Column): ReadonlyMap<string, string> {
  return renamedTypes(old?.valueTypes ?? [], now, typesFrom);
}

// Within JSON, quotation marks delimit only names and values, so no text of a client looks like a type. In the shared
// column a value is the text of its JSON.
function renaming(table: string, { column, shared }: Home, renamed: ReadonlyMap<string, string>): Step {
  const stored = quote(shared ?? column.name);
  const name = literal(column.name);
  const text = shared === undefined ? `${stored}::text` : `${stored} ->> ${name}`;
  const marks = [...renamed].map(([from, to]) => [literal(mark(from)), literal(mark(to))] as const);
  const changed = marks.reduce((value, [from, to]) => `replace(${value}, ${from}, ${to})`, text);
  const value = shared === undefined ? `(${changed})::jsonb` : `${stored} || jsonb_build_object(${name}, ${changed})`;
  const condition = marks.map(([from]) => `strpos(${text}, ${from}) > 0`).join(' or ');
  const rows = `update ${quote(table)} set ${stored} = ${value} where (${condition}) and "#id" > $1 and "#id" <= $2;`;
  return {
    phase: 'backfill',
    manner: { kind: 'batches', table },
    statements: [rows],
    costs: [
      'locks of the rows of one batch at a time',
      `${quote(column.name)}: a service with the old model does not know these types from this step on`,
    ],
  };
}

function mark(type: string): string {
  return `"@odata.type": "#${type}"`;
}
