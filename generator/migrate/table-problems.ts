import type { Column, Table } from '../../runtime/schema/schema.js';
import { allowedProblems, losesNullItems } from './allowed-values.js';
import { changeType, isJsonArray } from './change-type.js';
import { changedMembers } from './removed-values.js';
import { goneColumn, isOfSameRecords, principalOf, relationOf } from './gone-column.js';
import { hiddenValueProblems, requiredValueProblems } from './typed-values.js';
import { shownPath } from './model-names.js';
import { homesOf, movesOf } from './moves.js';
import { recordTypeProblems } from './record-types.js';
import { fillOf, lossOf, type Decisions, type Problem } from './step.js';
import { valueProblems } from './value-members.js';

const oneColumn = '#one';

/** The decisions that the change of one table needs. */
export function tableProblems(old: Table, wanted: Table, decisions: Decisions): readonly Problem[] {
  const moves = movesOf(old, wanted, decisions);
  const [before, after] = [columnsWithin(old), columnsWithin(wanted)];
  const [had, has, known] = [
    new Set(before.map(({ name }) => name)),
    new Set(after.map(({ name }) => name)),
    new Map(before.map((column) => [column.name, column])),
  ];
  const added = after.filter((column) => !had.has(column.name) && !moves.some(({ to }) => to.column === column));
  // Generated columns are no loss, and neither is that of a singleton.
  const gone = before.filter(
    (column) =>
      column.generated === undefined &&
      column.follows === undefined &&
      column.name !== oneColumn &&
      column.types === undefined &&
      !has.has(column.name) &&
      !moves.some(({ from }) => from.column === column),
  );
  const lost = lostColumns([old, gone], [wanted, added], decisions);
  // A renamed property has values in each row.
  const isCandidate = ({ name }: Column): boolean => lost.some(({ candidate }) => candidate === shownPath(wanted.name, name)[1]);
  return [
    ...recordTypeProblems(old, wanted, decisions),
    ...hiddenValueProblems(old, wanted, decisions),
    ...valueProblems(old, wanted, decisions),
    ...placeProblems(old, wanted, decisions),
    ...allowedProblems(old, wanted, decisions),
    ...lost,
    ...added.filter((column) => !isCandidate(column)).flatMap((column) => addedColumn(wanted, column, decisions)),
    ...requiredValueProblems(old, wanted, decisions),
    ...after.flatMap((column) => {
      const former = moves.find(({ to }) => to.column === column)?.from.column ?? known.get(column.name);
      return former === undefined ? [] : changedColumn(wanted, former, column, decisions);
    }),
  ];
}

function lostColumns(
  [old, gone]: readonly [Table, readonly Column[]],
  [wanted, added]: readonly [Table, readonly Column[]],
  decisions: Decisions,
): readonly Problem[] {
  return gone.flatMap((column) =>
    goneColumn(
      wanted,
      { column, ...relationOf(column, old, wanted) },
      added.filter((other) => isOfSameRecords([old, column], [wanted, other])),
      decisions,
    ),
  );
}

// Rows of an entity set that are to be contained, or to be a singleton.
function placeProblems(old: Table, wanted: Table, { fills, allowLossy, dropped }: Decisions): readonly Problem[] {
  const [table, parent, one] = [wanted.name, firstParent(old, wanted), oneColumn];
  const isSingle = [old, wanted].map(({ columns }) => columns.some(({ name }) => name === one));
  const orphans = parent === undefined || fills.has(`${table}/${parent.name}`) ? [] : [orphanProblem(table, parent)];
  if (isSingle[0] || !isSingle[1] || allowLossy || dropped.has(`${table}/${one}`)) return orphans;
  const message = `${table} becomes the table of a singleton, with one record. Delete the others before you migrate, and write --dropped ${table}/${one}.`;
  return [...orphans, { kind: 'lossy', table, column: one, message }];
}

function orphanProblem(table: string, { name }: Column): Problem {
  const message = `${table} becomes contained in other records, but existing rows have no parent. Write --fill ${table}/${name}=NUMBER, the #id of their parent.`;
  return { kind: 'fill', table, column: name, message };
}

/** The parent column, where no old row has a parent and several tables may be one. */
export function firstParent(old: Table, wanted: Table): Column | undefined {
  return parentsOf(old).length > 0 ? undefined : parentsOf(wanted).find(({ notNull }) => !notNull);
}

