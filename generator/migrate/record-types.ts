import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import type { Decisions, Problem, Step } from './step.js';

/** What becomes of the types that a table's records say they are of. */
interface TypeChanges {
  readonly column: string;
  /** Former names and what they are now. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly gone: readonly string[];
}

/** Records of a type that is called otherwise say its new name; those of one that the model has no more go, once that is decided. */
export function changeRecordTypes(old: Table, wanted: Table): readonly Step[] {
  const { column, renamed, gone } = typeChanges(old, wanted);
  const [table, own] = [quote(wanted.name), quote(column)];
  const cases = [...renamed].map(([from, to]) => `when ${literal(from)} then ${literal(to)}`).join(' ');
  const rename = `update ${table} set ${own} = case ${own} ${cases} end where ${own} in (${[...renamed.keys()].map(literal).join(', ')}) and "#id" > $1 and "#id" <= $2;`;
  const remove = `delete from ${table} where ${own} in (${gone.map(literal).join(', ')}) and "#id" > $1 and "#id" <= $2;`;
  return [
    ...(renamed.size === 0 ? [] : [batches(wanted.name, rename, 'a service of the old model does not know these records from here on')]),
    ...(gone.length === 0 ? [] : [batches(wanted.name, remove, `removes the records of ${gone.join(', ')}`)]),
  ];
}

/** Types whose records are there and would be of none. */
export function recordTypeProblems(old: Table, wanted: Table, { allowLossy, dropped }: Decisions): readonly Problem[] {
  return typeChanges(old, wanted)
    .gone.filter((type) => !allowLossy && !dropped.has(`${wanted.name}/${type}`))
    .map((type) => {
      const message = `${wanted.name} may have records of the type ${type}, which is gone; they would be removed. Keep the type, say Rules.RenamedFrom where it was renamed, or write --dropped ${wanted.name}/${type} or --allow-lossy.`;
      return { kind: 'lossy', table: wanted.name, column: type, candidate: undefined, message };
    });
}

function typeChanges(old: Table, wanted: Table): TypeChanges {
  const [before, after] = [typed(old), typed(wanted)];
  const { types = [] } = before ?? {};
  // Without the column all records are of the table's own type.
  const now = after?.types ?? types.slice(0, 1);
  const renamed = renamedTypes(types, now, after?.typesFrom ?? {});
  return { column: before?.name ?? '', renamed, gone: types.filter((type) => !now.includes(type) && !renamed.has(type)) };
}

/** Types that are called otherwise, by their former names. */
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
        // In another namespace it may have the name that it had; what it was called before that may stay in the model for good.
        const to = fresh.find((name) => localName(name) === localName(type)) ?? fresh.find((name) => typesFrom[name] === localName(type));
        return to === undefined ? [] : [[type, to] as const];
      }),
  );
}

function typed({ columns }: Table): Column | undefined {
  return columns.find(({ types }) => types !== undefined);
}

function localName(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1);
}

function batches(table: string, statement: string, cost: string): Step {
  return {
    phase: 'backfill',
    manner: { kind: 'batches', table },
    statements: [statement],
    costs: ['locks of the rows of one batch at a time', cost],
  };
}
