import { quote } from '../../runtime/schema/identifier.js';
import { printAddConstraint, printIndexBody } from '../../runtime/schema/print-schema.js';
import type { Column, Constraint, ForeignKey, Index } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { ruleOf, bodyOf } from './rename-parts.js';
import { inTransaction, type Phase, type Step } from './step.js';
import { alone, changedParts, exclusive, isMissingIn, validate, type TableChange, isRetyped } from './table-change.js';

/** Drops constraints that are removed or recreated, apart from recreated keys, whose successors are built first. */
export function dropConstraints(change: TableChange): readonly Step[] {
  const { gone, fresh } = changedConstraints(change);
  const isSucceeded = ({ name, kind }: Constraint): boolean =>
    isKey(kind) && fresh.some((other) => other.name === name && isKey(other.kind));
  // Foreign keys first, since a key that they reference may be the next.
  const ordered = gone
    .filter((constraint) => !isSucceeded(constraint))
    .sort((a, b) => Number(b.kind === 'foreign key') - Number(a.kind === 'foreign key'));
  const statements = ordered.map(({ name }) => `alter table ${change.table} drop constraint ${quote(name)};`);
  return exclusive('expand', change, statements);
}

/** Adds keys. */
export function addKeys(change: TableChange): readonly Step[] {
  return changedConstraints(change).fresh.flatMap((constraint) =>
    constraint.kind === 'unique' || constraint.kind === 'primary key' ? addKey(change, constraint) : [],
  );
}

/** Adds checks, while dropped columns still exist: an invalid row is reported with all its values. */
export function addChecks(change: TableChange): readonly Step[] {
  return changedConstraints(change).fresh.flatMap((constraint) =>
    constraint.kind === 'check' ? addValidated(change, constraint, `ACCESS EXCLUSIVE on ${change.table}, for a moment`) : [],
  );
}

/** Adds foreign keys, after all keys; those of new columns first, so that a deletion meets the rows that refer to the record. */
export function addForeignKeys(change: TableChange): readonly Step[] {
  return changedConstraints(change).fresh.flatMap((constraint) => {
    if (constraint.kind !== 'foreign key') return [];
    const tables = [...new Set([change.table, quote(constraint.principal)])];
    const cost = `SHARE ROW EXCLUSIVE on ${tables.join(' and ')}, for a moment`;
    return addValidated(change, constraint, cost, isOfNewColumn(change, constraint) ? 'expand' : 'contract');
  });
}

// Only a service with the new model gives a value to a hidden column that is new and may be null.
function isOfNewColumn({ old, wanted }: TableChange, { name, columns }: ForeignKey): boolean {
  const isEmpty = (column: Column): boolean => column.name.startsWith('#') && column.notNull === undefined && isMissingIn(old)(column);
  const own = wanted.columns.filter((column) => columns.includes(column.name));
  // A foreign key that is made again has the rows of the former one.
  return wanted.distribution === undefined && own.every(isEmpty) && !old.constraints.some((constraint) => constraint.name === name);
}

function isKey(kind: Constraint['kind']): boolean {
  return kind === 'unique' || kind === 'primary key';
}

function changedConstraints({ old, wanted, isDisturbed }: TableChange): {
  readonly gone: readonly Constraint[];
  readonly fresh: readonly Constraint[];
} {
  const stays = (constraint: Constraint): boolean => !isDisturbed(wanted.name, constraint);
  return {
    gone: changedParts(old.constraints, wanted.constraints.filter(stays), ruleOf).gone,
    fresh: changedParts(old.constraints.filter(stays), wanted.constraints, ruleOf).fresh,
  };
}

// Rows always have a key: its index is built under another name, which PostgreSQL changes to the constraint's.
function addKey(change: TableChange, { kind, name, columns }: Extract<Constraint, { kind: 'unique' | 'primary key' }>): readonly Step[] {
  const { table } = change;
  const next = quote(databaseName(`${name}#next`));
  const create = `create unique index concurrently ${next} on ${table} ${printIndexBody({ terms: columns.map(quote) })};`;
  const cost = `SHARE UPDATE EXCLUSIVE on ${table} while the index is built; duplicate values stop it`;
  const replace = [
    `alter table ${table} drop constraint if exists ${quote(name)};`,
    `alter table ${table} add constraint ${quote(name)} ${kind} using index ${next};`,
  ];
  return [alone('contract', [`drop index concurrently if exists ${next};`, create], cost), ...exclusive('contract', change, replace)];
}

