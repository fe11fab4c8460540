import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Table, Column } from '../../runtime/schema/schema.js';
import { assignment, itemsOf, keptHomes, movesOf, storedValue, type Home } from './moves.js';
import { removedValues, renamedValues, valueQuestions } from './removed-values.js';
import { type Decisions, type Problem, type Step, batched, lookingFor } from './step.js';

/** Changes renamed values in rows, and stops where a row has another removed value. */
export function changeAllowed(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return relisted(old, wanted, decisions).flatMap(({ former, home }): readonly Step[] => {
    const path = `${wanted.name}/${home.column.name}`;
    const renamed = renamedValues(path, former.column, home.column, decisions);
    const lost = removedValues(former.column, home.column).filter((value) => !renamed.has(value));
    const looked = { table: wanted.name, name: home.column.name, why: `a row with ${lost.map(literal).join(' or ')} stops it` };
    const rename = (phase: Step['phase'], notes: readonly string[]): Step =>
      batched(phase, wanted.name, `update ${quote(wanted.name)} set ${setRenamed(home, renamed)}`, notes);
    const note = `${quote(home.column.name)}: a service with the old model does not know these values from this step on`;
    return [
      ...(lost.length === 0
        ? []
        : [lookingFor('expand', looked, withValues(former, lost)), lookingFor('contract', looked, withValues(home, lost))]),
      ...(renamed.size === 0 ? [] : [rename('backfill', [note]), rename('contract', [])]),
    ];
  });
}

/** The removed values that a new one resembles. */
export function allowedProblems(old: Table, wanted: Table, decisions: Decisions): readonly Problem[] {
  return relisted(old, wanted, decisions).flatMap(({ former, home }) =>
    valueQuestions({ table: wanted.name, column: home.column.name }, former.column, home.column, decisions).map(
      ({ path, message, ...question }) => ({
        ...question,
        message: `${message} if not, --dropped ${path}, and the migration stops if a row has it.`,
      }),
    ),
  );
}

// Properties whose closed list lost values.
function relisted(old: Table, wanted: Table, decisions: Decisions): ReturnType<typeof keptHomes> {
  const kept = keptHomes(old, wanted, movesOf(old, wanted, decisions));
  return kept.filter(({ former, home }) => removedValues(former.column, home.column).length > 0);
}

function withValues(home: Home, values: readonly string[]): string {
  return `, unnest(${itemsOf(home, '"row".')}) as "item" where "item" in (${values.map(literal).join(', ')})`;
}

function setRenamed(home: Home, renamed: ReadonlyMap<string, string>): string {
  const cases = [...renamed].map(([from, to]) => `when ${literal(from)} then ${literal(to)}`).join(' ');
  const value = storedValue(home, '');
  const isMany = home.column.type.endsWith('[]');
  const items = `array(select case "item" ${cases} else "item" end from unnest(${itemsOf(home, '')}) with ordinality as "list"("item", "n") order by "n")`;
  const changed = isMany ? `${items}::${home.column.type}` : `case ${value} ${cases} end`;
  const list = [...renamed.keys()].map(literal).join(', ');
  return `${assignment(home, changed)} where ${isMany ? `${itemsOf(home, '')} && array[${list}]` : `${value} in (${list})`}`;
}

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
