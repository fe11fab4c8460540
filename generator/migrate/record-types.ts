import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { type Decisions, type Problem, type Step, batched } from './step.js';
import { mapColumns } from '../map-columns.js';
import { localName } from '../../runtime/edm/lookup.js';
import { keptHomes, type Home } from './moves.js';

/** The changes of the types of a table's rows. */
interface TypeChanges {
  readonly column: string;
  /** New names by former names. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Removed types. */
  readonly gone: readonly string[];
  /** Types that are now abstract. */
  readonly abstract: readonly string[];
  /** New types that are no renames. */
  readonly fresh: readonly string[];
}

/** Updates the type of rows whose type was renamed; deletes rows of removed and abstract types, once that is decided. */
export function changeRecordTypes(old: Table, wanted: Table): readonly Step[] {
  const { column, renamed, gone: removed, abstract } = typeChanges(old, wanted);
  const gone = [...removed, ...abstract];
  const [table, own] = [quote(wanted.name), quote(column)];
  const cases = [...renamed].map(([from, to]) => `when ${literal(from)} then ${literal(to)}`).join(' ');
  const rename = `update ${table} set ${own} = case ${own} ${cases} end where ${own} in (${[...renamed.keys()].map(literal).join(', ')})`;
  const remove = `delete from ${table} where ${own} in (${gone.map(literal).join(', ')})`;
  return [
    ...(renamed.size === 0
      ? []
      : [batched('backfill', wanted.name, rename, ['a service with the old model does not know these records from this step on'])]),
    ...(gone.length === 0 ? [] : [batched('backfill', wanted.name, remove, [`removes the records of ${gone.join(', ')}`])]),
  ];
}

/** The removed types, and those that are now abstract, that rows may still have. */
export function recordTypeProblems(old: Table, wanted: Table, { allowLossy, dropped }: Decisions): readonly Problem[] {
  const { gone, abstract, fresh } = typeChanges(old, wanted);
  return [...gone, ...abstract]
    .filter((type) => ![`${wanted.name}/${type}`, type, localName(type)].some((name) => dropped.has(name)))
    .flatMap((type): readonly Problem[] => {
      const isAbstract = abstract.includes(type);
      const [candidate] = isAbstract ? [] : fresh.map(localName);
      const path = `${wanted.name}/${type}`;
      const of = `${wanted.name} may have records of the type ${type}, which ${isAbstract ? 'is now abstract' : 'was removed'}`;
      const advice = `If it was renamed, write Rules.RenamedFrom or --renamed ${localName(type)}=${candidate}; if not, --dropped ${path}.`;
      if (candidate !== undefined)
        return [{ kind: 'rename', table: wanted.name, column: type, candidate, message: `${of}, and ${candidate} is new. ${advice}` }];
      const message = `${of}; they would be removed. ${isAbstract ? 'Change their type with a separate migration first' : 'Keep the type'}, or write --dropped ${path} or --allow-lossy.`;
      return allowLossy ? [] : [{ kind: 'lossy', table: wanted.name, column: type, message }];
    });
}

function typeChanges(old: Table, wanted: Table): TypeChanges {
  const [before, after] = [typed(old), typed(wanted)];
  const { types = [], abstract: never = [] } = before ?? {};
  // Without the column all rows have the table's own type, whose name may be new.
  const own = types.filter((type) => type === wanted.type);
  const now = after?.types ?? (own.length > 0 ? own : types.slice(0, 1));
  const renamed = renamedTypes(types, now, after?.typesFrom ?? {});
  const others = new Set([...types, ...renamed.values()]);
  const instantiated = types.filter((type) => !never.includes(type));
  return {
    column: before?.name ?? '',
    renamed,
    gone: instantiated.filter((type) => !now.includes(type) && !renamed.has(type)),
    // By their new names, which rows have by then.
    abstract: instantiated.map((type) => renamed.get(type) ?? type).filter((type) => after?.abstract?.includes(type)),
    fresh: now.filter((type) => !others.has(type)),
  };
}

