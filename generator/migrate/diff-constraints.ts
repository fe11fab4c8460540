import { quote } from '../../runtime/schema/identifier.js';
import { printAddConstraint, printIndexBody } from '../../runtime/schema/print-schema.js';
import type { Column, Constraint, ForeignKey } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { ruleOf } from './rename-parts.js';
import { inTransaction, type Phase, type Step } from './step.js';
import { alone, changedParts, exclusive, isMissingIn, validate, type TableChange } from './table-change.js';

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
