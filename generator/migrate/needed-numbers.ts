import type { Constraint, Table } from '../../runtime/schema/schema.js';
import { quote } from '../../runtime/schema/identifier.js';
import { batched } from './row-steps.js';
import type { Decisions, Problem, Step } from './step.js';

/** Reports existing rows whose complex value has no related record and must have one from here on. */
export function neededProblems(old: Table, wanted: Table, { fills }: Decisions): readonly Problem[] {
  return newNeeds(old, wanted)
    .filter(({ column }) => !fills.has(`${wanted.name}/${column}`))
    .map(({ column }) => {
      const path = `${wanted.name}/${column}`;
      const message = `Each row of ${wanted.name} with a value of ${column.slice(1, column.lastIndexOf('/'))} requires a number in ${column}, but existing rows may have none. Write --fill ${path}=NUMBER, the #id of their target.`;
      return { kind: 'fill', table: wanted.name, column, message };
    });
}

/** Fills the numbers that these rows lack. */
export function fillNeeds(old: Table, wanted: Table, { fills }: Decisions): readonly Step[] {
  return newNeeds(old, wanted).flatMap(({ column, value }) => {
    const fill = fills.get(`${wanted.name}/${column}`);
    return fill === undefined
      ? []
      : [changeRows(wanted, `${quote(column)} = ${fill} where ${value} is not null and num_nonnulls(${quote(column)}) = 0`)];
  });
}

/** Empties numbers of rows without the complex value, where the number was required of every row before. */
export function emptyNeeds(old: Table, wanted: Table): readonly Step[] {
  const required = requiredColumns(old);
  return needsOf(wanted)
    .filter(({ column }) => required.includes(column))
    .map(({ column, value }) =>
      changeRows(wanted, `${quote(column)} = null where ${value} is null and num_nonnulls(${quote(column)}) > 0`),
    );
}

function requiredColumns({ columns }: Table): readonly string[] {
  return columns.flatMap(({ name, notNull }) => (notNull ? [name] : []));
}

function changeRows({ name }: Table, change: string): Step {
  return batched('backfill', name, `update ${quote(name)} set ${change}`);
}

/** A column that has a number in every row with a complex value. */
interface Need {
  readonly column: string;
  /** SQL of the value. */
  readonly value: string;
}

// New complex values come with their numbers.
function newNeeds(old: Table, wanted: Table): readonly Need[] {
  const had = new Set(old.columns.map(({ name }) => name));
  const before = new Set([...requiredColumns(old), ...needsOf(old).map(({ column }) => column)]);
  return needsOf(wanted).filter(({ column, value }) => namesOf(value).every((name) => had.has(name)) && !before.has(column));
}

function needsOf({ constraints }: Table): readonly Need[] {
  return constraints.flatMap((constraint) => needOf(constraint) ?? []);
}

function needOf(constraint: Constraint): Need | undefined {
  const [, value, column] = (constraint.kind === 'check' && /^(.*) is null or num_nonnulls\((.*)\) = 1$/.exec(constraint.expression)) || [];
  return value === undefined || column === undefined ? undefined : { column: namesOf(column)[0] ?? '', value };
}

function namesOf(sql: string): readonly string[] {
  return [...sql.matchAll(/"((?:[^"]|"")*)"/g)].map(([, name = '']) => name.replaceAll('""', '"'));
}
