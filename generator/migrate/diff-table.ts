import { quote } from '../../runtime/schema/identifier.js';
import { printAddConstraint, printColumn, printColumnType, printIndexBody } from '../../runtime/schema/print-schema.js';
import type { Column, Constraint, Index, Table } from '../../runtime/schema/schema.js';
import { changeType } from './change-type.js';
import { fillOf } from './find-problems.js';
import { bodyOf, ruleOf } from './rename.js';
import type { Decisions, Phase, Step } from './step.js';

/** The steps of one table: those that must come before any other table changes, its own, and those that need the others done. */
export interface TableDiff {
  readonly early: readonly Step[];
  readonly steps: readonly Step[];
  /** Foreign keys, which need the keys of other tables. */
  readonly late: readonly Step[];
}

/** Whether a foreign key must be made again, because a column at one of its ends becomes another. */
export type IsDisturbed = (table: string, constraint: Constraint) => boolean;

/** Compares two tables of one name. */
export function diffTable(old: Table, wanted: Table, decisions: Decisions, isDisturbed: IsDisturbed): TableDiff {
  const change: TableChange = { table: quote(wanted.name), old, wanted, decisions, pairs: pairsOf(old, wanted), stale: staleColumns(old, wanted), isDisturbed };
  return {
    early: dropConstraints(change),
    steps: [
      ...dropReplacedIndexes(change),
      ...changeColumns(change),
      ...widen(change),
      ...addIndexes(change),
      ...dropOtherIndexes(change),
      ...fillColumns(change),
      ...requireColumns(change),
      ...dropColumns(change),
      ...addKeys(change),
    ],
    late: addForeignKeys(change),
  };
}

interface TableChange {
  /** The name, quoted. */
  readonly table: string;
  readonly old: Table;
  readonly wanted: Table;
  readonly decisions: Decisions;
  readonly pairs: readonly ColumnPair[];
  /** Columns that are dropped and made anew: a computed one whose expression or whose columns' types change, one whose values nothing converts. */
  readonly stale: ReadonlySet<string>;
  readonly isDisturbed: IsDisturbed;
}

/** A column before and after. */
export interface ColumnPair {
  readonly before: Column;
  readonly after: Column;
}

/** The columns that two tables have in common. */
export function pairsOf(old: Table, wanted: Table): readonly ColumnPair[] {
  return wanted.columns.flatMap((after) => {
    const before = old.columns.find(({ name }) => name === after.name);
    return before === undefined ? [] : [{ before, after }];
  });
}

function staleColumns(old: Table, wanted: Table): ReadonlySet<string> {
  const retyped = pairsOf(old, wanted).filter(isRetyped).map(({ after }) => quote(after.name));
  const pairs = pairsOf(old, wanted).filter(({ before, after }) => before.generated !== undefined || after.generated !== undefined);
  const isStale = ({ before, after }: ColumnPair): boolean => before.generated !== after.generated || retyped.some((name) => before.generated?.includes(name));
  const remade = pairsOf(old, wanted).filter((pair) => isRetyped(pair) && changeType(pair.before, pair.after) === undefined);
  return new Set([...pairs.filter(isStale), ...remade].map(({ after }) => after.name));
}

/** Whether a column that stays has a type for which its values are written anew. */
export function isRewritten(pair: ColumnPair): boolean {
  return isRetyped(pair) && changeType(pair.before, pair.after)?.effect !== 'free';
}

/** Whether a column that stays has another type or order of its texts. */
function isRetyped({ before, after }: ColumnPair): boolean {
  return after.generated === undefined && (before.type !== after.type || before.collation !== after.collation);
}

/** A step whose statements hold the whole table, unless there are none. */
function exclusive(phase: Phase, { table }: TableChange, statements: readonly string[], rewrites: boolean): readonly Step[] {
  if (statements.length === 0) return [];
  const cost = rewrites ? `ACCESS EXCLUSIVE on ${table} while it is written anew` : `ACCESS EXCLUSIVE on ${table}, for a moment`;
  return [{ phase, manner: { kind: 'transaction' }, statements, costs: [cost] }];
}

function alone(phase: Phase, statements: readonly string[], cost: string): Step {
  return { phase, manner: { kind: 'alone' }, statements, costs: [cost] };
}

// Those that go, and those that come again as others.
function changedParts<Part extends Constraint | Index>(old: readonly Part[], wanted: readonly Part[], textOf: (part: Part) => string): { readonly gone: readonly Part[]; readonly fresh: readonly Part[] } {
  const isIn = (part: Part, list: readonly Part[]): boolean => list.some((other) => other.name === part.name && textOf(other) === textOf(part));
  return { gone: old.filter((part) => !isIn(part, wanted)), fresh: wanted.filter((part) => !isIn(part, old)) };
}

