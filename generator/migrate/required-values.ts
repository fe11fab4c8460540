import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Table } from '../../runtime/schema/schema.js';
import { keptTypes } from './hidden-values.js';
import { assignment, homesOf, keptHomes, movesOf, storedValue, type Home } from './moves.js';
import { typed } from './record-types.js';
import { batched } from './row-steps.js';
import { fillOf, type Decisions, type Problem, type Step } from './step.js';

/** Reports rows of types that require a value from here on; no constraint covers it, since rows of other types have none. */
export function requiredValueProblems(old: Table, wanted: Table, decisions: Decisions): readonly Problem[] {
  return newlyRequired(old, wanted, decisions)
    .filter(({ home }) => fillOf(wanted.name, home.column, decisions) === undefined)
    .map(({ home: { column }, types }) => {
      const path = `${wanted.name}/${column.name}`;
      const message = `${path} is required of records of ${types.join(' and ')}, but existing rows may have no value. Add a DefaultValue, or write --fill ${path}=VALUE.`;
      return { kind: 'fill', table: wanted.name, column: column.name, message };
    });
}

/** Fills the values that these rows lack, also those that a service of the old model writes until the last phase. */
export function fillRequiredValues(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return newlyRequired(old, wanted, decisions).flatMap(({ home, types }) => {
    const fill = fillOf(wanted.name, home.column, decisions);
    if (fill === undefined) return [];
    const own = `${quote(typed(wanted)?.name ?? '')} in (${types.map(literal).join(', ')})`;
    const rows = `update ${quote(wanted.name)} set ${assignment(home, `${fill}::${home.column.type}`)} where ${own} and ${storedValue(home, '')} is null`;
    return [batched('backfill', wanted.name, rows), batched('contract', wanted.name, rows)];
  });
}

interface Required {
  readonly home: Home;
  /** The types of existing rows that did not require it. */
  readonly types: readonly string[];
}

function newlyRequired(old: Table, wanted: Table, decisions: Decisions): readonly Required[] {
  const kept = keptTypes(old, wanted, decisions);
  const before = new Map(keptHomes(old, wanted, movesOf(old, wanted, decisions)).map(({ former, home }) => [home.column, former.column]));
  return homesOf(wanted).flatMap((home): readonly Required[] => {
    const { requiredOf = [] } = home.column;
    const former = before.get(home.column);
    const types = kept.filter(({ was, is }) => requiredOf.includes(is) && !former?.requiredOf?.includes(was)).map(({ is }) => is);
    return types.length === 0 || former?.notNull ? [] : [{ home, types }];
  });
}