/** The schema where the rows of a table that had one type keep it, although the table has the name of a base type now. */
export function withOwnTypes(old: Schema, wanted: Schema, names: ReadonlyMap<string, string>): Schema {
  const before = new Map(old.tables.map((table) => [table.name, table]));
  const formerOf = new Map([...names].map(([from, to]) => [to, from]));
  const tables = wanted.tables.map((table) => {
    const [known, former] = [before.get(table.name), formerOf.get(table.name)];
    if (known === undefined || former === undefined || typed(known) !== undefined || table.declaredFrom?.includes(former)) return table;
    const own = typed(table)?.types?.find((type) => localName(type) === former.replace(/@.*$/, ''));
    return own === undefined ? table : mapColumns(table, (column) => ({ ...column, ...(column.types && { fill: literal(own) }) }));
  });
  return { ...wanted, tables };
}

/** The schema with decided type renames, as Rules.RenamedFrom gives them. */
export function withTypesFrom(schema: Schema, { renamed }: Decisions): Schema {
  const ownRenames = [...renamed].filter(([from]) => !from.includes('/'));
  if (ownRenames.length === 0) return schema;
  const hinted = (column: Column): Column => {
    const types = column.types ?? column.valueTypes ?? [];
    const former = ownRenames.flatMap(([from, to]) =>
      types.filter((type) => type === to || localName(type) === to).map((type) => [type, localName(from)]),
    );
    return { ...column, ...(former.length > 0 && { typesFrom: { ...column.typesFrom, ...Object.fromEntries(former) } }) };
  };
  return { ...schema, tables: schema.tables.map((table) => mapColumns(table, hinted)) };
}

/** The renamed types, by their former names. */
export function renamedTypes(
  types: readonly string[],
  now: readonly string[],
  typesFrom: NonNullable<Column['typesFrom']>,
): ReadonlyMap<string, string> {
  const fresh = now.filter((type) => !types.includes(type));
  return new Map(
    types
      .filter((type) => !now.includes(type))
      .flatMap((type) => {
        // A type that moved to another namespace may keep its name; RenamedFrom may stay in the model for good.
        const to = fresh.find((name) => localName(name) === localName(type)) ?? fresh.find((name) => typesFrom[name] === localName(type));
        return to === undefined ? [] : [[type, to] as const];
      }),
  );
}

/** The type column, where a table has several types. */
export function typed({ columns }: Table): Column | undefined {
  return columns.find(({ types }) => types !== undefined);
}

/** Updates the type names in complex and dynamic values at any depth, where types were renamed. */
export function changeValueTypes(old: Table, wanted: Table): readonly Step[] {
  return keptHomes(old, wanted).flatMap(({ former, home }) => {
    const { valueTypes = [], typesFrom = {} } = home.column;
    const renamed = renamedTypes(former.column.valueTypes ?? [], valueTypes, typesFrom);
    return renamed.size === 0 ? [] : [renaming(wanted.name, home, renamed)];
  });
}

// Within JSON, quotation marks delimit only names and values, so no text of a client looks like a type. In the shared
// column a value is the text of its JSON.
function renaming(table: string, { column, shared }: Home, renamed: ReadonlyMap<string, string>): Step {
  const stored = quote(shared ?? column.name);
  const name = literal(column.name);
  const text = shared === undefined ? `${stored}::text` : `${stored} ->> ${name}`;
  const marks = [...renamed].flatMap(([from, to]) => marked.map((mark) => [literal(mark(from)), literal(mark(to))] as const));
  const changed = marks.reduce((value, [from, to]) => `replace(${value}, ${from}, ${to})`, text);
  const value = shared === undefined ? `(${changed})::jsonb` : `${stored} || jsonb_build_object(${name}, ${changed})`;
  const condition = marks.map(([from]) => `strpos(${text}, ${from}) > 0`).join(' or ');
  const rows = `update ${quote(table)} set ${stored} = ${value} where (${condition})`;
  return batched('backfill', table, rows, [
    `${quote(column.name)}: a service with the old model does not know these types from this step on`,
  ]);
}

// Of a complex value itself, and of a dynamic property: its name precedes the at sign.
const marked = [(type: string): string => `@odata.type": "#${type}"`, (type: string): string => `@odata.type": "#Collection(${type})"`];
