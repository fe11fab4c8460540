import { navigationOf, own } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { shapeFamilies } from '../../../expression/methods.js';
import type { MemberExpr } from '../../../expression/ast.js';
import type { AggregateItem, GroupbyTransformation } from '../../../uri/query-options.js';
import { checkAggregate } from './check-aggregate.js';
import { checkExpr } from '../../../plan/check/check-expr.js';
import { resolvePath } from '../../../plan/check/check-path.js';
import { asUntyped } from '../../../plan/value/check-literal.js';
import { groupingSets } from './grouping-sets.js';
import { computeColumn, dynamicField, scopeOver, withField, type Place, type Progress } from './relation.js';
import type { Scope } from '../../../plan/scope.js';
import { nameOf, shownName } from '../../../plan/shown-path.js';
import { groupKey, grouped } from './grouped-relation.js';
import { familyOfExpr } from '../../../plan/expr-facts.js';

/** `groupby` (Data Aggregation 3.2.3); without paths, `aggregate`. */
export function planGroupby({ groups, aggregate }: GroupbyTransformation, progress: Progress, place: Place): Progress {
  const { paths, sets } = groupingSets(groups, place.scope);
  const start = paths.reduce((before, path) => nameGroup(path, before, place), progress);
  const names = paths.map(nameOf);
  requireShownOnce(names, place.scope);
  return planGroup(start, names, sets, aggregate?.items ?? [], place);
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
function nameGroup(path: MemberExpr, progress: Progress, place: Place): Progress {
  const name = nameOf(path);
  const field = own(progress.relation.type.fields, name);
  const check = (scope: Scope): ReturnType<typeof checkExpr> => checkGroup(path, name, scope);
  if (field !== undefined && !field.more) {
    check(scopeOver(progress.relation, place.scope.aliases.next(), place.scope));
    return progress;
  }
  const { progress: after, computed } = computeColumn(progress, place, check);
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
    throw errors.typeMismatch(`groupby cannot group by ${name}, at position ${path.at + 1}.`).at(scope.option);
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
  const further = rest.map(({ name }) => name).join('/');
  throw errors
    .typeMismatch(`groupby cannot group by ${first.name}/${further}, at position ${at + 1}: ${first.name} is a collection.`)
    .at(option);
}

function planGroup(
  progress: Progress,
  names: readonly string[],
  sets: readonly (readonly number[])[],
  items: readonly AggregateItem[],
  place: Place,
): Progress {
  if (names.length + items.length === 0)
    throw errors.badOption('groupby needs a grouping property or an aggregate.').at(place.scope.option);
  const { relation } = progress;
  const alias = place.scope.aliases.next();
  const scope = scopeOver(relation, alias, place.scope);
  const keys = names.map((name, index) => groupKey(relation, name, index, alias, sets));
  const aggregates = items.map((item, index) => checkAggregate(item, `#.${alias}.a${index}`, scope));
  const step = { kind: 'group', alias, keys, sets, aggregates } as const;
  return { relation: grouped(relation, names, keys, aggregates, scope), steps: [...progress.steps, step] };
}