function parentsOf({ columns }: Table): readonly Column[] {
  return columns.filter(({ name }) => name.startsWith('#in.'));
}

// The properties of a table; shared columns are replaced by those that they hold.
function columnsWithin(table: Table): readonly Column[] {
  return homesOf(table)
    .map(({ column }) => column)
    .filter(({ holds }) => holds === undefined);
}

function addedColumn(table: Table, column: Column, decisions: Decisions): readonly Problem[] {
  if (
    !column.notNull ||
    column.identity ||
    column.generated !== undefined ||
    column.linkedBy !== undefined ||
    fillOf(table.name, column, decisions) !== undefined
  )
    return [];
  return [column.name.startsWith('#in.') ? orphanProblem(table.name, column) : fillProblem(table, column, 'is new and required')];
}

function fillProblem(table: Table, column: Column, what: string): Problem {
  const [type, property] = shownPath(table.name, column.name);
  const path = `${type}/${property}`;
  const advice = fillAdvice(path, column, principalOf(column.name, table));
  return { kind: 'fill', table: type, column: property, message: `${path} ${what}, but existing rows may have no value. ${advice}` };
}

function fillAdvice(path: string, { complex }: Column, principal: string | undefined): string {
  if (principal !== undefined)
    return `Write --fill ${path}=NUMBER, the #id of the ${principal} of rows without one; or let it be nullable until each row has one.`;
  return complex === undefined
    ? `Add a DefaultValue, or write --fill ${path}=VALUE.`
    : `Write --fill '${path}={...}', with a value of ${complex.name} in JSON; or let it be nullable.`;
}

// Null items that would be removed.
function nullItems(table: string, old: Column, wanted: Column, decisions: Decisions): readonly Problem[] {
  if (!losesNullItems(old, wanted)) return [];
  const text = `${table}/${wanted.name}: its items are no longer nullable, and null items in rows would be removed. Keep Nullable="true"`;
  return lossOf(table, wanted.name, text, decisions);
}

// Values that keep their JSON, although the model has another type for it.
function otherJson(table: string, old: Column, wanted: Column, { allowLossy }: Decisions): readonly Problem[] {
  if (old.type !== 'jsonb' || wanted.type !== 'jsonb' || !isOtherJson(old.edm, wanted.edm) || allowLossy) return [];
  const path = `${table}/${wanted.name}`;
  const message = `${path} changed from ${old.edm} to ${wanted.edm}, but values stay as they are. Keep the type, or write --allow-lossy.`;
  return [{ kind: 'lossy', table, column: wanted.name, message }];
}

// Whether JSON of one type may be invalid for the other; snapshots of earlier versions lack the type.
function isOtherJson(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined || to === 'Edm.Untyped') return false;
  const [old, now] = [from, to].map((type) => type.replace(/Geo(?:graphy|metry)/, 'Geo'));
  return old !== now && !(now === 'Edm.Geo' && old?.startsWith(now));
}

function changedColumn(owner: Table, old: Column, wanted: Column, decisions: Decisions): readonly Problem[] {
  const { name: table } = owner;
  const found: Problem[] = [
    ...changedMembers({ table, column: wanted.name }, old.members, wanted.members, decisions),
    ...nullItems(table, old, wanted, decisions),
    ...otherJson(table, old, wanted, decisions),
  ];
  if (wanted.notNull && !old.notNull && wanted.generated === undefined && fillOf(table, wanted, decisions) === undefined)
    found.push(fillProblem(owner, wanted, 'is now required'));
  if ((old.type === wanted.type && isJsonArray(old) === isJsonArray(wanted)) || wanted.generated !== undefined) return found;
  const change = changeType(old, wanted);
  const path = `${table}/${wanted.name}`;
  if (change === undefined && wanted.notNull && found.length === 0 && fillOf(table, wanted, decisions) === undefined)
    found.push(fillProblem(owner, wanted, 'is recreated and required'));
  if ((change === undefined || change.effect === 'lossy') && !decisions.allowLossy) {
    const loss = change === undefined ? 'there is no conversion, so its values would be lost' : change.why;
    const message = `${path} changed from ${kindOf(old)} to ${kindOf(wanted)}: ${loss}. Keep the type, or write --allow-lossy.`;
    found.push({ kind: 'lossy', table, column: wanted.name, message });
  }
  return found;
}

function kindOf(column: Column): string {
  if (column.type !== 'jsonb') return column.type;
  return isJsonArray(column) ? 'a collection' : 'a single value';
}