function changedConstraints({ old, wanted, isDisturbed }: TableChange): { readonly gone: readonly Constraint[]; readonly fresh: readonly Constraint[] } {
  const stays = (constraint: Constraint): boolean => !isDisturbed(wanted.name, constraint);
  return {
    gone: changedParts(old.constraints, wanted.constraints.filter(stays), ruleOf).gone,
    fresh: changedParts(old.constraints.filter(stays), wanted.constraints, ruleOf).fresh,
  };
}

// Foreign keys first, since a key that they refer to may be the next.
function dropConstraints(change: TableChange): readonly Step[] {
  const ordered = [...changedConstraints(change).gone].sort((a, b) => Number(b.kind === 'foreign key') - Number(a.kind === 'foreign key'));
  return exclusive('expand', change, ordered.map(({ name }) => `alter table ${change.table} drop constraint ${quote(name)};`), false);
}

// Only one that is made again under its name is missed for a while; the others go when the new ones are there.
function dropReplacedIndexes({ old, wanted }: TableChange): readonly Step[] {
  return changedParts(old.indexes, wanted.indexes, bodyOf).gone.filter(({ name }) => wanted.indexes.some((other) => other.name === name)).map(dropIndex);
}

function dropOtherIndexes({ old, wanted }: TableChange): readonly Step[] {
  return old.indexes.filter(({ name }) => !wanted.indexes.some((other) => other.name === name)).map(dropIndex);
}

function dropIndex({ name }: Index): Step {
  return alone('expand', [`drop index concurrently if exists ${quote(name)};`], `waits for statements that use ${quote(name)}`);
}

function changeColumns(change: TableChange): readonly Step[] {
  const { table, old, wanted, decisions, pairs } = change;
  const added = wanted.columns.filter((column) => column.generated === undefined && !old.columns.some(({ name }) => name === column.name));
  const goneRequired = old.columns.filter((column) => column.notNull && column.generated === undefined && !wanted.columns.some(({ name }) => name === column.name));
  const freed = pairs.filter(({ before, after }) => before.notNull && !after.notNull && after.generated === undefined);
  const statements = [
    // A service of the new model does not write them any more, before they are dropped at last.
    ...[...goneRequired.map(({ name }) => name), ...freed.map(({ after }) => after.name)].map((name) => `alter table ${table} alter column ${quote(name)} drop not null;`),
    ...pairs.filter((pair) => pair.before.default !== pair.after.default && !isRetyped(pair)).map(({ after }) => `alter table ${table} alter column ${quote(after.name)} ${setDefault(after)};`),
    ...added.flatMap((column) => addColumn(change, column, decisions)),
  ];
  return exclusive('expand', change, statements, false);
}

function setDefault({ default: value }: Column): string {
  return value === undefined ? 'drop default' : `set default ${value}`;
}

// A constant default is kept beside the rows, so that none is written (PostgreSQL 11 and later).
function addColumn({ table, wanted }: TableChange, column: Column, decisions: Decisions): readonly string[] {
  const fill = fillOf(wanted.name, column, decisions);
  if (!column.notNull || column.default !== undefined || fill === undefined) return [`alter table ${table} add column ${printColumn(column)};`];
  return [`alter table ${table} add column ${printColumn({ ...column, default: fill })};`, `alter table ${table} alter column ${quote(column.name)} drop default;`];
}

// Computed columns are dropped before what they read changes, and come last.
function widen(change: TableChange): readonly Step[] {
  const { table, old, wanted, pairs, stale } = change;
  const retyped = pairs.filter(isRetyped).map((pair) => ({ ...pair, how: changeType(pair.before, pair.after) }));
  const goneComputed = old.columns.filter((column) => column.generated !== undefined && (stale.has(column.name) || !wanted.columns.some(({ name }) => name === column.name)));
  const computed = wanted.columns.filter((column) => column.generated !== undefined && (stale.has(column.name) || !old.columns.some(({ name }) => name === column.name)));
  const statements = [
    ...goneComputed.map(({ name }) => `alter table ${table} drop column ${quote(name)};`),
    ...retyped.flatMap(({ before, after, how }) => (how === undefined ? remake(change, after) : retype(table, before, after, how.using))),
    ...computed.map((column) => `alter table ${table} add column ${printColumn(column)};`),
  ];
  return exclusive('expand', change, statements, computed.length > 0 || retyped.some(({ how }) => how?.effect !== 'free'));
}

function remake(change: TableChange, column: Column): readonly string[] {
  return [`alter table ${change.table} drop column ${quote(column.name)};`, ...addColumn(change, column, change.decisions)];
}

function retype(table: string, before: Column, after: Column, using: string | undefined): readonly string[] {
  const column = quote(after.name);
  return [
    // A default has a type, too.
    ...(before.default === undefined ? [] : [`alter table ${table} alter column ${column} drop default;`]),
    `alter table ${table} alter column ${column} type ${printColumnType(after)}${using === undefined ? '' : ` using ${using}`};`,
    ...(after.default === undefined ? [] : [`alter table ${table} alter column ${column} set default ${after.default};`]),
  ];
}

