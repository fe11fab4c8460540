import { quote } from '../../runtime/schema/identifier.js';
import { printIndexBody } from '../../runtime/schema/print-schema.js';
import type { Index } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { bodyOf } from './rename-parts.js';
import { inTransaction, type Step } from './step.js';
import { alone, changedParts, exclusive, isRetyped, type TableChange } from './table-change.js';

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
