import { quote } from '../../runtime/schema/identifier.js';
import { foreignKeysOf } from '../../runtime/schema/print-schema.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import { lostLinks, sides } from './paired-relations.js';
import { inTransaction, type Step } from './step.js';

/**
 * The schema with the former names of tables of pairs that a navigation property keeps: the name is that of one of two
 * partners, so it changes with the other one. Snapshots of earlier versions do not say whose links a table has.
 */
export function withKeptPairs(old: Schema, wanted: Schema): Schema {
  const [before, after] = [old, wanted].map(({ tables }) => new Set(tables.map(({ name }) => name)));
  const gone = old.tables.filter(({ name, ends }) => ends !== undefined && !after?.has(name));
  return {
    ...wanted,
    tables: wanted.tables.map((table) => (table.ends === undefined || before?.has(table.name) ? table : withFormer(table, gone))),
  };
}

function withFormer(table: Table, gone: readonly Table[]): Table {
  const [same, swapped] = [false, true].map((isSwapped) => gone.filter((other) => isKept(other, table, isSwapped)).map(({ name }) => name));
  return {
    ...table,
    ...(same !== undefined && same.length > 0 && { renamedFrom: [...(table.renamedFrom ?? []), ...same] }),
    ...(swapped !== undefined && swapped.length > 0 && { swappedFrom: [...(table.swappedFrom ?? []), ...swapped] }),
  };
}

// Whether a navigation property of the one is at the same side of the other, or at the opposite one, with the same records.
function isKept({ ends: was = [], ...old }: Table, { ends: is = [], endsFrom = [], ...wanted }: Table, isSwapped: boolean): boolean {
  const place = (index: number): number => (isSwapped ? 1 - index : index);
  return (
    sides.every((_side, index) => principalAt(old, index) === principalAt(wanted, place(index))) &&
    was.some((property, index) => property === is[place(index)] || property === endsFrom[place(index)])
  );
}

function principalAt(table: Pick<Table, 'constraints'>, index: number): string | undefined {
  return foreignKeysOf(table).find(({ columns: [column] }) => column === sides[index])?.principal;
}

/** Copies the links of partners that are none from here on: one keeps the table, and the other gets one. */
export function splitPairs(old: Schema, wanted: Schema): readonly Step[] {
  const before = new Map(old.tables.map((table) => [table.name, table]));
  const kept = wanted.tables.flatMap((table) => {
    const former = before.get(table.name);
    return former?.ends?.length === 2 && table.ends?.length === 1 ? [former] : [];
  });
  return wanted.tables
    .filter(({ name, ends }) => ends !== undefined && !before.has(name))
    .flatMap((table) =>
      [false, true].flatMap((isSwapped) =>
        kept.filter((other) => isKept(other, table, isSwapped)).map((other) => copyOf(other, table, isSwapped)),
      ),
    );
}

function copyOf({ name: from }: Table, { name: to }: Table, isSwapped: boolean): Step {
  const [into, own] = [sides, isSwapped ? sides.toReversed() : sides].map((columns) => columns.map(quote).join(', '));
  const statement = `insert into ${quote(to)} (${into}) select ${own} from ${quote(from)} on conflict do nothing;`;
  return inTransaction('backfill', [statement], [`copies rows of ${quote(from)} to ${quote(to)}; locks neither`, lostLinks]);
}
