import { lookForHiddenDynamic } from './hidden-dynamic.js';
import { quote } from '../../runtime/schema/identifier.js';
import { foreignKeysOf, printExtension, printIndex, printPartitions, printRow, printTable } from '../../runtime/schema/print-schema.js';
import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { diffTable } from './diff-table.js';
import { distribute, dropNumberKey, isRedistributed, layoutProblems, oneLine, partition } from './change-layout.js';
import { addKeysOfNew } from './foreign-keys.js';
import { findProblems } from './find-problems.js';
import { splitPairs, withKeptPairs } from './kept-pairs.js';
import { idleFills, idleRenames, memberClashes, typeClashes } from './refused-decisions.js';
import { withFormerLinks } from './link-rows.js';
import { movedTargets } from './moved-tables.js';
import { pairedColumns, pairRows } from './paired-relations.js';
import { readDecisions } from './read-decisions.js';
import { withOwnTypes, withTypesFrom } from './record-types.js';
import { applyRenames } from './rename.js';
import { inTransaction, phases, type Decisions, type Problem, type Step } from './step.js';
import { commonTables, isRewritten, pairsOf, staleColumns, type IsDisturbed } from './table-change.js';
import { mapColumns } from '../map-columns.js';

/** The steps from one schema to another, or the problems that prevent them. */
interface SchemaDiff {
  readonly steps: readonly Step[];
  readonly problems: readonly Problem[];
}

/** Compares two schemas; the steps are safe for a database with rows that is in use. */
export function diffSchemas(old: Schema, hinted: Schema, decided: Decisions): SchemaDiff {
  const read = readDecisions(old, hinted, decided);
  if (read.problems.length > 0) return { steps: [], problems: read.problems };
  const wanted = withKeptPairs(old, withTypesFrom(hinted, read.decisions));
  const renamed = applyRenames(old, wanted, read.decisions);
  const dropped = new Set([...read.decisions.dropped, ...renamed.gone, ...pairedColumns(renamed.schema, wanted)]);
  const decisions = { ...read.decisions, dropped, renamed: renamed.decided };
  const refused = [...renamed.problems, ...typeClashes(renamed.schema, wanted), ...memberClashes(renamed.schema, wanted, decisions)];
  const idle = refused.length > 0 ? [] : [...idleRenames(renamed, wanted, decisions), ...idleFills(renamed.schema, wanted, decisions)];
  const undone = commonTables(renamed.schema, wanted).flatMap(([before, table]) => layoutProblems(before, table));
  const moved = refused.length > 0 ? [] : movedTargets(renamed.schema, wanted);
  const first = [...refused, ...idle, ...undone, ...moved];
  const linked = withFormerLinks(renamed.schema, withOwnTypes(renamed.schema, wanted, renamed.names));
  const problems = first.length > 0 ? first : findProblems(renamed.schema, linked, decisions, old);
  return { steps: problems.length > 0 ? [] : stepsBetween(old, renamed, linked, decisions), problems };
}

function stepsBetween(old: Schema, renamed: ReturnType<typeof applyRenames>, wanted: Schema, decisions: Decisions): readonly Step[] {
  const before = new Map(renamed.schema.tables.map((table) => [table.name, table]));
  const fresh = wanted.tables.filter(({ name }) => !before.has(name));
  const gone = renamed.schema.tables.filter(({ name }) => !wanted.tables.some((table) => table.name === name));
  const isDisturbed = disturbedBy(renamed.schema, wanted);
  const common = commonTables(renamed.schema, wanted).map(([known, table]) => diffTable(known, table, decisions, isDisturbed));
  const steps = [
    ...lookForHiddenDynamic(old, renamed, wanted),
    ...step(
      'expand',
      [...wanted.extensions.filter((name) => !old.extensions.includes(name)).map(printExtension), ...renamed.statements],
      renameCosts(renamed),
    ),
    ...common.flatMap(({ early }) => early),
    ...wanted.tables.flatMap((table) => dropNumberKey(before.get(table.name) ?? table, table)),
    ...step('expand', fresh.flatMap(createTable), []),
    ...fresh.flatMap((table) => takeOver(table, gone)),
    ...pairRows(renamed.schema, wanted),
    ...splitPairs(renamed.schema, wanted),
    ...common.flatMap(({ steps: own }) => own),
    ...distribute(before, wanted.tables),
    ...common.flatMap(({ late }) => late),
    ...addKeysOfNew(fresh, renamed.schema, wanted),
    ...common.flatMap(({ last }) => last),
    // A partition has the columns of its table and no others.
    ...wanted.tables.flatMap((table) => partition(before.get(table.name), table)),
    ...step(
      'contract',
      dropTables(gone),
      gone.map(({ name }) => `drops ${quote(name)} with all rows`),
    ),
  ];
  // Sorted by phase, stable within each.
  return phases.flatMap((phase) => steps.filter((each) => each.phase === phase));
}