// New rows are checked immediately; existing ones are validated under a lock that permits writes.
function addValidated({ table, wanted }: TableChange, constraint: Constraint, cost: string, phase: Phase = 'contract'): readonly Step[] {
  const add = printAddConstraint(wanted.name, constraint).replace(/;$/, ' not valid;');
  return [inTransaction(phase, [add], [cost]), validate(table, quote(constraint.name))];
}

/** Drops indexes that prevent a column's type change, and are recreated. */
export function dropDisturbedIndexes(change: TableChange): readonly Step[] {
  return changedIndexes(change)
    .gone.filter((index) => isDisturbed(change, index))
    .flatMap((index) => dropIndex(change, index));
}

/** Builds indexes, without blocking writes where PostgreSQL can; one that replaces another takes its name when it is complete. */
export function addIndexes(change: TableChange): readonly Step[] {
  const { old, wanted, stale } = change;
  // An index is dropped with its column, and recreated with it.
  const lost = wanted.indexes.filter((index) => isOn(index, [...stale]));
  const isThere = (index: Index): boolean =>
    old.indexes.some((other) => other.name === index.name && !isDisturbed(change, other) && !isOn(other, [...stale]));
  return [...new Set([...changedIndexes(change).fresh, ...lost])].flatMap((index) =>
    isThere(index) ? replaceIndex(change, index) : [createIndex(change, index, index.name)],
  );
}

/** Drops the indexes with unused names. */
export function dropOtherIndexes(change: TableChange): readonly Step[] {
  const { old, wanted } = change;
  const others = old.indexes.filter(({ name }) => !wanted.indexes.some((other) => other.name === name));
  return others.flatMap((index) => dropIndex(change, index));
}

function changedIndexes({ old, wanted }: TableChange): { readonly gone: readonly Index[]; readonly fresh: readonly Index[] } {
  return changedParts(old.indexes, wanted.indexes, bodyOf);
}

function isDisturbed({ pairs, old, wanted }: TableChange, index: Index): boolean {
  const isChanged =
    wanted.indexes.some((other) => other.name === index.name && bodyOf(other) !== bodyOf(index)) && old.indexes.includes(index);
  const retyped = pairs.filter(isRetyped).map(({ after }) => after.name);
  return isChanged && isOn(index, retyped);
}

function isOn({ terms }: Index, columns: readonly string[]): boolean {
  return terms.some((term) => columns.some((column) => term.includes(quote(column))));
}

function dropIndex(change: TableChange, { name }: Index): readonly Step[] {
  if (hasPartitions(change)) return exclusive('expand', change, [`drop index if exists ${quote(name)};`]);
  return [alone('expand', [`drop index concurrently if exists ${quote(name)};`], `waits for statements that use ${quote(name)}`)];
}

// PostgreSQL builds and drops indexes of a table with partitions in a transaction only.
function hasPartitions({ old }: TableChange): boolean {
  return old.partitionRows !== undefined;
}

// An interrupted build leaves an invalid index, outside of a transaction.
function createIndex(change: TableChange, index: Index, name: string): Step {
  const { table } = change;
  const create = (how: string): string =>
    `create ${index.unique ? 'unique ' : ''}index ${how}${quote(name)} on ${table} ${printIndexBody(index)};`;
  if (hasPartitions(change)) {
    return inTransaction('expand', [create('')], [`SHARE on ${table} while the index is built; rows can be read, but not written`]);
  }
  return alone(
    'expand',
    [`drop index concurrently if exists ${quote(name)};`, create('concurrently ')],
    `SHARE UPDATE EXCLUSIVE on ${table} while the index is built; rows can be read and written`,
  );
}

function replaceIndex(change: TableChange, index: Index): readonly Step[] {
  const next = databaseName(`${index.name}#next`);
  const swap = [`drop index if exists ${quote(index.name)};`, `alter index ${quote(next)} rename to ${quote(index.name)};`];
  return [createIndex(change, index, next), ...exclusive('expand', change, swap)];
}
