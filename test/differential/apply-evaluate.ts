import { aggregate, sumOf, textOf } from './aggregates.js';
import type { Entity } from './evaluate.js';
import type { Method } from './expression.js';
import { compareWithNull, inInt64, isNum, whole, type Value } from './values.js';

/** A row on its way through `$apply`; a property that it does not have is not there. */
export interface ApplyRow {
  readonly cells: ReadonlyMap<string, Value>;
  /** Its place in the order that ends every other one. */
  readonly place: number;
  readonly entity?: Entity;
}

export interface Condition {
  readonly name: string;
  readonly operator: 'ge' | 'lt' | 'eq' | 'ne';
  readonly value: number | null;
}

/** `path with method as alias`; without a method it is `path/$count`, and an empty path stands for the rows. */
export interface AggregateSpec {
  readonly path: readonly string[];
  readonly method?: Method;
  readonly alias: string;
  /** Only parts whose number is no less count. */
  readonly least?: number | undefined;
}

export type Step =
  | { readonly kind: 'filter'; readonly condition: Condition }
  | { readonly kind: 'compute'; readonly left: string; readonly right: string; readonly alias: string }
  | { readonly kind: 'defined'; readonly name: string; readonly negated: boolean }
  | {
      readonly kind: 'group';
      readonly keys: readonly string[];
      readonly levels: number;
      readonly aggregates: readonly AggregateSpec[];
    }
  | {
      readonly kind: 'rank';
      readonly method: 'topcount' | 'bottomcount';
      readonly amount: number;
      readonly by: string;
    }
  | { readonly kind: 'order'; readonly by: string; readonly descending: boolean; readonly skip: number; readonly top: number }
  | { readonly kind: 'concat'; readonly sequences: readonly (readonly Step[])[] };

/** Applies transformations to rows, as the standard words them. */
export function applySteps(rows: readonly ApplyRow[], steps: readonly Step[]): readonly ApplyRow[] {
  return steps.reduce(applyStep, rows);
}

function applyStep(rows: readonly ApplyRow[], step: Step): readonly ApplyRow[] {
  switch (step.kind) {
    case 'filter':
      return rows.filter((row) => holds(valueAt(row, step.condition.name), step.condition));
    case 'defined':
      return rows.filter((row) => isDefined(row, step.name) !== step.negated);
    case 'compute':
      return rows.map((row) => ({
        ...row,
        cells: new Map(row.cells).set(step.alias, add(valueAt(row, step.left), valueAt(row, step.right))),
      }));
    case 'group':
      return group(rows, step);
    case 'rank':
      return rank(rows, step);
    case 'order': {
      const sorted = rows.toSorted((a, b) => (step.descending ? -1 : 1) * compareWithNull(valueAt(a, step.by), valueAt(b, step.by)));
      return sorted.slice(step.skip, step.skip + step.top);
    }
    default:
      return step.sequences.flatMap((sequence) => applySteps(rows, sequence)).map((row, place) => ({ cells: row.cells, place }));
  }
}

/** A row's value; a path leads through the record. */
function valueAt({ cells, entity }: ApplyRow, name: string): Value {
  if (cells.has(name)) return cells.get(name) ?? null;
  const [navigation = '', property = ''] = name.split('/');
  return (entity?.one[navigation]?.values[property] as Value | undefined) ?? null;
}

// A record has all of its properties, and what is made of rows has its cells.
function isDefined({ cells, entity }: ApplyRow, name: string): boolean {
  const [navigation = '', property] = name.split('/');
  return cells.has(name) || (entity !== undefined && property !== undefined && entity.one[navigation] !== null);
}

function holds(value: Value, { operator, value: given }: Condition): boolean {
  const wanted = given === null ? null : whole(given);
  if (operator === 'eq' || operator === 'ne') return (compareWithNull(value, wanted) === 0) === (operator === 'eq');
  if (value === null || wanted === null) return false;
  return compareWithNull(value, wanted) >= 0 === (operator === 'ge');
}

function group(rows: readonly ApplyRow[], { keys, levels, aggregates }: Extract<Step, { kind: 'group' }>): readonly ApplyRow[] {
  const sets = Array.from({ length: levels + 1 }, (_, index) => keys.slice(0, keys.length - index));
  const found = sets.flatMap((set) => {
    const groups = new Map<string, ApplyRow[]>();
    for (const row of rows) groups.set(keyOf(row, set), [...(groups.get(keyOf(row, set)) ?? []), row]);
    if (groups.size === 0 && set.length === 0) groups.set('', []);
    return [...groups.values()].map((members) => ({
      set,
      members,
      cells: set.map((name) => [name, members[0] ? valueAt(members[0], name) : null] as const),
    }));
  });
  const results = found.map(({ set, members, cells }) => ({
    set,
    cells: new Map<string, Value>([...cells, ...aggregateAll(members, aggregates)]),
  }));
  return results.toSorted((a, b) => compareGroups(keys, a, b)).map(({ cells }, place) => ({ cells, place }));
}

