import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Table } from '../../runtime/schema/schema.js';
import { batched, lookingFor } from './row-steps.js';
import { assignment, itemsOf, keptHomes, movesOf, storedValue, type Home } from './moves.js';
import { removedValues, renamedValues, valueQuestions } from './removed-values.js';
import type { Decisions, Problem, Step } from './step.js';

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
