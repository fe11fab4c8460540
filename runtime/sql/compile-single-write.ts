import { columnOf, type EntityType, keyColumnOf, keyFieldOf, primitives, type StoredRecord } from '../edm/index.js';
import type { Selection } from '../plan/read-plan.js';
import type { Reference } from '../plan/write/write-plan.js';
import { quote } from '../schema/identifier.js';
import { columnReference, keptStatement, mostShapes, StatementBuilder, type KeptStatements } from './builder.js';
import { followedColumns, withFollowing } from './followers.js';
import type { ChangeText, FollowedChange, RowChange } from './row-change.js';
import { compileSets, mirroredUpdate, type MirroredRows, numberedInsert } from './compile-write.js';
import { stateColumn } from './compile-lock.js';
import { compileCells } from './record-cells.js';
import type { Bind, Statement } from './statement.js';
import { boundRows, boundValues, columnsOf, newRowCells, placed, valuesOf, type BoundValue, type NewRecords } from './stored-cells.js';
import { memoized } from '../edm/memoized.js';

/** The write of one entity with its consequences and its assumptions. */
export interface SingleWrite {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly type: EntityType;
  readonly id: string;
  /** The state that an existing row must still have. */
  readonly state?: string | undefined;
  readonly values: StoredRecord;
  /** The values of the key before an update that sets it. */
  readonly formerKey?: readonly string[] | undefined;
  /** Values that must be keys of existing rows. */
  readonly references: readonly Reference[];
  readonly mirrored: readonly MirroredRows[];
  /** New journal entries about the change, by type. */
  readonly journal: readonly NewRecords[];
}

/** The cells that the statement returns of its row, and their alias. */
export interface Returned {
  readonly alias: string;
  readonly cells: readonly string[];
}

/** The cells of a selection, if the written row has all of them; undefined if others must be read. */
export const returnedOf = memoized(findReturned);

/** Whether rows with the cells of one selection have those of the other: a create and an update of a type have their own. */
export function hasSameCells(one: Selection, other: Selection): boolean {
  return one === other || (one.type === other.type && textOf(one) === textOf(other));
}

const textOf = memoized((selection: Selection) => JSON.stringify(returnedOf(selection) ?? null));

function findReturned(selection: Selection): Returned | undefined {
  const { alias, expands, computed, columns, types } = selection;
  if (types || expands.length + computed.length > 0 || columns.some(({ expression }) => expression)) return undefined;
  return { alias, cells: compileCells(selection, new StatementBuilder()) };
}

/** The returned cells that a write sets, and their places in all of them; after the cells follows the state. */
interface ChangedCells {
  readonly returned: Returned;
  readonly places: readonly number[];
}

/** The cells that a write has to return: the others are as an update found them, or null in a new row. */
export function changedCells({ kind, type, values }: SingleWrite, whole: Returned): ChangedCells {
  const names = [...values.keys()];
  const known = changesOf(whole);
  const shape = `${kind} ${names.join(' ')}`;
  const found = known.get(shape);
  if (found !== undefined) return found;
  if (known.size >= mostShapes) known.clear();
  const changed = findChanged(kind === 'insert' ? isSetIn(type, names, whole) : isChangedIn(type, names, whole), whole);
  known.set(shape, changed);
  return changed;
}

const changesOf = memoized<Returned, [], Map<string, ChangedCells>>(() => new Map());

function findChanged(isSet: (cell: string) => boolean, { alias, cells }: Returned): ChangedCells {
  const places = [...cells.keys()].filter((place) => isSet(cells[place] ?? ''));
  return { returned: { alias, cells: places.map((place) => cells[place] ?? '') }, places: [...places, cells.length] };
}

function isChangedIn(type: EntityType, names: readonly string[], { alias }: Returned): (cell: string) => boolean {
  const changedColumns = new Set(
    ['#version', ...names.map((name) => columnOf(type, name))].map((column) => columnReference(alias, column)),
  );
  return (cell) => changedColumns.has(cell);
}

// An insert leaves a column null that has neither a value nor a default.
function isSetIn(type: EntityType, names: readonly string[], { alias }: Returned): (cell: string) => boolean {
  const set = new Set(names);
  const nulls = Object.entries(type.fields)
    .filter(([name, field]) => !set.has(name) && field.nullable && field.default === undefined && !field.collection && !field.more)
    .map(([name]) => columnReference(alias, columnOf(type, name)));
  const nullCells = new Set(nulls);
  return (cell) => !nullCells.has(cell);
}

const kept: KeptStatements<Returned> = new WeakMap();

/**
 * A single statement for a write with its consequences. It returns a row with the cells and the new state if all
 * assumptions hold; otherwise it returns none and changes nothing.
 */
export function compileSingleWrite(write: SingleWrite, returned: Returned): Statement {
  return keptStatement(kept, { of: returned, shape: shapeOf(write), binds: bindsOf(write) }, () => compile(write, returned));
}

