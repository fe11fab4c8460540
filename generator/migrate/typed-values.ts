import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import { shownPath } from './model-names.js';
import { keptHomes, assignment, homesOf, movesOf, storedValue, type Home } from './moves.js';
import { renamedTypes, typed } from './record-types.js';
import { fillOf, lossOf, type Decisions, type Problem, type Step, batched } from './step.js';

/** Properties that a type no longer has, while its rows stay: their values would be invisible. */
export function hiddenValueProblems(old: Table, wanted: Table, decisions: Decisions): readonly Problem[] {
  const kept = keptTypes(old, wanted, decisions);
  return keptHomes(old, wanted).flatMap(({ former, home: { column } }): readonly Problem[] => {
    const path = shownPath(wanted.name, column.name).join('/');
    const hidden = kept.filter(({ was, is }) => has(former.column, was) && !has(column, is)).map(({ is }) => is);
    if (hidden.length === 0) return [];
    const text = `${path} becomes a property of ${column.of?.join(' and ')} only, and no longer of ${hidden.join(' and ')}, whose records keep its values but hide them. Change their type with a separate migration`;
    return lossOf(wanted.name, column.name, text, decisions);
  });
}

/** A type that rows have, by its old and new names. */
interface KeptType {
  readonly was: string;
  readonly is: string;
}

/** The types of existing rows that stay; none where all rows will have one type. */
function keptTypes(old: Table, wanted: Table, decisions: Decisions): readonly KeptType[] {
  const [before, after] = [typed(old), typed(wanted)];
  const now = after?.types;
  if (after === undefined || now === undefined) return [];
  // Without the type column all rows have one type, which fills it; none is known before that is decided.
  if (before === undefined) {
    const fill = fillOf(wanted.name, after, decisions);
    return now.filter((is) => literal(is) === fill).map((is) => ({ was: is, is }));
  }
  const { types = [], abstract = [] } = before;
  const renamed = renamedTypes(types, now, after.typesFrom ?? {});
  return types
    .filter((type) => !abstract.includes(type))
    .map((was) => ({ was, is: renamed.get(was) ?? was }))
    .filter(({ is }) => now.includes(is));
}

function has({ of }: Column, type: string): boolean {
  return of === undefined || of.includes(type);
}

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
