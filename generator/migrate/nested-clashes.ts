import type { Column, Schema, Table, ValueMember } from '../../runtime/schema/schema.js';
import { refusedRename } from './column-renames.js';
import { valueChangesOf, type ValueChange } from './compare-values.js';
import { parentOf } from './moved-members.js';
import { homesOf } from './moves.js';
import type { Decisions, Problem } from './step.js';
import { commonTables } from './table-change.js';
import { lastName, localName } from '../../runtime/edm/lookup.js';

/**
 * Declared renames of members of complex values that one migration cannot make: JSON is changed twice, before and after
 * the old service ends, so a name may not change its meaning.
 */
export function memberClashes(old: Schema, wanted: Schema, decisions: Decisions): readonly Problem[] {
  return commonTables(old, wanted).flatMap(([before, table]) =>
    valueChangesOf(before, table, decisions).flatMap((change) => clashesOf(table.name, change, decisions)),
  );
}

function clashesOf(table: string, { home, before, members, formerOf }: ValueChange, { renamed }: Decisions): readonly Problem[] {
  const place = `${table}/${home.column.name}`;
  return [...members.values()].flatMap((member): readonly Problem[] => {
    const around = parentOf(formerOf.get(member.path) ?? member.path);
    const own = before.get(`${around}${lastName(member.path)}`);
    const decided = [...before.keys()].find(
      (path) => parentOf(path) === around && renamed.get(`${place}/${path}`) === lastName(member.path),
    );
    const from = decided ?? declaredPath(member, own, around);
    if (
      from === undefined ||
      !before.has(from) ||
      (from === formerOf.get(member.path) && !members.has(`${parentOf(member.path)}${lastName(from)}`))
    )
      return [];
    const message = `${place}/${from} cannot become ${lastName(member.path)} in one migration, because one of the names meant or means another member of the same value. Generate two migrations, with a name in between that no member has; or, if an earlier migration made this rename, remove Rules.RenamedFrom.`;
    return [refusedRename(table, `${home.column.name}/${from}`, message)];
  });
}

function declaredPath({ renamedFrom }: ValueMember, own: ValueMember | undefined, around: string): string | undefined {
  return renamedFrom === undefined || own?.renamedFrom === renamedFrom ? undefined : `${around}${renamedFrom}`;
}

/** Declared renames of types in a hierarchy whose old or new name is that of another type. */
export function typeClashes(old: Schema, wanted: Schema): readonly Problem[] {
  return commonTables(old, wanted).flatMap(([before, table]) =>
    homesOf(table).flatMap(({ column }) => clashesIn(before, table.name, column)),
  );
}

function clashesIn(old: Table, table: string, { name, types, valueTypes, typesFrom = {} }: Column): readonly Problem[] {
  const former = homesOf(old).find(({ column }) => column.name === name)?.column;
  const [before, now] = [former?.types ?? former?.valueTypes ?? [], types ?? valueTypes ?? []];
  return Object.entries(typesFrom).flatMap(([type, from]): readonly Problem[] => {
    const stored = before.find((other) => other !== type && localName(other) === from);
    if (stored === undefined || former?.typesFrom?.[type] === from || (!before.includes(type) && !now.includes(stored))) return [];
    const message = `The type ${stored} cannot become ${localName(type)} in one migration, because ${table} has records or values of both names, or will have. Generate two migrations, with a name in between that no type has; or, if an earlier migration made this rename, remove Rules.RenamedFrom.`;
    return [refusedRename(table, stored, message)];
  });
}
