import type { Schema, Table, Column, ValueMember } from '../../runtime/schema/schema.js';
import { refusedRename } from './column-renames.js';
import { valueChangesOf, type ValueChange } from './compare-values.js';
import { parentOf } from './moved-members.js';
import { plainName } from './model-names.js';
import { homesOf, movesOf } from './moves.js';
import { renamedTypes } from './record-types.js';
import { renamedValues, type Listed } from './removed-values.js';
import { renameOption, type Decisions, type Problem } from './step.js';
import { lastName, localName } from '../../runtime/edm/lookup.js';
import { commonTables } from './table-change.js';

/** The decided renames that change nothing, except those that an earlier migration has made. */
export function idleRenames(
  { schema, names }: { readonly schema: Schema; readonly names: ReadonlyMap<string, string> },
  wanted: Schema,
  decisions: Decisions,
): readonly Problem[] {
  const open = [...decisions.renamed].filter(([from, to]) => names.get(from) !== to);
  if (open.length === 0) return [];
  const made = new Set(wanted.tables.flatMap((table) => nestedRenames(schema, table, decisions)).map(([from, to]) => `${from}=${to}`));
  const [before, after] = [new Set(pathsIn(schema.tables)), new Set(pathsIn(wanted.tables))];
  return open
    .filter(([from, to]) => !made.has(`${from}=${to}`))
    .flatMap(([from, to]): readonly Problem[] => {
      const next = `${parentOf(from)}${to}`;
      if (!before.has(from) && before.has(next) && after.has(next)) return [];
      const why = before.has(from)
        ? after.has(next)
          ? open.some(([other, name]) => other !== from && name === to && parentOf(other) === parentOf(from))
            ? `only one of the renamed can become ${next}`
            : `the model still has ${from}`
          : `the model has no ${next} that it could become`
        : `the schema before this change has no ${from}; what contains it has its new name here`;
      const [table = '', ...names] = from.split('/');
      return [refusedRename(table, names.join('/') || undefined, `${renameOption(decisions, from)} ${from}=${to}: ${why}.`)];
    });
}

/** The decided values of existing rows that no row of a type's tables needs: each has had one before, or none is required. */
export function idleFills({ tables }: Schema, wanted: Schema, { fills }: Decisions): readonly Problem[] {
  const before = new Map(tables.flatMap(requirementsOf));
  const after = new Map(wanted.tables.flatMap(requirementsOf));
  const why = (path: string): string | undefined => (after.has(path) ? idleFill(before.get(path), after.get(path), path) : undefined);
  const needed = new Set([...fills.keys()].filter((path) => why(path) === undefined).map(ofType));
  return [...fills.keys()].flatMap((path) => {
    const reason = needed.has(ofType(path)) ? undefined : why(path);
    if (reason === undefined) return [];
    const [table = '', ...names] = path.split('/');
    return [refusedRename(table, names.join('/'), `--fill ${path}: ${reason} To change values, write an update as a separate migration.`)];
  });
}

// The parent of contained rows may be one of several columns, of which none is required.
function idleFill(before: string | undefined, after: string | undefined, path: string): string | undefined {
  if (after === undefined) return path.includes('/#in.') ? undefined : 'rows need no value there, and stay as they are.';
  return before === after ? 'each row has a value there already, which stays.' : undefined;
}

// A path with the type instead of one of its tables.
function ofType(path: string): string {
  const [table = '', ...names] = path.split('/');
  return [plainName(table), ...names].join('/');
}

// The types of required properties and members, by path.
function requirementsOf(table: Table): readonly (readonly [string, string | undefined])[] {
  return homesOf(table).flatMap(({ column }) => [
    [`${table.name}/${column.name}`, (column.notNull ?? column.requiredOf) && `${column.type} ${column.requiredOf?.join()}`] as const,
    ...(column.within ?? []).map(({ path, notNull, type }) => [`${table.name}/${column.name}/${path}`, notNull && type] as const),
  ]);
}

// Renames of types, of members of complex values, and within shared columns.
function nestedRenames({ tables }: Schema, table: Table, decisions: Decisions): readonly (readonly [string, string])[] {
  const old = tables.find(({ name }) => name === table.name);
  if (old === undefined) return [];
  const before = new Map(homesOf(old).map(({ column }) => [column.name, column]));
  const types = homesOf(table).flatMap(({ column }) => {
    const former = before.get(column.name);
    return [...renamedTypes(former?.types ?? former?.valueTypes ?? [], column.types ?? column.valueTypes ?? [], column.typesFrom ?? {})];
  });
  const values = homesOf(table).flatMap(({ column }) =>
    valueRenames(`${table.name}/${column.name}`, before.get(column.name) ?? {}, column, decisions),
  );
  return [
    ...values,
    ...types.flatMap(([from, to]) => [from, localName(from)].flatMap((one) => [to, localName(to)].map((other) => [one, other] as const))),
    ...movesOf(old, table, decisions).map(({ from, to }) => [`${table.name}/${from.column.name}`, to.column.name] as const),
    ...valueChangesOf(old, table, decisions).flatMap(({ home, renamed, kept, formerOf }) => [
      ...renamed.map(({ member }) => [`${table.name}/${home.column.name}/${formerOf.get(member.path)}`, lastName(member.path)] as const),
      ...kept.flatMap(({ member, before: was }) =>
        valueRenames(`${table.name}/${home.column.name}/${member.path}`, was, member, decisions),
      ),
    ]),
  ];
}

function valueRenames(path: string, before: Listed, after: Listed, decisions: Decisions): readonly (readonly [string, string])[] {
  return [...renamedValues(path, before, after, decisions)].map(([from, to]) => [`${path}/${from}`, to] as const);
}

function* pathsIn(tables: readonly Table[]): Iterable<string> {
  yield* tables.map(({ name }) => name);
  for (const [table, { column }] of tables.flatMap((one) => homesOf(one).map((home) => [one, home] as const))) {
    yield `${table.name}/${column.name}`;
    for (const type of [...(column.types ?? []), ...(column.valueTypes ?? [])]) yield* [type, localName(type)];
    for (const value of column.allowed ?? []) yield `${table.name}/${column.name}/${value}`;
    for (const { path, allowed = [] } of column.within ?? [])
      yield* [path, ...allowed.map((value) => `${path}/${value}`)].map((one) => `${table.name}/${column.name}/${one}`);
  }
}

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
