import { changeStateTable, changeTable, streamTable } from '../../runtime/edm/index.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import { oncePerComplexType } from './complex-places.js';
import { canGiveWay, referring } from './rename-parts.js';
import { pairsProperty, plainName, type PairsProperty } from './model-names.js';
import { principalsOf } from './moved-tables.js';
import type { Decisions, Problem } from './step.js';
import { commonTables } from './table-change.js';
import { tableProblems } from './table-problems.js';

/** The decisions that a migration between two schemas needs; renames have been applied to the schema `before`. */
export function findProblems(old: Schema, wanted: Schema, decisions: Decisions, before = old): readonly Problem[] {
  const gone = old.tables.filter(({ name }) => !wanted.tables.some((table) => table.name === name));
  const fresh = wanted.tables.filter(({ name }) => !old.tables.some((table) => table.name === name));
  const taken = wanted.tables.flatMap((table) => takenTable(table, old, wanted));
  // Other questions would be about rows of another entity source.
  if (taken.length > 0) return taken;
  return oncePerType([
    ...goneTables(gone, fresh, { before, wanted, decisions }),
    ...commonTables(old, wanted).flatMap(([known, table]) => tableProblems(known, table, decisions)),
  ]);
}

// The tables of several entity sources of a type need one decision, and so do the properties of a complex type.
function oncePerType(problems: readonly Problem[]): readonly Problem[] {
  const known = new Set<string>();
  return oncePerComplexType(problems).filter(({ message }) => !known.has(message) && known.add(message));
}

// An entity source is gone, and another one would get its table with the rows.
function takenTable({ name, place }: Table, old: Schema, wanted: Schema): readonly Problem[] {
  const before = old.tables.find((table) => table.name === name)?.place;
  const own = old.tables.find((table) => table.place === place)?.name;
  const other = wanted.tables.find((table) => table.place === before)?.name;
  if (before === undefined || place === undefined || before === place || (own === undefined && other === undefined)) return [];
  const first = old.tables.find((table) => table.name === name);
  const message =
    first && canGiveWay(first, old, wanted)
      ? `${name} has the records of ${before}, which was removed, and would become the table of ${place}, whose records are in ${own ?? ''}. The records of ${before} would be dropped. Keep ${before} in the model, or write --dropped ${name} or --allow-lossy.`
      : `${name} has the records of ${before} and would become the table of ${place}${own === undefined ? '' : `, whose records are in ${own}`}. Keep ${before} in the model, in its place${referring(name, old).length === 0 ? '' : `; its records are referenced by: ${referring(name, old).join(', ')}`}.`;
  return [{ kind: 'lossy', table: name, message }];
}

interface Change {
  readonly before: Schema;
  readonly wanted: Schema;
  readonly decisions: Decisions;
}

// Each new table is suggested once: two tables cannot become the same one.
function goneTables(gone: readonly Table[], fresh: readonly Table[], change: Change): readonly Problem[] {
  const suggested = new Set<string>();
  return gone.flatMap((table) => {
    const open = fresh.filter(({ name }) => !suggested.has(name));
    const problems = goneTable(table, open, change);
    for (const { candidate } of problems) if (candidate !== undefined) suggested.add(candidate);
    return problems;
  });
}

function goneTable(table: Table, fresh: readonly Table[], { before, wanted, decisions }: Change): readonly Problem[] {
  const { allowLossy, dropped } = decisions;
  // Losses of stream chunks are reported at the streams; the change log is no data of the model.
  if (dropped.has(table.name) || table.name === streamTable || table.name === changeTable || table.name === changeStateTable) return [];
  if (fresh.some(({ takesOver }) => takesOver?.table === table.name)) return [];
  const columns = new Set(table.columns.map(({ name }) => name));
  const like = fresh.find(
    (other) => other.columns.filter(({ name }) => columns.has(name)).length * 2 > columns.size && isOfSameTables(table, other),
  );
  const pairs = table.name.startsWith('#') ? pairsProperty(table.name, before) : undefined;
  const present = like && pairsProperty(like.name, wanted);
  if (pairs !== undefined && isIdentified(pairs, present, wanted)) return lostPairs([pairs, table], present, allowLossy);
  if (like !== undefined) {
    const message = `${table.name} was removed, and ${like.name} is new and similar. If it was renamed, write Rules.RenamedFrom or --renamed ${inShell(`${table.name}=${like.name}`)}; if not, --dropped ${inShell(table.name)}.`;
    return [{ kind: 'rename', table: table.name, candidate: like.name, message }];
  }
  if (allowLossy) return [];
  const message = `${table.name} was removed, and its table would be dropped with all rows. ${table.name.startsWith('#') ? 'Keep the navigation property as it was' : 'Keep the type'}, or write --dropped ${inShell(table.name)} or --allow-lossy.`;
  return [{ kind: 'lossy', table: table.name, message }];
}

// Pairs between other entity sources, or named after their other side, are distinguished by the names of their tables alone.
function isIdentified([type, property]: PairsProperty, present: PairsProperty | undefined, { tables }: Schema): boolean {
  if (present === undefined) return true;
  return present[1] !== property && (present[0] === type || !tables.some(({ name }) => plainName(name) === type));
}

function lostPairs(
  [[table, column], pairs]: readonly [PairsProperty, Table],
  like: PairsProperty | undefined,
  allowLossy: boolean,
): readonly Problem[] {
  const path = `${table}/${column}`;
  if (like !== undefined) {
    const [, candidate] = like;
    const message = `${path} was removed, and ${candidate} is new with the same types. If it was renamed, write Rules.RenamedFrom or --renamed ${path}=${candidate}; if not, --dropped ${path}.`;
    return [{ kind: 'rename', table, column, candidate, message }];
  }
  if (allowLossy) return [];
  const [, partner] = pairs.ends ?? [];
  const links = partner === undefined ? 'its links' : `its links, which its partner ${partner} has, too,`;
  const message = `${path} was removed or became single, and ${links} would be dropped. Keep the navigation property as it was, or write --dropped ${path} or --allow-lossy.`;
  return [{ kind: 'lossy', table, column, message }];
}

// Tables of pairs differ only in the tables that they join.
function isOfSameTables(table: Table, other: Table): boolean {
  return !table.name.startsWith('#') || principalsOf(table) === principalsOf(other);
}

// A shell takes a word that begins with # for a comment.
function inShell(word: string): string {
  return word.startsWith('#') ? `"${word}"` : word;
}
