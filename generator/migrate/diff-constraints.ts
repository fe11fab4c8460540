import { quote } from '../../runtime/schema/identifier.js';
import { printAddConstraint, printIndexBody } from '../../runtime/schema/print-schema.js';
import type { Constraint } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names.js';
import { ruleOf } from './rename.js';
import type { Step } from './step.js';
import { alone, changedParts, exclusive, validate, type TableChange } from './table-change.js';

/** Drops what is gone or comes again, but for keys that come again, whose successor is built first. */
export function dropConstraints(change: TableChange): readonly Step[] {
  const { gone, fresh } = changedConstraints(change);
  const isSucceeded = ({ name, kind }: Constraint): boolean =>
    isKey(kind) && fresh.some((other) => other.name === name && isKey(other.kind));
  // Foreign keys first, since a key that they refer to may be the next.
  const ordered = gone
    .filter((constraint) => !isSucceeded(constraint))
    .sort((a, b) => Number(b.kind === 'foreign key') - Number(a.kind === 'foreign key'));
  return exclusive(
    'expand',
    change,
    ordered.map(({ name }) => `alter table ${change.table} drop constraint ${quote(name)};`),
    false,
  );
}

/** Adds keys. */
export function addKeys(change: TableChange): readonly Step[] {
  return changedConstraints(change).fresh.flatMap((constraint) =>
    constraint.kind === 'unique' || constraint.kind === 'primary key' ? addKey(change, constraint) : [],
  );
}

/** Adds checks, while what is dropped is still there: a row that does not meet one is refused with all that it has. */
export function addChecks(change: TableChange): readonly Step[] {
  return changedConstraints(change).fresh.flatMap((constraint) =>
    constraint.kind === 'check' ? addValidated(change, constraint, `ACCESS EXCLUSIVE on ${change.table}, for a moment`) : [],
  );
}

/** Adds foreign keys, when all keys are there. */
export function addForeignKeys(change: TableChange): readonly Step[] {
  return changedConstraints(change).fresh.flatMap((constraint) =>
    constraint.kind === 'foreign key'
      ? addValidated(
          change,
          constraint,
          `SHARE ROW EXCLUSIVE on ${[...new Set([change.table, quote(constraint.principal)])].join(' and ')}, for a moment`,
        )
      : [],
  );
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

// The rows are never without a key: its index is built under another name, which PostgreSQL changes to the constraint's.
function addKey(change: TableChange, { kind, name, columns }: Extract<Constraint, { kind: 'unique' | 'primary key' }>): readonly Step[] {
  const { table } = change;
  const next = quote(databaseName(`${name}#next`));
  const create = `create unique index concurrently ${next} on ${table} ${printIndexBody({ terms: columns.map(quote) })};`;
  return [
    alone(
      'contract',
      [`drop index concurrently if exists ${next};`, create],
      `SHARE UPDATE EXCLUSIVE on ${table} while the index is built; values that are there twice stop it`,
    ),
    ...exclusive(
      'contract',
      change,
      [
        `alter table ${table} drop constraint if exists ${quote(name)};`,
        `alter table ${table} add constraint ${quote(name)} ${kind} using index ${next};`,
      ],
      false,
    ),
  ];
}

// New rows are held to it at once, those that exist are read under a lock that lets others write.
function addValidated({ table, wanted }: TableChange, constraint: Constraint, cost: string): readonly Step[] {
  return [
    {
      phase: 'contract',
      manner: { kind: 'transaction' },
      statements: [printAddConstraint(wanted.name, constraint).replace(/;$/, ' not valid;')],
      costs: [cost],
    },
    validate('contract', table, quote(constraint.name)),
  ];
}
