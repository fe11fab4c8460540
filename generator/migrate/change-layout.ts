import { literal, quote } from '../../runtime/schema/identifier.js';
import { partitionName, printDistributions, printIndex, printTable } from '../../runtime/schema/print-schema.js';
import type { Table } from '../../runtime/schema/schema.js';
import { inTransaction, type Problem, type Step } from './step.js';
import { validate } from './table-change.js';

/** Whether an existing table is distributed over nodes from now on. */
export function isRedistributed(old: Table | undefined, wanted: Table): boolean {
  return old !== undefined && old.distribution === undefined && wanted.distribution !== undefined;
}

/** Layouts that a migration cannot undo. */
export function layoutProblems(old: Table, wanted: Table): readonly Problem[] {
  const isUndone = old.partitionRows !== undefined && wanted.partitionRows === undefined;
  const isMoved = old.distribution !== undefined && JSON.stringify(old.distribution) !== JSON.stringify(wanted.distribution);
  if (!isUndone && !isMoved) return [];
  const what = isUndone ? 'has partitions, and cannot become one table again' : 'is distributed, and cannot be moved';
  return [
    {
      kind: 'refused',
      table: wanted.name,
      message: `${wanted.name} ${what}: ${wayOut(wanted.name, isUndone)}copy its rows to another database.`,
    },
  ];
}

// The set may be gone, and with it what divides the table of the type that stays.
function wayOut(table: string, isUndone: boolean): string {
  return isUndone && !table.startsWith('#')
    ? `keep its set with Rules.StorageLayout, remove the type with the set (--dropped ${table}), or `
    : '';
}

/** Drops the key that is the number alone, where a distributed table gets one with the column that distributes it. */
export function dropNumberKey(old: Table, wanted: Table): readonly Step[] {
  if (!isRedistributed(old, wanted) || !wanted.constraints.some(({ kind }) => kind === 'primary key')) return [];
  const statement = `alter table ${quote(wanted.name)} drop constraint ${quote(`${wanted.name.slice(0, 58)}_pkey`)};`;
  return [inTransaction('contract', [statement], [`ACCESS EXCLUSIVE on ${quote(wanted.name)}, for a moment`])];
}

/** Distributes tables; their rows are copied to the nodes. */
export function distribute(before: ReadonlyMap<string, Table>, tables: readonly Table[]): readonly Step[] {
  const moved = tables.filter((table) => table.distribution !== undefined && before.get(table.name)?.distribution === undefined);
  if (moved.length === 0) return [];
  const statements = ["set local citus.multi_shard_modify_mode = 'sequential';", ...printDistributions(moved)];
  const costs = moved.map(({ name }) => `SHARE ROW EXCLUSIVE on ${quote(name)} while its rows are copied to the nodes of Citus`);
  return [inTransaction('contract', statements, costs)];
}

/** Numbers that may be drawn while the rows of a table are read; above the bound of its partition, writes would fail. */
const headroom = 100_000;

/**
 * Makes an existing table the first partition of a new one, without rewriting it: a constraint that was validated before
 * spares the attachment from reading the rows. The numbers go on where they were.
 */
export function partition(old: Table | undefined, wanted: Table): readonly Step[] {
  if (old === undefined || old.partitionRows !== undefined || wanted.partitionRows === undefined) return [];
  const { partitionRows: rows } = wanted;
  const table = quote(wanted.name);
  // The last rows may be deleted, and then the next number is far above those of the others.
  const last = `coalesce(greatest(max("#id"), pg_sequence_last_value(${sequenceOf(table)}::regclass)), 0)`;
  const top = `select ((${last} + ${Math.max(rows, headroom)}) / ${rows} + 1) * ${rows} from ${table}`;
  const bound = `execute format('alter table %s add constraint "#bound" check ("#id" < %s) not valid', ${literal(table)}, (${top}));`;
  const moment = `ACCESS EXCLUSIVE on ${table}, for a moment`;
  return [
    inTransaction('contract', [`do $$ begin ${bound} end $$;`], [moment]),
    validate(table, '"#bound"'),
    inTransaction('contract', attachFirst(wanted), [moment]),
  ];
}

// Names of the former table make room for those of the new one.
function attachFirst(wanted: Table): readonly string[] {
  const { name } = wanted;
  const [table, first] = [quote(name), quote(partitionName(name, 'first'))];
  const [own, former] = [sequenceOf(table), sequenceOf(first)];
  const indexes = `select c.oid::regclass as index, c.relname from pg_index join pg_class c on c.oid = indexrelid where indrelid = ${literal(first)}::regclass`;
  const top = `(select substring(pg_get_constraintdef(oid) from '\\d+') from pg_constraint where conrelid = ${literal(first)}::regclass and conname = '#bound')`;
  return [
    `alter table ${table} rename to ${first};`,
    `do $$ declare r record; begin for r in ${indexes} loop execute format('alter index %s rename to %I', r.index, left(r.relname, 55) || '#first'); end loop; end $$;`,
    `do $$ begin execute format('alter sequence %s rename to %I', ${former}, ${literal(`${name.slice(0, 40)}#first_seq`)}); end $$;`,
    oneLine(printTable(wanted)),
    ...wanted.indexes.map((index) => printIndex(name, index)),
    `do $$ begin execute format('select setval(%L, last_value, is_called) from %s', ${own}, ${former}); end $$;`,
    `alter table ${first} alter "#id" drop identity;`,
    `do $$ begin execute format('alter table %s attach partition %s for values from (minvalue) to (%s)', ${literal(table)}, ${literal(first)}, ${top}); end $$;`,
    `alter table ${first} drop constraint "#bound";`,
    `create table ${quote(partitionName(name, 'rest'))} partition of ${table} default;`,
  ];
}

function sequenceOf(table: string): string {
  return `pg_get_serial_sequence(${literal(table)}, '#id')`;
}

/** A statement on one line. Identifiers may contain a line break, which stays. */
export function oneLine(statement: string): string {
  return statement
    .replace(/\(\n {2}/, '(')
    .replace(/,\n {2}/g, ', ')
    .replace(/\n\)( partition by range \("#id"\))?;$/, ')$1;');
}