// An index goes with its column, and is made again with it.
function addIndexes({ table, old, wanted, stale }: TableChange): readonly Step[] {
  const lost = wanted.indexes.filter(({ terms }) => terms.some((term) => [...stale].some((column) => term.includes(quote(column)))));
  return [...new Set([...changedParts(old.indexes, wanted.indexes, bodyOf).fresh, ...lost])].map((index) =>
    alone('expand', createConcurrently(table, index), `SHARE UPDATE EXCLUSIVE on ${table} while the index is built; rows can be read and written`),
  );
}

// One that was broken off stays behind, invalid.
function createConcurrently(table: string, index: Index): readonly string[] {
  return [`drop index concurrently if exists ${quote(index.name)};`, `create ${index.unique ? 'unique ' : ''}index concurrently ${quote(index.name)} on ${table} ${printIndexBody(index)};`];
}

function required({ pairs }: TableChange): readonly ColumnPair[] {
  return pairs.filter(({ before, after }) => after.notNull && !before.notNull && after.generated === undefined);
}

function fillColumns(change: TableChange): readonly Step[] {
  const { table, wanted, decisions } = change;
  return required(change).flatMap(({ after }): readonly Step[] => {
    const fill = fillOf(wanted.name, after, decisions);
    if (fill === undefined) return [];
    const column = quote(after.name);
    const rows = `update ${table} set ${column} = ${fill} where ${column} is null and "#id" > $1 and "#id" <= $2;`;
    return [{ phase: 'backfill', manner: { kind: 'batches', table: wanted.name }, statements: [rows], costs: ['locks of the rows of one batch at a time'] }];
  });
}

// A check that is valid already spares the scan under the lock (PostgreSQL 12 and later).
function requireColumns(change: TableChange): readonly Step[] {
  const { table, wanted } = change;
  return required(change).flatMap(({ after }) => {
    const [column, check] = [quote(after.name), quote(`${wanted.name.slice(0, 20)}#${after.name.slice(0, 20)}#filled`)];
    return [
      ...exclusive('contract', change, [`alter table ${table} add constraint ${check} check (${column} is not null) not valid;`], false),
      validate('contract', table, check),
      ...exclusive('contract', change, [`alter table ${table} alter column ${column} set not null;`, `alter table ${table} drop constraint ${check};`], false),
    ];
  });
}

function validate(phase: Phase, table: string, constraint: string): Step {
  return { phase, manner: { kind: 'transaction' }, statements: [`alter table ${table} validate constraint ${constraint};`], costs: [`SHARE UPDATE EXCLUSIVE on ${table} while its rows are read; they can be read and written`] };
}

function dropColumns(change: TableChange): readonly Step[] {
  const { table, old, wanted } = change;
  const gone = old.columns.filter((column) => column.generated === undefined && !wanted.columns.some(({ name }) => name === column.name));
  return exclusive('contract', change, gone.map(({ name }) => `alter table ${table} drop column ${quote(name)};`), false).map((step) => ({ ...step, costs: [...step.costs, `drops ${gone.map(({ name }) => quote(name)).join(', ')}`] }));
}

function addKeys(change: TableChange): readonly Step[] {
  const { table } = change;
  return changedConstraints(change).fresh.flatMap((constraint): readonly Step[] => {
    switch (constraint.kind) {
      case 'unique':
      case 'primary key':
        return [
          alone('contract', createConcurrently(table, { name: constraint.name, unique: true, terms: constraint.columns.map(quote) }), `SHARE UPDATE EXCLUSIVE on ${table} while the index is built; values that are there twice stop it`),
          ...exclusive('contract', change, [`alter table ${table} add constraint ${quote(constraint.name)} ${constraint.kind} using index ${quote(constraint.name)};`], false),
        ];
      case 'check':
        return addValidated(change, constraint, `ACCESS EXCLUSIVE on ${table}, for a moment`);
      case 'foreign key':
        return [];
    }
  });
}

function addForeignKeys(change: TableChange): readonly Step[] {
  return changedConstraints(change).fresh.flatMap((constraint) =>
    constraint.kind === 'foreign key' ? addValidated(change, constraint, `SHARE ROW EXCLUSIVE on ${change.table} and ${quote(constraint.principal)}, for a moment`) : [],
  );
}

// New rows are held to it at once, those that exist are read under a lock that lets others write.
function addValidated({ table, wanted }: TableChange, constraint: Constraint, cost: string): readonly Step[] {
  return [
    { phase: 'contract', manner: { kind: 'transaction' }, statements: [printAddConstraint(wanted.name, constraint).replace(/;$/, ' not valid;')], costs: [cost] },
    validate('contract', table, quote(constraint.name)),
  ];
}