interface Group {
  readonly set: readonly string[];
  readonly cells: ReadonlyMap<string, Value>;
}

// By the keys, then by which of them are there.
function compareGroups(keys: readonly string[], a: Group, b: Group): number {
  const byKeys = keys.map((key) => compareWithNull(a.cells.get(key) ?? null, b.cells.get(key) ?? null));
  const byPresence = keys.map((key) => Number(a.set.includes(key)) - Number(b.set.includes(key)));
  return [...byKeys, ...byPresence].find((difference) => difference !== 0) ?? 0;
}

function keyOf(row: ApplyRow, names: readonly string[]): string {
  return names.map((name) => textOf(valueAt(row, name))).join('\u0000');
}

function aggregateAll(rows: readonly ApplyRow[], aggregates: readonly AggregateSpec[]): readonly (readonly [string, Value])[] {
  return aggregates.map(
    ({ path, method, alias, least }) =>
      [alias, method === undefined ? whole(reach(rows, path, least).length) : aggregate(method, valuesOf(rows, path, least))] as const,
  );
}

// Records that navigation reaches count once (Data Aggregation 3.2.1.1).
function reach(rows: readonly ApplyRow[], path: readonly string[], least?: number): readonly unknown[] {
  const [navigation] = path;
  if (navigation === undefined) return rows;
  const records = [
    ...new Set(
      rows.flatMap(
        ({ entity }): readonly Entity[] => entity?.many[navigation] ?? (entity?.one[navigation] ? [entity.one[navigation]] : []),
      ),
    ),
  ];
  return least === undefined || navigation !== 'Parts'
    ? records
    : records.filter(({ values }) => compareWithNull(values['No'] as Value, whole(least)) >= 0);
}

function valuesOf(rows: readonly ApplyRow[], path: readonly string[], least?: number): readonly NonNullable<Value>[] {
  const name = path.at(-1) ?? '';
  const values =
    path.length === 1
      ? rows.map((row) => valueAt(row, name))
      : (reach(rows, path.slice(0, -1), least) as readonly Entity[]).map(({ values: own }) => own[name] as Value);
  return values.filter((value) => value !== null);
}

function add(left: Value, right: Value): Value {
  return isNum(left) && isNum(right) ? sumOf([left, right]) : null;
}

function rank(rows: readonly ApplyRow[], { method, amount, by }: Extract<Step, { kind: 'rank' }>): readonly ApplyRow[] {
  const direction = method === 'topcount' ? -1 : 1;
  const considered = rows.toSorted((a, b) => direction * compareWithNull(valueAt(a, by), valueAt(b, by)) || a.place - b.place);
  const kept = new Set(considered.slice(0, amount));
  return rows.filter((row) => kept.has(row));
}

/** The options after `$apply`. */
export interface Behind {
  readonly filter?: Condition | undefined;
  readonly order: readonly { readonly name: string; readonly descending: boolean }[];
  readonly skip?: number | undefined;
}

/** The rows that the options leave, before and after skipping; ties follow the direction of the last term. */
export function applyBehind(
  rows: readonly ApplyRow[],
  { filter, order, skip = 0 }: Behind,
): { readonly count: number; readonly rows: readonly ApplyRow[] } {
  const kept = filter === undefined ? rows : rows.filter((row) => holds(valueAt(row, filter.name), filter));
  const last = { name: '', descending: order.at(-1)?.descending ?? false };
  const sorted = kept.toSorted((a, b) => {
    for (const { name, descending } of [...order, last]) {
      const compared = name === '' ? a.place - b.place : compareWithNull(valueAt(a, name), valueAt(b, name));
      if (compared !== 0) return descending ? -compared : compared;
    }
    return 0;
  });
  return { count: kept.length, rows: sorted.slice(skip) };
}

const wholeNames: readonly string[] = ['I', 'J', 'L'];

/** The rows as they are returned: the extremes of a computed whole number have the bounds of its type. */
export function returned(rows: readonly ApplyRow[], steps: readonly Step[]): readonly ApplyRow[] {
  const isWhole = steps.some((step) => step.kind === 'compute' && wholeNames.includes(step.left) && wholeNames.includes(step.right));
  const last = steps.at(-1);
  const extremes = isWhole && last?.kind === 'group' ? last.aggregates.filter(({ method }) => method === 'min' || method === 'max') : [];
  const aliases = extremes.map(({ alias }) => alias);
  return rows.map((row) => ({
    ...row,
    cells: new Map([...row.cells].map(([name, value]) => [name, aliases.includes(name) ? inInt64(value) : value])),
  }));
}
