import { quote } from '../../runtime/schema/identifier.js';
import { foreignKeysOf, printAddConstraint, printExtension, printIndex, printRow, printTable } from '../../runtime/schema/print-schema.js';
import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { diffTable } from './diff-table.js';
import { findProblems } from './find-problems.js';
import { readDecisions } from './read-decisions.js';
import { withTypesFrom } from './record-types.js';
import { applyRenames } from './rename.js';
import { phases, type Decisions, type Manner, type Problem, type Step } from './step.js';
import { isRewritten, pairsOf, staleColumns, type IsDisturbed } from './table-change.js';

/** The steps from one schema to another, or the problems that prevent them. */
interface SchemaDiff {
  readonly steps: readonly Step[];
  readonly problems: readonly Problem[];
}

/** Compares two schemas; the steps are safe for a database with rows that is in use. */
export function diffSchemas(old: Schema, hinted: Schema, decided: Decisions): SchemaDiff {
  const read = readDecisions(old, hinted, decided);
  if (read.problems.length > 0) return { steps: [], problems: read.problems };
  const { decisions } = read;
  const wanted = withTypesFrom(hinted, decisions);
  const renamed = applyRenames(old, wanted, decisions);
  const problems = findProblems(renamed.schema, wanted, { ...decisions, dropped: new Set([...decisions.dropped, ...renamed.gone]) });
  if (problems.length > 0) return { steps: [], problems };
  const before = new Map(renamed.schema.tables.map((table) => [table.name, table]));
  const fresh = wanted.tables.filter(({ name }) => !before.has(name));
  const gone = renamed.schema.tables.filter(({ name }) => !wanted.tables.some((table) => table.name === name));
  const isDisturbed = disturbedBy(renamed.schema, wanted);
  const common = wanted.tables.flatMap((table) => {
    const known = before.get(table.name);
    return known === undefined ? [] : [diffTable(known, table, decisions, isDisturbed)];
  });
  const steps = [
    ...step(
      'expand',
      [...wanted.extensions.filter((name) => !old.extensions.includes(name)).map(printExtension), ...renamed.statements],
      renameCosts(renamed.tables),
    ),
    ...common.flatMap(({ early }) => early),
    ...step('expand', fresh.flatMap(createTable), []),
    ...common.flatMap(({ steps: own }) => own),
    ...common.flatMap(({ late }) => late),
    ...step(
      'contract',
      fresh.flatMap((table) => foreignKeysOf(table).map((key) => printAddConstraint(table.name, key))),
      principalsOf(fresh).map((table) => `SHARE ROW EXCLUSIVE on ${quote(table)}, for a moment`),
    ),
    ...common.flatMap(({ last }) => last),
    ...step(
      'contract',
      dropTables(gone),
      gone.map(({ name }) => `drops ${quote(name)} with all rows`),
    ),
  ];
  return { steps: inPhases(steps), problems };
}

/** The schema without the hints of migrations, as it is kept. */
export function withoutHints(schema: Schema): Schema {
  const tables = schema.tables.map(({ renamedFrom: _table, swappedFrom: _swapped, row: _row, ...table }) => ({
    ...table,
    columns: table.columns.map(columnWithoutHints),
  }));
  return { ...schema, tables };
}

function columnWithoutHints({ renamedFrom: _column, typesFrom: _types, fill: _fill, linkedBy: _linked, ...column }: Column): Column {
  return {
    ...column,
    ...(column.within && { within: column.within.map(({ renamedFrom: _member, fill: _value, ...member }) => member) }),
    ...(column.holds && { holds: column.holds.map(columnWithoutHints) }),
  };
}

function step(phase: Step['phase'], statements: readonly string[], costs: readonly string[]): readonly Step[] {
  const manner: Manner = { kind: 'transaction' };
  return statements.length === 0 ? [] : [{ phase, manner, statements, costs }];
}

function createTable(table: Table): readonly string[] {
  return [oneLine(printTable(table)), ...table.indexes.map((index) => printIndex(table.name, index)), ...printRow(table)];
}

// Identifiers may contain a line break, which stays.
function oneLine(statement: string): string {
  return statement
    .replace(/\(\n {2}/, '(')
    .replace(/,\n {2}/g, ', ')
    .replace(/\n\);$/, ');');
}

// Both ends of a foreign key must have compatible types at any time.
function disturbedBy(old: Schema, wanted: Schema): IsDisturbed {
  const rewritten = new Set(
    wanted.tables.flatMap((table) => {
      const before = old.tables.find(({ name }) => name === table.name);
      if (before === undefined) return [];
      // A recreated column takes the foreign keys that reference it along, which are listed here.
      return [
        ...pairsOf(before, table)
          .filter(isRewritten)
          .map(({ after }) => after.name),
        ...staleColumns(before, table),
      ].map((name) => `${table.name}/${name}`);
    }),
  );
  const isRewrittenAt = (table: string, columns: readonly string[]): boolean =>
    columns.some((column) => rewritten.has(`${table}/${column}`));
  return (table, constraint) =>
    constraint.kind === 'foreign key' &&
    (isRewrittenAt(table, constraint.columns) || isRewrittenAt(constraint.principal, constraint.principalColumns));
}

// A table is dropped after those that reference it.
function dropTables(gone: readonly Table[]): readonly string[] {
  const keys = gone.flatMap((table) =>
    foreignKeysOf(table).map(({ name }) => `alter table ${quote(table.name)} drop constraint ${quote(name)};`),
  );
  return [...keys, ...gone.map(({ name }) => `drop table ${quote(name)};`)];
}

function principalsOf(tables: readonly Table[]): readonly string[] {
  const own = new Set(tables.map(({ name }) => name));
  return [...new Set(tables.flatMap((table) => foreignKeysOf(table).map(({ principal }) => principal)))].filter(
    (principal) => !own.has(principal),
  );
}

function renameCosts(tables: readonly string[]): readonly string[] {
  return tables.map((table) => `ACCESS EXCLUSIVE on ${quote(table)}, briefly; a service with the old model fails on it from this step on`);
}

// Sorted by phase, stable within each.
function inPhases(steps: readonly Step[]): readonly Step[] {
  return phases.flatMap((phase) => steps.filter((each) => each.phase === phase));
}
