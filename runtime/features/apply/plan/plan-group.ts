import { mismatchAt, type Scope } from '../../../plan/scope.js';
import { type Field, fieldOf, navigationOf, own } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { located } from '../../../errors/odata-error.js';
import type { MemberExpr } from '../../../expression/ast.js';
import { shapeFamilies } from '../../../expression/methods.js';
import type { Aggregate, GroupKey } from './apply-plan.js';
import { checkExpr } from '../../../plan/check/check-expr.js';
import { resolvePath } from '../../../plan/check/check-path.js';
import { familyOfExpr, ofEnumeration } from '../../../plan/expr-facts.js';
import { nameOf, shownName } from '../../../plan/shown-path.js';
import { asUntyped } from '../../../plan/value/check-literal.js';
import type { AggregateItem, GroupbyTransformation, GroupingElement } from '../../../uri/query-options.js';
import { checkAggregate } from './check-aggregate.js';
import {
  columnAt,
  computeColumn,
  dynamicField,
  growing,
  isDynamic,
  pathsOf,
  type Progress,
  type Relation,
  relationColumn,
  requireFreeName,
  scopeOver,
  transformedType,
  withField,
} from './relation.js';

/** The paths of a `groupby`, each once, and the sets of them, by index, that groups are made by. */
interface GroupingSets {
  readonly paths: readonly MemberExpr[];
  readonly sets: readonly (readonly number[])[];
}

const mostSets = 64;

/** Every combination of the levels of the rollups (Data Aggregation 3.2.3.2). */
function groupingSets(elements: readonly GroupingElement[], scope: Scope): GroupingSets {
  const levels = elements.map((element) => levelsOf(element, scope));
  const sets = levels.reduce<readonly (readonly MemberExpr[])[]>(
    (before, next) => {
      const combined = before.flatMap((set) => next.map((level) => [...set, ...level]));
      if (combined.length > mostSets)
        throw errors.limitExceeded(`The rollups produce more than ${mostSets} grouping sets.`).at(scope.option);
      return combined;
    },
    [[]],
  );
  const names = new Map<string, MemberExpr>();
  for (const path of sets.flat()) names.set(nameOf(path), names.get(nameOf(path)) ?? path);
  const order = [...names.keys()];
  const indexes = sets.map((set) => [...new Set(set.map((path) => order.indexOf(nameOf(path))))].sort((a, b) => a - b));
  // A path repeated in a rollup would repeat a grouping set with indistinguishable rows.
  return { paths: [...names.values()], sets: [...new Map(indexes.map((set) => [set.join(), set])).values()] };
}

// The finest level first; the empty one is the grand total.
function levelsOf(element: GroupingElement, scope: Scope): readonly (readonly MemberExpr[])[] {
  if (element.kind === 'member') return [[withoutIt(element)]];
  const { paths, all } = element;
  if (paths.length + (all ? 1 : 0) < 2) throw errors.notImplemented('rollup of a named hierarchy').at(scope.option);
  const levels = paths.map((_, index) => paths.slice(0, paths.length - index).map(withoutIt));
  return all ? [...levels, []] : levels;
}

// Grouping by `$it` is grouping by its property (URL conventions 5.1.1.14).
function withoutIt(path: MemberExpr): MemberExpr {
  const [first, ...others] = path.path;
  return first?.name === '$it' && others.length > 0 ? { ...path, path: others } : path;
}

/** `groupby` (Data Aggregation 3.2.3); without paths, `aggregate`. */
export function planGroupby({ groups, aggregate }: GroupbyTransformation, progress: Progress, around: Scope): Progress {
  const { paths, sets } = groupingSets(groups, around);
  const start = paths.reduce((before, path) => nameGroup(path, before, around), progress);
  const names = paths.map(nameOf);
  requireShownOnce(names, around);
  return planGroup(start, names, sets, aggregate?.items ?? [], around);
}

// A cast is not seen in the result, so that two paths may come to one name.
function requireShownOnce(names: readonly string[], scope: Scope): void {
  const twice = names.find((name, index) => names.findIndex((other) => shownName(other) === shownName(name)) < index);
  if (twice === undefined) return;
  const first = names.find((name) => shownName(name) === shownName(twice));
  throw errors
    .badOption(
      `groupby would return both ${first} and ${twice} as ${shownName(twice)}; give one an alias, as in compute(${twice} as Own)/groupby((Own)).`,
    )
    .at(scope.option);
}

// A path along navigation is computed first, under its whole name.
function nameGroup(path: MemberExpr, progress: Progress, around: Scope): Progress {
  const name = nameOf(path);
  const field = own(progress.relation.type.fields, name);
  const check = (scope: Scope): ReturnType<typeof checkExpr> => located(path, () => checkGroup(path, name, scope));
  if (field !== undefined && !field.more) {
    check(scopeOver(progress.relation, around.aliases.next(), around));
    return progress;
  }
  const { progress: after, computed } = computeColumn(progress, around, check);
  return { ...after, relation: withField(after.relation, name, dynamicField(computed)) };
}

