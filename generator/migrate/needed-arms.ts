import type { Constraint, Table } from '../../runtime/schema/schema.js';
import { quote } from '../../runtime/schema/identifier.js';
import type { Decisions, Problem, Step } from './step.js';

/** Rows that lead nowhere by a navigation property to one record of any type, from here on must lead somewhere. */
export function armProblems(old: Table, wanted: Table, { fills }: Decisions): readonly Problem[] {
  return neededArms(old, wanted).filter((columns) => !columns.some((column) => fills.has(`${wanted.name}/${column}`))).map((columns) => {
    const [first = ''] = columns;
    const path = `${wanted.name}/${first}`;
    const message = `Each row of ${wanted.name} has a number in one of ${columns.join(', ')} from here on, and rows that exist may have none. Write --fill ${path}=NUMBER, the #id of the record that those are to lead to.`;
    return { kind: 'fill', table: wanted.name, column: first, candidate: undefined, message };
  });
}

/** Lets these rows lead where it was decided. */
export function fillArms(old: Table, wanted: Table, { fills }: Decisions): readonly Step[] {
  return neededArms(old, wanted).flatMap((columns) => {
    const filled = columns.find((column) => fills.has(`${wanted.name}/${column}`));
    if (filled === undefined) return [];
    const rows = `update ${quote(wanted.name)} set ${quote(filled)} = ${fills.get(`${wanted.name}/${filled}`)} where num_nonnulls(${columns.map(quote).join(', ')}) = 0 and "#id" > $1 and "#id" <= $2;`;
    return [{ phase: 'backfill', manner: { kind: 'batches', table: wanted.name }, statements: [rows], costs: ['locks of the rows of one batch at a time'] }];
  });
}

// The columns of which each row has had none, and has one now; of those that had one before, one may be more or less.
function neededArms(old: Table, wanted: Table): readonly (readonly string[])[] {
  const before = new Set(old.constraints.flatMap((constraint) => oneOf(constraint) ?? []));
  return wanted.constraints.flatMap((constraint) => {
    const columns = oneOf(constraint);
    return columns === undefined || columns.some((column) => before.has(column)) ? [] : [columns];
  });
}

// What contains a record has a check like it, and is asked about by itself.
function oneOf(constraint: Constraint): readonly string[] | undefined {
  if (constraint.kind !== 'check' || constraint.name.endsWith('#parent')) return undefined;
  const columns = /^num_nonnulls\((.*)\) = 1$/.exec(constraint.expression)?.[1];
  return columns === undefined ? undefined : [...columns.matchAll(/"((?:[^"]|"")*)"/g)].map(([, name = '']) => name.replaceAll('""', '"'));
}
