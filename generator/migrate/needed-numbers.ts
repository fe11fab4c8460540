import type { Constraint, Table } from '../../runtime/schema/schema.js';
import { quote } from '../../runtime/schema/identifier.js';
import type { Decisions, Problem, Step } from './step.js';

/** Rows that lead nowhere by a navigation property to one record of any type, or by one of a complex value that they have, and from here on must lead somewhere. */
export function neededProblems(old: Table, wanted: Table, { fills }: Decisions): readonly Problem[] {
  return newNeeds(old, wanted)
    .filter(({ columns }) => !columns.some((column) => fills.has(`${wanted.name}/${column}`)))
    .map(({ columns, value }) => {
      const [first = ''] = columns;
      const path = `${wanted.name}/${first}`;
      const rows =
        value === undefined
          ? `Each row of ${wanted.name}`
          : `Each row of ${wanted.name} with a value of ${first.slice(1, first.lastIndexOf('/'))}`;
      const message = `${rows} has a number in ${columns.length === 1 ? first : `one of ${columns.join(', ')}`} from here on, and rows that exist may have none. Write --fill ${path}=NUMBER, the #id of the record that those are to lead to.`;
      return { kind: 'fill', table: wanted.name, column: first, candidate: undefined, message };
    });
}

/** Lets these rows lead where it was decided. */
export function fillNeeds(old: Table, wanted: Table, { fills }: Decisions): readonly Step[] {
  return newNeeds(old, wanted).flatMap(({ columns, value }) => {
    const filled = columns.find((column) => fills.has(`${wanted.name}/${column}`));
    if (filled === undefined) return [];
    const isThere = value === undefined ? '' : `${value} is not null and `;
    return inBatches(
      wanted,
      `${quote(filled)} = ${fills.get(`${wanted.name}/${filled}`)} where ${isThere}num_nonnulls(${columns.map(quote).join(', ')}) = 0`,
    );
  });
}

/** What each row had to have before, and only those with the complex value have to have now, leads nowhere from the others. */
export function emptyNeeds(old: Table, wanted: Table): readonly Step[] {
  const required = new Set(requiredColumns(old));
  return wanted.constraints.flatMap((constraint) => {
    const { columns = [], value } = needOf(constraint) ?? {};
    if (value === undefined || !columns.some((column) => required.has(column))) return [];
    const all = columns.map(quote);
    return inBatches(
      wanted,
      `${all.map((column) => `${column} = null`).join(', ')} where ${value} is null and num_nonnulls(${all.join(', ')}) > 0`,
    );
  });
}

// Those that are never null, and those of which one always has a number.
function requiredColumns({ columns, constraints }: Table): readonly string[] {
  const needs = constraints.flatMap((constraint) => needOf(constraint) ?? []);
  return [
    ...columns.flatMap(({ name, notNull }) => (notNull ? [name] : [])),
    ...needs.filter(({ value }) => value === undefined).flatMap((need) => need.columns),
  ];
}

function inBatches(wanted: Table, change: string): readonly Step[] {
  return [
    {
      phase: 'backfill',
      manner: { kind: 'batches', table: wanted.name },
      statements: [`update ${quote(wanted.name)} set ${change} and "#id" > $1 and "#id" <= $2;`],
      costs: ['locks of the rows of one batch at a time'],
    },
  ];
}

/** Columns of which one has a number in every row, or in every row with a complex value. */
interface Need {
  readonly columns: readonly string[];
  /** SQL of the value. */
  readonly value: string | undefined;
}

// Of those columns that had a number before, one may be more or less; new values come with theirs.
function newNeeds(old: Table, wanted: Table): readonly Need[] {
  const had = new Set(old.columns.map(({ name }) => name));
  const required = requiredColumns(old);
  const needs = old.constraints.flatMap((constraint) => needOf(constraint) ?? []);
  return wanted.constraints.flatMap((constraint) => {
    const need = needOf(constraint);
    if (need === undefined || (need.value !== undefined && !namesOf(need.value).every((name) => had.has(name)))) return [];
    const before = new Set([...required, ...(need.value === undefined ? [] : needs.flatMap(({ columns }) => columns))]);
    return need.columns.some((column) => before.has(column)) ? [] : [need];
  });
}

// What contains a record has a check like it, and is asked about by itself.
function needOf(constraint: Constraint): Need | undefined {
  if (constraint.kind !== 'check' || constraint.name.endsWith('#parent')) return undefined;
  const [, value, columns] = /^(?:(.*) is null or )?num_nonnulls\((.*)\) = 1$/.exec(constraint.expression) ?? [];
  return columns === undefined ? undefined : { columns: namesOf(columns), value };
}

function namesOf(sql: string): readonly string[] {
  return [...sql.matchAll(/"((?:[^"]|"")*)"/g)].map(([, name = '']) => name.replaceAll('""', '"'));
}
