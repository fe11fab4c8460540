import type { Table } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { formerNames, type Clash, type Renamable } from './former-names.js';
import { homesOf } from './moves.js';
import type { Decisions, Problem } from './step.js';

/** The renamed columns of a table. */
export interface ColumnRenames {
  readonly table: string;
  /** New names by old ones. */
  readonly renames: ReadonlyMap<string, string>;
  /** Temporary names of columns that made way for others, and are to be dropped. */
  readonly gone: readonly string[];
  /** A name means another property than before. */
  readonly isReused: boolean;
  readonly problems: readonly Problem[];
}

/** The result for a new table. */
export function noRenames(table: string): ColumnRenames {
  return { table, renames: new Map(), gone: [], isReused: false, problems: [] };
}

/** Finds the renamed columns of a table; properties that share a column are moved, and not renamed. */
export function findColumnRenames(
  old: Table,
  wanted: Table,
  decided: (item: Renamable) => readonly string[],
  { dropped }: Decisions,
): ColumnRenames {
  const [before, after] = [homesOf(old), homesOf(wanted)];
  const named = formerNames(
    after.map(({ column }) => column),
    before.map(({ column }) => column),
    decided,
    new Set(before.map(({ column }) => column.name).filter((name) => dropped.has(`${wanted.name}/${name}`))),
  );
  const isColumn = (name: string): boolean =>
    [...before, ...after].every(({ column, shared }) => column.name !== name || shared === undefined);
  const isReused = ([from, to]: readonly [string, string]): boolean =>
    after.some(({ column }) => column.name === from) || before.some(({ column }) => column.name === to);
  const [lost, open] = partition(named.clashes, ({ to, why }) => why === 'taken' && isColumn(to) && dropped.has(`${wanted.name}/${to}`));
  const moved = [...named.renames].filter((pair) => isReused(pair) && !pair.every(isColumn));
  const made = [...named.renames].filter((pair) => pair.every(isColumn));
  const gone = lost.map(({ to }) => [to, databaseName(`${to}#gone`)] as const);
  return {
    table: wanted.name,
    renames: new Map([...made, ...gone]),
    gone: gone.map(([, name]) => name),
    isReused: made.some(isReused),
    problems: [
      ...open.map((clash) => clashProblem(wanted.name, clash)),
      ...moved.map(([from, to]) => sharedProblem(wanted.name, from, to)),
    ],
  };
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly [readonly Item[], readonly Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

function clashProblem(table: string, { from, to, why }: Clash): Problem {
  const reason =
    why === 'twice'
      ? 'because the model or the options declare another new name for it, too. Declare one of them.'
      : `because ${to} exists and its values would be lost. Declare the new name of ${to}, too, or write --dropped ${table}/${to}; or, if an earlier migration made this rename, remove Rules.RenamedFrom.`;
  return refusedRename(table, from, `${table}/${from} cannot become ${to}, ${reason}`);
}

function sharedProblem(table: string, from: string, to: string): Problem {
  const message = `${table}/${from} cannot become ${to} in one migration, because one of the names meant or means another property, and properties of this wide type share a column. Generate two migrations, with a name in between that no property has.`;
  return refusedRename(table, from, message);
}

/** A declared rename that is refused. */
export function refusedRename(table: string, column: string | undefined, message: string): Problem {
  return { kind: 'refused', table, column, message };
}