const ungrouped: ReadonlySet<string> = new Set([...shapeFamilies, 'complex']);

function checkGroup(path: MemberExpr, name: string, scope: Scope): ReturnType<typeof checkExpr> {
  requireSingleBefore(path, scope);
  const target = resolvePath(path, scope);
  if (target.kind === 'records') throw errors.typeMismatch(`groupby cannot group by ${name}: it is a collection.`).at(scope.option);
  if (target.kind === 'record')
    throw errors
      .notImplemented(
        `Grouping by records, ${name},`,
        `Group by its key, as in groupby((${target.type.key.map((key) => `${name}/${key}`).join(',')})).`,
      )
      .at(scope.option);
  const value = checkExpr(path, scope);
  const family = familyOfExpr(value);
  if (value.kind === 'count' || (family !== undefined && ungrouped.has(family)))
    throw mismatchAt(path.at, scope, `groupby cannot group by ${name}`);
  return asUntyped(value);
}

// Values of many records are grouped by once each of these has a row.
function requireSingleBefore({ path: [first, ...rest], at }: MemberExpr, { implicit, option }: Scope): void {
  if (
    first === undefined ||
    rest.length === 0 ||
    first.parentheses ||
    rest[0]?.name.startsWith('$') ||
    implicit.kind !== 'record' ||
    !navigationOf(implicit.type, first.name)?.collection
  )
    return;
  throw mismatchAt(at, { option }, `groupby cannot group by ${first.name}/${nameOf({ path: rest })}`, `: ${first.name} is a collection.`);
}

function planGroup(
  progress: Progress,
  names: readonly string[],
  sets: readonly (readonly number[])[],
  items: readonly AggregateItem[],
  around: Scope,
): Progress {
  if (names.length + items.length === 0) throw errors.badOption('groupby needs a grouping property or an aggregate.').at(around.option);
  const { relation } = progress;
  const alias = around.aliases.next();
  const scope = scopeOver(relation, alias, around);
  const keys = names.map((name, index) => groupKey(relation, name, index, alias, sets));
  const aggregates = items.map((item, index) => checkAggregate(item, `#.${alias}.a${index}`, scope));
  const step = { kind: 'group', alias, keys, sets, aggregates } as const;
  return { relation: grouped(relation, names, keys, aggregates, scope), steps: [...progress.steps, step] };
}

/** A grouping key: its column, and the one that is true where a grouping set includes it. */
function groupKey({ type }: Relation, name: string, index: number, alias: string, sets: readonly (readonly number[])[]): GroupKey {
  const key = columnAt(alias, relationColumn(type, name));
  const always = sets.every((set) => set.includes(index));
  return { column: `#.${alias}.k${index}`, key, ...(!always && { presence: `#.${alias}.p${index}` }) };
}

/** The relation of the groups, with their keys and aggregates as its properties. */
function grouped(
  relation: Relation,
  names: readonly string[],
  keys: readonly GroupKey[],
  aggregates: readonly (Aggregate & { readonly alias: string })[],
  scope: Scope,
): Relation {
  const fields = Object.fromEntries(names.map((name, index) => [name, keyField(relation, name, keys[index])]));
  const presence = keys.flatMap((key, index) => (key.presence === undefined ? [] : [[names[index] ?? '', key.presence] as const]));
  const flags = presence.map(([, column]) => ({ column, type: 'Edm.Boolean' as const, nullable: false }));
  const identity = [
    ...keys.map(({ column, key, presence: flag }) => ({
      column,
      type: key.type,
      ...ofEnumeration(key.enumeration),
      nullable: key.nullable || flag !== undefined,
    })),
    ...flags,
  ];
  const type = transformedType(relation.type, fields);
  const { mixed: _, ...before } = relation;
  const start: Relation = { ...before, type, entity: false, identity, order: [], presence: new Map(presence) };
  return withAggregates(start, aggregates, relation, scope);
}

// A name must be free in the input and in the output.
function withAggregates(
  start: Relation,
  aggregates: readonly (Aggregate & { readonly alias: string })[],
  before: Relation,
  scope: Scope,
): Relation {
  const { relation, add } = growing(start);
  const [paths, own] = [pathsOf(before), pathsOf(relation)];
  for (const { alias, column, type, method, enumeration } of aggregates) {
    requireFreeName(alias, before, scope, paths);
    requireFreeName(alias, relation, scope, own);
    const nullable = method !== 'count' && method !== 'countdistinct';
    add(alias, dynamicField({ column, type, ...ofEnumeration(enumeration), nullable }));
  }
  return relation;
}

function keyField(relation: Relation, name: string, key: GroupKey | undefined): Field {
  const field = fieldOf(relation.type, name);
  if (field === undefined || key === undefined) throw new Error(`${name} is not a grouping property.`);
  const nullable = key.presence !== undefined || key.key.nullable;
  return {
    ...(isDynamic(relation, name) ? { type: field.type, ...ofEnumeration(field.enumeration) } : field),
    column: key.column,
    ...(nullable && { nullable: true }),
  };
}
