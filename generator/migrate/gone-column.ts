import { openColumn } from '../../runtime/edm/lookup.js';
import { editDistance } from '../../runtime/errors/suggest.js';
import { foreignKeysOf } from '../../runtime/schema/print-schema.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import { keyedRelations } from './link-rows.js';
import { shownPath } from './model-names.js';
import { lossOf, type Decisions, type Problem } from './step.js';

/** A removed column, and for a hidden one the reference that it stores. */
interface GoneColumn {
  readonly column: Column;
  readonly principal?: string;
  /** The columns that store the reference from now on. */
  readonly keyed?: readonly string[];
}

/** The reference that a hidden column stores, and the columns that store it from now on. */
export function relationOf({ name }: Column, old: Table, wanted: Table): Omit<GoneColumn, 'column'> {
  const principal = principalOf(name, old);
  const keyed = keyedRelations(old, wanted).find(({ number }) => number === name)?.key.columns;
  return { ...(principal !== undefined && { principal }), ...(keyed && { keyed }) };
}

/** The table that a hidden column references. */
export function principalOf(name: string, table: Table): string | undefined {
  return name.startsWith('#') ? foreignKeysOf(table).find(({ columns: [first] }) => first === name)?.principal : undefined;
}

/** The decision on a removed column: a rename, or the loss of its values. */
export function goneColumn({ name: table }: Table, gone: GoneColumn, added: readonly Column[], decisions: Decisions): readonly Problem[] {
  const { column } = gone;
  if (decisions.dropped.has(`${table}/${column.name}`)) return [];
  const [type, name] = shownPath(table, column.name);
  const path = `${type}/${name}`;
  const like = added
    .filter(({ name, type, generated }) => type === column.type && generated === undefined && isHidden(name) === isHidden(column.name))
    .sort((a, b) => distance(a, column) - distance(b, column))[0];
  if (like !== undefined) {
    const candidate = newName(column.name, like.name);
    const message = `${path} was removed, and ${candidate} is new with the same type. If it was renamed, write Rules.RenamedFrom or --renamed ${path}=${candidate}; if not, --dropped ${path}.`;
    return [{ kind: 'rename', table: type, column: name, candidate, message }];
  }
  return lossOf(table, column.name, `${path} ${lostIn(type, gone, added)}`, decisions);
}

// The new name as decisions write it: within a complex value, its last part.
function newName(from: string, to: string): string {
  const [before, now] = [shownPath('', from)[1], shownPath('', to)[1]];
  const parent = before.slice(0, before.lastIndexOf('/') + 1);
  if (!isHidden(to)) return to;
  if (parent !== '' && now.startsWith(parent)) return now.slice(parent.length);
  return now.includes('/') ? to : now;
}

// Hidden columns are not in the model, so the message explains them.
function lostIn(table: string, { column: { name }, principal, keyed }: GoneColumn, added: readonly Column[]): string {
  const isParent = name.startsWith('#in.');
  if (principal === undefined) return lostValues(name, added);
  const what = isParent
    ? `the ${principal} that contains each ${table}`
    : `the target ${principal} of the navigation property ${name.slice(1)} of each ${table}`;
  if (keyed === undefined)
    return `has ${what}, and is removed with the ${isParent ? 'containment' : 'property'}. Keep that, copy its values with a separate migration`;
  return `has ${what}, and ${keyed.join(' and ')} ${keyed.length > 1 ? 'replace' : 'replaces'} it: rows without a value there get the key of that record, and other rows keep theirs. Restore the model`;
}

function lostValues(name: string, added: readonly Column[]): string {
  const [, stream] = /^#(.*)\.stream$/.exec(name) ?? [];
  if (name === openColumn)
    return '(its dynamic properties) would be dropped, because the type is no longer open. Keep OpenType="true", declare its properties';
  if (stream === '$value') return 'has the media streams, which would be dropped with it. Keep HasStream';
  const advice = 'Keep the property, or add Rules.RenamedFrom if it was renamed';
  if (stream !== undefined) return `has the streams of ${stream}, which would be dropped with it. ${advice}`;
  const isOfOtherKind = added.some((column) => column.name === `#${name}` || column.name === `#${name}.stream`);
  const what = isOfOtherKind ? 'is now a navigation property or a stream' : 'was removed';
  return `${what}, and its column would be dropped with its values. ${isOfOtherKind ? 'Keep it as it was' : advice}`;
}

function isHidden(name: string): boolean {
  return name.startsWith('#');
}

/** Whether one column can become the other: ids mean nothing among those of another table. */
export function isOfSameRecords(...sides: readonly (readonly [Table, Column])[]): boolean {
  const [before, after] = sides.map(([table, { name }]) => principalOf(name, table));
  return before === undefined || after === undefined || before === after;
}

function distance({ name }: Column, other: Column): number {
  return editDistance(name.toLowerCase(), other.name.toLowerCase(), 63);
}