// Everything that the text depends on.
function shapeOf({ kind, type, values, references, mirrored, journal, formerKey }: SingleWrite): string {
  let shape = `${kind} ${type.table}`;
  for (const name of values.keys()) shape += ` ${name}`;
  for (const { target } of references) shape += `|${target.table}`;
  for (const rows of mirrored) shape += `>${rows.target.table} ${rows.link} ${[...rows.values.keys()].join(' ')}`;
  for (const entries of journal) shape += `+${entries.type.table} ${entries.rows.length} ${entries.names.join(' ')}`;
  return formerKey === undefined ? shape : `${shape} from`;
}

// In the order in which the text binds them.
function bindsOf({ id, state, values, references, mirrored, journal, formerKey = [] }: SingleWrite): readonly Bind[] {
  const binds: Bind[] = state === undefined ? [id] : [id, state];
  for (const value of values.values()) binds.push(value);
  for (const { value } of references) binds.push(value);
  for (const rows of mirrored) for (const value of rows.values.values()) binds.push(value);
  for (const { rows } of journal) for (const row of rows) binds.push(...row);
  binds.push(...formerKey);
  return binds;
}

const changed = 'exists (select from changed)';

// Binds in the order of `bindsOf`, and nothing else.
function compile(write: SingleWrite, { alias, cells }: Returned): Statement {
  const builder = new StatementBuilder();
  const id = builder.bind(write.id, 'bigint');
  const state = write.state === undefined ? [] : [`${alias}.${stateColumn} = ${builder.bind(write.state, 'xid')}`];
  const values = boundValues(write.type, write.values, builder);
  const presumed = [...state, ...write.references.map((reference) => compileExists(reference, builder))];
  const parts = [
    ...write.mirrored.map((rows) => {
      const { change, text } = mirroredUpdate(rows, id, builder);
      return { change, text: `${text} and ${changed}` };
    }),
    ...write.journal.map((entries): ChangeText => ({
      change: { kind: 'insert', type: entries.type },
      text: compileJournal(entries, builder),
    })),
  ].map(({ change, text }, index) => compilePart(change, `follows${index}`, text, 't0'));
  const { kind, type } = write;
  const formerKey = write.formerKey?.map((value, index) => builder.bind(value, keySql(type, type.key[index])));
  const own = compilePart(
    { kind, type, names: [...write.values.keys()], formerKey, isSingle: true, where: `"#id" = ${id}`, among: `= ${id}` },
    'changed',
    compileOwn(write, alias, id, values, presumed),
    alias,
    [...cells.map((cell, index) => `${cell} as c${index}`), `${stateOf(write, alias)} as "#state"`],
  );
  const tables = [own, ...parts].map(({ table }) => table);
  const changes = [own, ...parts].flatMap(({ followed }) => followed ?? []);
  const shown = [...cells.map((_, index) => `c${index}`), '"#state"'];
  return builder.unfilteredStatement(`with ${withFollowing(tables, changes)} select ${shown.join(', ')} from changed`);
}

// An insert into a partitioned table cannot return system columns; the transaction is then asked for itself.
function stateOf({ kind, type }: SingleWrite, alias: string): string {
  return kind === 'insert' && type.partitions !== undefined ? 'pg_current_xact_id()::xid' : `${alias}.${stateColumn}`;
}

// A common table expression with a change; it is followed where it returns what followers need.
function compilePart(
  change: RowChange,
  from: string,
  text: string,
  alias: string,
  cells: readonly string[] = [],
): { readonly table: string; readonly followed: FollowedChange | undefined } {
  const columns = followedColumns(change, alias);
  // First what followers read: they then need not unpack the other columns.
  const returning = [...(columns ?? []), ...cells];
  return {
    table: `${from} as (${text}${returning.length === 0 ? '' : ` returning ${returning.join(', ')}`})`,
    followed: columns && { ...change, from },
  };
}

function compileOwn(write: SingleWrite, alias: string, id: string, values: readonly BoundValue[], presumed: readonly string[]): string {
  const { kind, type } = write;
  const table = `${quote(type.table)} as ${alias}`;
  const where = [`${columnReference(alias, '#id')} = ${id}`, ...presumed].join(' and ');
  if (kind === 'delete') return `delete from ${table} where ${where}`;
  if (kind === 'update') return `update ${table} set ${compileSets(type, values)} where ${where}`;
  const inserted = [...newRowCells(type, id), ...placed(type, values)];
  const condition = presumed.length === 0 ? '' : ` where ${presumed.join(' and ')}`;
  return `insert into ${table} (${columnsOf(inserted)}) select ${valuesOf(inserted)}${condition}`;
}

function compileExists({ target, value }: Reference, builder: StatementBuilder): string {
  const [key = ''] = target.key;
  return `exists (select from ${quote(target.table)} there where ${columnReference('there', keyColumnOf(target, key))} = ${builder.bind(value, keySql(target, key))})`;
}

function keySql(type: EntityType, name = ''): string {
  return primitives[keyFieldOf(type, name)?.type ?? 'Edm.String'].sql;
}

function compileJournal(entries: NewRecords, builder: StatementBuilder): string {
  return numberedInsert(entries.type, entries.names, boundRows(entries, builder), ` where ${changed}`);
}