/** The schema without the hints of migrations, as it is kept: declared former names stay, so that each is carried out once. */
export function withoutHints(schema: Schema): Schema {
  const tables = schema.tables.map(
    ({ renamedFrom: _table, endsFrom: _ends, swappedFrom: _swapped, type: _type, row: _row, takesOver: _taken, ...table }) =>
      mapColumns(table, columnWithoutHints),
  );
  return { ...schema, tables };
}

function columnWithoutHints({
  typesFrom = {},
  fill: _fill,
  limits: _limits,
  linkedBy: _linked,
  complex: _type,
  ...column
}: Column): Column {
  return {
    ...column,
    ...(Object.keys(typesFrom).length > 0 && { typesFrom }),
    ...(column.within && { within: column.within.map(({ fill: _value, limits: _range, complex: _own, ...member }) => member) }),
  };
}

function step(phase: Step['phase'], statements: readonly string[], costs: readonly string[]): readonly Step[] {
  return statements.length === 0 ? [] : [inTransaction(phase, statements, costs)];
}

function createTable(table: Table): readonly string[] {
  return [
    oneLine(printTable(table)),
    ...printPartitions(table),
    ...table.indexes.map((index) => printIndex(table.name, index)),
    ...printRow(table),
  ];
}

// A service with the old model may write to the former table until that is dropped.
function takeOver({ name, takesOver }: Table, gone: readonly Table[]): readonly Step[] {
  if (takesOver === undefined || !gone.some((table) => table.name === takesOver.table)) return [];
  const costs = [`copies rows of ${quote(takesOver.table)} to ${quote(name)}; locks neither`];
  return [...step('expand', takesOver.first, costs), ...step('contract', takesOver.last, costs)];
}

// Both ends of a foreign key must have compatible types at any time.
function disturbedBy(old: Schema, wanted: Schema): IsDisturbed {
  const rewritten = new Set(
    commonTables(old, wanted).flatMap(([before, table]) => {
      // Dropping a column drops the foreign keys that reference it, so that those of a recreated column are listed here.
      return [
        ...pairsOf(before, table)
          .filter(isRewritten)
          .map(({ after }) => after.name),
        ...staleColumns(before, table),
      ].map((name) => `${table.name}/${name}`);
    }),
  );
  const known = new Map(old.tables.map((table) => [table.name, table]));
  const moved = new Set(wanted.tables.flatMap((table) => (isRedistributed(known.get(table.name), table) ? [table.name] : [])));
  const isRewrittenAt = (table: string, columns: readonly string[]): boolean =>
    columns.some((column) => rewritten.has(`${table}/${column}`));
  return (table, constraint) =>
    constraint.kind === 'foreign key' &&
    (moved.has(table) ||
      moved.has(constraint.principal) ||
      isRewrittenAt(table, constraint.columns) ||
      isRewrittenAt(constraint.principal, constraint.principalColumns));
}

// A table is dropped after those that reference it.
function dropTables(gone: readonly Table[]): readonly string[] {
  const keys = gone.flatMap((table) =>
    foreignKeysOf(table).map(({ name }) => `alter table ${quote(table.name)} drop constraint ${quote(name)};`),
  );
  return [...keys, ...gone.map(({ name }) => `drop table ${quote(name)};`)];
}

function renameCosts({ tables, reused }: ReturnType<typeof applyRenames>): readonly string[] {
  return tables.map((table) => {
    const effect = reused.has(table)
      ? 'reads and writes other data under the old names; stop it before this step'
      : 'fails on it from this step on';
    return `ACCESS EXCLUSIVE on ${quote(table)}, briefly; a service with the old model ${effect}`;
  });
}
