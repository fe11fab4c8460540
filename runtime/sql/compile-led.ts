import {
  columnOf,
  complexTypeNamed,
  fieldOf,
  primitives,
  propertyOf,
  wayTo,
  type EntityContainer,
  type EntityType,
  type ItemNavigation,
  type ValueWay,
} from '../edm/index.js';
import { stepsOf } from '../plan/path/nested-path.js';
import { identifier, StatementBuilder } from './builder.js';
import type { Statement } from './statement.js';

/** What items of a table's records keep of the records that they lead to. */
export interface LedFrom {
  readonly table: string;
  readonly column: string;
  /** The name of the property, where the column holds several. */
  readonly more?: string;
  /** From the column's value to what the items keep, in PostgreSQL's language of paths; or where values lie within others of their type, from the items. */
  readonly jsonPath: string;
  /** Likewise the steps from the column's value to the items, each from a place to a place, of which 0 is that of the column's value. */
  readonly circle?: Circle;
  /** The column of the other table that it is to be found in, and its SQL type. */
  readonly other: string;
  readonly sqlType: string;
}

interface Circle {
  readonly steps: readonly { readonly from: number; readonly jsonPath: string; readonly to: number }[];
  /** The places of the items. */
  readonly ends: readonly number[];
}

/** Where the items of a type's records keep what a navigation property of theirs leads to. */
export function ledFrom(
  type: EntityType,
  path: string,
  { join }: Pick<ItemNavigation, 'join'>,
  target: EntityType,
  container: EntityContainer,
): LedFrom {
  const { steps } = stepsOf(path);
  const [[member, other] = ['', '']] = Object.entries(join);
  const root = steps[0]?.name ?? '';
  const names = steps.map(
    ({ name, type: cast }, index) => `${index === 0 ? '' : `.${JSON.stringify(name)}`}${cast === undefined ? '' : ofType(cast, container)}`,
  );
  const field = fieldOf(target, propertyOf(target, other));
  const kept = `$.${JSON.stringify(member)}[*]`;
  const isCircle = Object.keys(type.recursiveValues ?? {}).some((inner) => inner.startsWith(`${root}/`));
  return {
    table: type.table,
    column: columnOf(type, root),
    ...(fieldOf(type, root)?.more && { more: root }),
    ...(isCircle
      ? { jsonPath: kept, circle: circleFrom(wayTo(type, path).names.get(root), container) }
      : { jsonPath: `$${names.join('')}${kept.slice(1)}` }),
    other,
    sqlType: field === undefined ? 'bigint' : primitives[field.type].sql,
  };
}

// Each place on the way has a number, in the order in which they are come to.
function circleFrom(way: ValueWay | undefined, container: EntityContainer): Circle {
  const places = way ? [way] : [];
  const steps: Circle['steps'][number][] = [];
  const lead = (from: number, jsonPath: string, next: ValueWay): void => {
    if (!places.includes(next)) places.push(next);
    steps.push({ from, jsonPath, to: places.indexOf(next) });
  };
  // Grows while it is walked.
  for (const [from, { names, casts }] of places.entries()) {
    for (const [name, next] of names) lead(from, `$.${JSON.stringify(name)}[*]`, next);
    for (const [cast, next] of casts) lead(from, `$${ofType(cast, container)}`, next);
  }
  return { steps, ends: [...places.entries()].filter(([, { ends }]) => ends).map(([place]) => place) };
}

// A path of PostgreSQL's steps into arrays by itself.
function ofType(cast: string, container: EntityContainer): string {
  const names = [cast, ...(complexTypeNamed(container, cast)?.derived ?? [])];
  return ` ? (${names.map((name) => `@."@odata.type" == ${JSON.stringify(`#${name}`)}`).join(' || ')})`;
}

/** The values that items of the rows under an alias keep, as a table `led` with a row each. */
export function compileLed(alias: string, { column, more, jsonPath, circle }: LedFrom, builder: StatementBuilder): string {
  const whole = `${alias}.${identifier(column)}`;
  const value = more === undefined ? whole : `(${whole} ->> ${builder.bind(more, 'text')})::jsonb`;
  if (circle) {
    const { steps, ends } = circle;
    const bound = [
      builder.bind(
        steps.map(({ from }) => String(from)),
        'integer[]',
      ),
      builder.bind(
        steps.map((step) => step.jsonPath),
        'jsonpath[]',
      ),
      builder.bind(
        steps.map(({ to }) => String(to)),
        'integer[]',
      ),
    ];
    const walked = `walked(value, place) as (select ${value}, 0 union all select inside.value, step.next from walked join unnest(${bound.join(', ')}) step(place, path, next) on step.place = walked.place, jsonb_path_query(walked.value, step.path) inside(value))`;
    return `lateral (with recursive ${walked} select kept.value from walked, jsonb_path_query(walked.value, ${builder.bind(jsonPath, 'jsonpath')}) kept(value) where walked.place = any(${builder.bind(ends.map(String), 'integer[]')})) led(value)`;
  }
  return `jsonb_path_query(${value}, ${builder.bind(jsonPath, 'jsonpath')}) led(value)`;
}

/** That such a value leads to the row under an alias. */
export function compileLeads(alias: string, { other, sqlType }: LedFrom): string {
  return `${alias}.${identifier(other)} = (led.value #>> '{}')::${sqlType}`;
}

/** A row where items of records lead to one of the numbers, but for those of the records that go themselves. */
export function compileLedTo(from: LedFrom, to: EntityType, numbers: readonly string[], going: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const tables = `${identifier(from.table)} f, ${compileLed('f', from, builder)}, ${identifier(to.table)} t`;
  return builder.wholeStatement(
    `select 1 from ${tables} where ${compileLeads('t', from)} and t."#id" = any(${builder.bind(numbers, 'bigint[]')}) and f."#id" <> all(${builder.bind(going, 'bigint[]')}) limit 1`,
  );
}

/** Locks records, so that nothing is led to them any more. */
export function compileHeldNumbers({ table }: EntityType, numbers: readonly string[]): Statement {
  const builder = new StatementBuilder();
  return builder.wholeStatement(
    `select "#id" from ${identifier(table)} where "#id" = any(${builder.bind(numbers, 'bigint[]')}) order by 1 for update`,
  );
}
