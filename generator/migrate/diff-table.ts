import { chunkColumns, streamTable } from '../../runtime/edm/index.js';
import { quote } from '../../runtime/schema/identifier.js';
import type { Table } from '../../runtime/schema/schema.js';
import { changeAllowed, removeNullItems } from './allowed-values.js';
import { adoptDynamic } from './adopt-dynamic.js';
import { lookForDynamicMembers } from './adopt-members.js';
import { settleComputed } from './computed-columns.js';
import { checkItems } from './narrower.js';
import { addChecks, addForeignKeys, addKeys, dropConstraints, addIndexes, dropDisturbedIndexes, dropOtherIndexes } from './diff-parts.js';
import { changeValues } from './change-values.js';
import { copyMoves, leaveMoves, movesOf } from './moves.js';
import { keyRows, linkRows } from './link-rows.js';
import { fillRequiredValues } from './typed-values.js';
import { changeRecordTypes, changeValueTypes } from './record-types.js';
import { inTransaction, type Decisions, type Step } from './step.js';
import { exclusive, isMissingIn, pairsOf, staleColumns, type IsDisturbed, type TableChange } from './table-change.js';
import { changeColumns, endFills, widen, fillColumns, requireColumns } from './change-columns.js';

/** The steps of one table: before other tables change, its own, and after all others. */
interface TableDiff {
  readonly early: readonly Step[];
  readonly steps: readonly Step[];
  /** Foreign keys, which require the keys of other tables. */
  readonly late: readonly Step[];
  /** Dropped columns, once no row can stop the migration. */
  readonly last: readonly Step[];
}

/** Compares two tables with one name. */
export function diffTable(old: Table, wanted: Table, decisions: Decisions, isDisturbed: IsDisturbed): TableDiff {
  const change: TableChange = {
    table: quote(wanted.name),
    old,
    wanted,
    decisions,
    pairs: pairsOf(old, wanted),
    stale: staleColumns(old, wanted),
    moves: movesOf(old, wanted, decisions),
    isDisturbed,
  };
  return {
    early: dropConstraints(change),
    steps: ownSteps(change),
    late: addForeignKeys(change),
    last: dropColumns(change),
  };
}

function ownSteps(change: TableChange): readonly Step[] {
  const { table, old, wanted, decisions, moves } = change;
  const listed = changeAllowed(old, wanted, decisions);
  const checked = checkItems(old, wanted, decisions);
  return [
    ...[...checked, ...listed].filter(({ phase }) => phase === 'expand'),
    ...dropDisturbedIndexes(change),
    ...changeColumns(change),
    ...widen(change),
    ...copyMoves(table, wanted.name, moves),
    ...addIndexes(change),
    ...dropOtherIndexes(change),
    ...changeRecordTypes(old, wanted),
    ...changeValueTypes(old, wanted),
    ...lookForDynamicMembers(old, wanted, decisions),
    ...changeValues(old, wanted, decisions),
    ...listed.filter(({ phase }) => phase !== 'expand'),
    ...checked.filter(({ phase }) => phase === 'contract'),
    ...removeNullItems(old, wanted),
    ...adoptDynamic(change),
    ...fillColumns(change),
    ...fillRequiredValues(old, wanted, decisions),
    ...linkRows(change),
    ...keyRows(change),
    ...settleComputed(change),
    ...requireColumns(change),
    ...endFills(change),
    ...addChecks(change),
    ...dropStreams(change),
    ...leaveMoves(table, wanted.name, change),
    ...addKeys(change),
  ];
}

// Deletes the chunks of removed streams, while their owners are still known.
function dropStreams({ table, old, wanted }: TableChange): readonly Step[] {
  const gone = old.columns.filter(({ name }) => !wanted.columns.some((column) => column.name === name));
  const conditions =
    wanted.name === streamTable
      ? gone.map(({ name }) => `${quote(name)} is not null`)
      : gone
          .filter(({ name }) => old.columns.some(({ follows }) => follows === name))
          .map(({ name }) => `${quote(chunkColumns.stream)} in (select ${quote(name)} from ${table})`);
  const cost = 'removes the chunks of removed streams; locks only them';
  return conditions.map((condition) => inTransaction('contract', [`delete from ${quote(streamTable)} where ${condition};`], [cost]));
}

function dropColumns(change: TableChange): readonly Step[] {
  const { table, old, wanted } = change;
  const isGone = isMissingIn(wanted);
  const gone = old.columns.filter((column) => column.generated === undefined && isGone(column));
  const statements = gone.map(({ name }) => `alter table ${table} drop column ${quote(name)};`);
  return exclusive('contract', change, statements, false, [`drops ${gone.map(({ name }) => quote(name)).join(', ')}`]);
}
