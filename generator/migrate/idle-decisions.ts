import type { Schema, Table } from '../../runtime/schema/schema.js';
import { refusedRename } from './column-renames.js';
import { valueChangesOf } from './compare-values.js';
import { parentOf } from './moved-members.js';
import { plainName } from './model-names.js';
import { homesOf, movesOf } from './moves.js';
import { renamedTypes } from './record-types.js';
import { renamedValues, type Listed } from './removed-values.js';
import { renameOption, type Decisions, type Problem } from './step.js';
import { lastName, localName } from '../../runtime/edm/lookup.js';

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
