import { quote } from '../../runtime/schema/identifier.js';
import { foreignKeysOf, printAddConstraint } from '../../runtime/schema/print-schema.js';
import type { ForeignKey, Schema, Table } from '../../runtime/schema/schema.js';
import { pairedRelations } from './paired-relations.js';
import { inTransaction, type Phase, type Step } from './step.js';

/** A foreign key of a new table. */
interface NewKey {
  readonly table: Table;
  readonly key: ForeignKey;
}

/**
 * Adds the foreign keys of new tables: in the first phase where rows can have a value only from a service with the new
 * model, since a deletion by either service must meet the rows that refer to the record.
 */
export function addKeysOfNew(fresh: readonly Table[], old: Schema, wanted: Schema): readonly Step[] {
  const all = fresh.flatMap((table) => foreignKeysOf(table).map((key) => ({ table, key })));
  const isFirst = firstKeys(fresh, old, wanted);
  const ofPhase = (phase: Phase, keys: readonly NewKey[]): readonly Step[] =>
    keys.length === 0 ? [] : [inTransaction(phase, keys.map(printKey), costsOf(keys, fresh))];
  return [
    ...ofPhase('expand', all.filter(isFirst)),
    ...ofPhase(
      'contract',
      all.filter((one) => !isFirst(one)),
    ),
  ];
}

function printKey({ table, key }: NewKey): string {
  return printAddConstraint(table.name, key);
}

function costsOf(keys: readonly NewKey[], fresh: readonly Table[]): readonly string[] {
  const own = new Set(fresh.map(({ name }) => name));
  const principals = [...new Set(keys.map(({ key }) => key.principal))].filter((principal) => !own.has(principal));
  return principals.map((table) => `SHARE ROW EXCLUSIVE on ${quote(table)}, for a moment`);
}

// Not of tables with rows of others, nor of distributed ones, nor where the key that is referenced changes.
function firstKeys(fresh: readonly Table[], old: Schema, wanted: Schema): (one: NewKey) => boolean {
  const before = new Map(old.tables.map((table) => [table.name, table]));
  const after = new Map(wanted.tables.map((table) => [table.name, table]));
  const filled = new Set(pairedRelations(old, wanted).map(({ pairs }) => pairs));
  return ({ table, key }) => {
    const principal = before.get(key.principal);
    const isSame = principal === undefined ? fresh.some(({ name }) => name === key.principal) : hasSameKey(principal, after, key);
    return !filled.has(table.name) && isPlain(table) && isPlain(after.get(key.principal)) && isSame;
  };
}

function isPlain(table: Table | undefined): boolean {
  return table?.takesOver === undefined && table?.distribution === undefined;
}

function hasSameKey(before: Table, after: ReadonlyMap<string, Table>, { principal, principalColumns }: ForeignKey): boolean {
  const named = principalColumns.join();
  const isKey = before.constraints.some(
    (constraint) => (constraint.kind === 'unique' || constraint.kind === 'primary key') && constraint.columns.join() === named,
  );
  return (isKey || named === '#id') && principalColumns.every((name) => typeOf(name, before) === typeOf(name, after.get(principal)));
}

function typeOf(column: string, table: Table | undefined): string | undefined {
  return table?.columns.find(({ name }) => name === column)?.type;
}
