import { quote } from '../../runtime/schema/identifier.js';
import { printAddConstraint, printColumn, printIndex } from '../../runtime/schema/print-schema.js';
import type { Column } from '../../runtime/schema/schema.js';
import { ruleOf } from './rename-parts.js';
import type { Step } from './step.js';
import { exclusive, isMissingIn, optional, type ColumnPair, type TableChange } from './table-change.js';

/** Drops generated columns that are removed or recreated, before the columns that they read change. */
export function dropComputed({ table, old, wanted, stale }: TableChange): readonly string[] {
  const isGone = isMissingIn(wanted);
  return old.columns
    .filter((column) => column.generated !== undefined && (stale.has(column.name) || isGone(column)))
    .map(({ name }) => dropColumn(table, name));
}

/** Adds generated columns that are new or recreated, as rows before the migration require them. */
export function addComputed(change: TableChange): readonly string[] {
  const { table, old, wanted, stale, pairs } = change;
  const isNew = isMissingIn(old);
  const wasRequired = ({ name }: Column): boolean => old.columns.some((column) => column.name === name && column.notNull);
  const passing = new Map(pairs.filter(isRead).map((pair) => [pair.after.name, readingBoth(pair)]));
  const computed = wanted.columns.filter((column) => column.generated !== undefined && (stale.has(column.name) || isNew(column)));
  return [
    // Columns that it reads may be filled or renamed later.
    ...computed.map(
      (column) =>
        `alter table ${table} add column ${printColumn(passing.get(column.name) ?? (wasRequired(column) ? column : optional(column)))};`,
    ),
    ...keysOn(
      change,
      computed.filter((column) => !isNew(column)).map(({ name }) => name),
    ),
  ];
}

/** The new generated columns that are not null, once all rows have the values that they read. */
export function requiredComputed({ old, wanted }: Pick<TableChange, 'old' | 'wanted'>): readonly Column[] {
  const isNew = isMissingIn(old);
  return wanted.columns.filter((column) => column.generated !== undefined && column.notNull && isNew(column));
}

/**
 * Replaces generated columns that read both names of a value by ones that read the new name, with their keys and
 * indexes.
 */
export function settleComputed(change: TableChange): readonly Step[] {
  const { table, wanted } = change;
  const settled = change.pairs.filter(isRead).map(({ after }) => after);
  const names = settled.map(({ name }) => name);
  const indexes = wanted.indexes.filter(({ terms }) => terms.some((term) => names.some((name) => term.includes(quote(name)))));
  return exclusive(
    'contract',
    change,
    [
      ...settled.flatMap((column) => [dropColumn(table, column.name), `alter table ${table} add column ${printColumn(column)};`]),
      ...keysOn(change, names),
      ...indexes.map((index) => printIndex(wanted.name, index)),
    ],
    true,
  );
}

function dropColumn(table: string, name: string): string {
  return `alter table ${table} drop column ${quote(name)};`;
}

// A key is dropped with its column; a changed one is added with the others.
function keysOn({ old, wanted }: TableChange, columns: readonly string[]): readonly string[] {
  const before = new Set(old.constraints.map((constraint) => `${constraint.name} ${ruleOf(constraint)}`));
  const keys = wanted.constraints.filter(
    (constraint) => constraint.kind === 'unique' && constraint.columns.some((column) => columns.includes(column)),
  );
  return keys
    .filter((constraint) => before.has(`${constraint.name} ${ruleOf(constraint)}`))
    .map((constraint) => printAddConstraint(wanted.name, constraint));
}

const cast = /::[^:']+$/;

/** Whether an existing column reads renamed members of a complex value. */
function isRead({ before, after }: ColumnPair): boolean {
  return (
    before.generated !== undefined &&
    after.generated !== undefined &&
    after.type !== 'tsvector' &&
    before.generated.replace(cast, '') !== after.generated.replace(cast, '')
  );
}

// Outer members are renamed first, so a row may have some of the new names.
function readingBoth({ before, after }: ColumnPair): Column {
  const [type = ''] = cast.exec(after.generated ?? '') ?? [];
  const [from, to] = [before, after].map(({ generated = '' }) => generated.replace(cast, '').split(literals));
  const renamed = from?.length === to?.length ? (to ?? []).flatMap((part, index) => (part === from?.[index] ? [] : [index])) : [];
  const between = renamed.slice(1).map((last) => (to ?? []).map((part, index) => (index < last ? part : (from?.[index] ?? part))));
  const forms = [to, ...between.toReversed(), from].map((parts) => (parts ?? []).join(''));
  return optional({ ...after, generated: `(coalesce(${forms.join(', ')}))${type}` });
}

const literals = /('(?:[^']|'')*')/;
