import { navigationOf, own, targetOf, type EntityType, type Navigation } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { shapeFamilies } from '../../expression/families.js';
import type { MemberExpr, PathSegment } from '../../expression/ast.js';
import type { AggregateItem, GroupbyTransformation } from '../../uri/transformations.js';
import { accessTo } from '../caller.js';
import { checkAggregate } from '../check/check-aggregate.js';
import { familyOfExpr } from '../check/check-call.js';
import { checkExpr } from '../check/check-expr.js';
import { atFirstPlace } from '../check/each-place.js';
import { resolvePath } from '../check/check-path.js';
import { navigationAlong } from '../check/collection-along.js';
import { asUntyped } from '../value/dynamic-value.js';
import { planConcat } from './plan-concat.js';
import { groupingSets } from './grouping-sets.js';
import { linkNames, withLinks } from '../links.js';
import {
  columnAt,
  computeColumn,
  dropDead,
  dynamicField,
  isHidden,
  scopeOver,
  withField,
  withNavigation,
  type Place,
  type Progress,
  type Relation,
} from '../relation.js';
import type { Scope } from '../scope.js';
import { seenLink } from './seen-link.js';
import { nameOf, shownName } from '../shown-path.js';
import { isRollup, planRollups, type PlanGroups } from './plan-rollup.js';
import type { PlanSequence } from './plan-walk.js';
import { hasFrom } from './unfold-from.js';
import { groupKey, grouped } from './grouped-relation.js';

/** What is done with each group, where it is more than one `aggregate`. */
type PlanWithin = (progress: Progress, place: Place) => Progress;

/** `groupby` (Data Aggregation 3.2.3). */
export function planGroupby(
  transformation: GroupbyTransformation,
  progress: Progress,
  place: Place,
  planWithin: PlanWithin,
  plan: PlanSequence,
): Progress {
  const start = dropDead(progress, place);
  const planGroups: PlanGroups = (groups, rows, around) => planGroupings(groups, rows, around, planWithin);
  return transformation.groups.some(isRollup)
    ? planRollups(transformation, start, place, plan, planGroups)
    : planGroups(transformation, start, place);
}

function planGroupings(transformation: GroupbyTransformation, progress: Progress, place: Place, planWithin: PlanWithin): Progress {
  const { paths, sets } = groupingSets(transformation.groups, place.scope);
  const { transformations = [] } = transformation;
  const [only] = transformations;
  const simple = transformations.length === 0 || (transformations.length === 1 && only?.kind === 'aggregate' && !hasFrom(only.items));
  if (!simple && sets.length > 1)
    return planLevels(
      sets.map((set) => ({ ...transformation, groups: paths.filter((_, index) => set.includes(index)) })),
      progress,
      place,
      planWithin,
    );
  const start = paths.reduce((before, path) => nameGroup(path, before, place), progress);
  const implied = impliedPaths(paths, sets, start.relation, place.scope);
  const named = paths.map((path, index) => (implied.has(index) ? [] : namesOf(path, start.relation)));
  const names = [...new Set([...place.partition, ...named.flat()])];
  requireShownOnce(names, place.scope);
  const around = place.partition.map((_, index) => index);
  const all = sets.map((set) => [
    ...new Set([...around, ...set.flatMap((path) => (named[path] ?? []).map((name) => names.indexOf(name)))]),
  ]);
  const levels = [...new Map(all.map((level) => [level.join(), level])).values()];
  if (simple) return planGroup(start, names, levels, only?.kind === 'aggregate' ? only.items : [], place);
  return dropDead(planWithin(start, { ...place, partition: names }), place);
}

// A rollup is each of its levels, one after the other.
function planLevels(levels: readonly GroupbyTransformation[], progress: Progress, place: Place, planWithin: PlanWithin): Progress {
  return planConcat(
    levels.map((level) => (before) => planGroupings(level, before, place, planWithin)),
    progress,
    place,
  );
}

/** `aggregate`: one row, or one for each group around it. */
export function planAggregate(items: readonly AggregateItem[], progress: Progress, place: Place): Progress {
  return planGroup(progress, place.partition, [place.partition.map((_, index) => index)], items, place);
}

// The properties that a path stands for: a navigation property for the columns in which it meets its target.
function namesOf(path: MemberExpr, relation: Relation): readonly string[] {
  const name = nameOf(path);
  const hidden = linkNames(name, relation);
  return hidden.length > 0 ? hidden : [name];
}

// A record that is grouped by shows all of its properties: a path to one of them makes no further groups, and no second member.
function impliedPaths(
  paths: readonly MemberExpr[],
  sets: readonly (readonly number[])[],
  relation: Relation,
  scope: Scope,
): ReadonlySet<number> {
  const names = paths.map(nameOf);
  const isRecord = names.map((name) => linkNames(name, relation).length > 0);
  return new Set(
    names.flatMap((name, index) => {
      const around = names.findIndex((other, at) => isRecord[at] && name.startsWith(`${other}/`));
      if (around < 0) return [];
      const always = !isRecord[index] && sets.every((set) => !set.includes(index) || set.includes(around));
      if (!always)
        throw errors
          .badOption(
            `groupby would show ${names[around]} as a record and as what holds ${name}; leave one of them out, or write $expand=${names[around]}($expand=...) behind it.`,
          )
          .at(scope.option);
      return [index];
    }),
  );
}

// A cast is not seen in the result, so that two paths may come to one name. Columns of links are not seen at all.
function requireShownOnce(hidden: readonly string[], scope: Scope): void {
  const names = hidden.filter((name) => !isHidden(name));
  const twice = names.find((name, index) => names.findIndex((other) => shownName(other) === shownName(name)) < index);
  if (twice === undefined) return;
  const first = names.find((name) => shownName(name) === shownName(twice));
  throw errors
    .badOption(
      `groupby would show both ${first} and ${twice} as ${shownName(twice)}; give one a name of its own, as in compute(${twice} as Own)/groupby((Own)).`,
    )
    .at(scope.option);
}

// A record is grouped by what it is found by, and shown in the result (Data Aggregation 3.2.3.1), within those on the way to it.
function nameLink(path: MemberExpr, name: string, progress: Progress, place: Place): Progress {
  const { scope } = place;
  const { navigation, progress: after } = seenLink(
    navigationAlong(path, progress, place, (last, type) => requireOne(last, type, name, scope)),
    place,
  );
  if (!accessTo(targetOf(scope.container, navigation), 'read', scope.caller).allowed) scope.onRestricted(name);
  const relation = path.path.length === 1 ? after.relation : withNavigation(after.relation, name, navigation);
  return { ...after, relation: withLinks(relation, name, navigation, scope.container) };
}

function requireOne({ name: last }: PathSegment, type: EntityType, name: string, { option }: Scope): Navigation {
  const navigation = navigationOf(type, last);
  if (navigation && !navigation.collection) return navigation;
  throw errors.typeMismatch(`groupby cannot group by ${name}, which leads to many records.`).at(option);
}

// A cast at the end of a path is none of the names in the result.
function leadsToRecord(path: MemberExpr, progress: Progress, { scope }: Place): boolean {
  if (path.path.length === 1) return navigationOf(progress.relation.type, nameOf(path)) !== undefined;
  if (path.path.some(({ parentheses }) => parentheses) || path.path.at(-1)?.name.includes('.')) return false;
  const over = scopeOver(progress.relation, scope.aliases.next(), scope);
  requireSingleBefore(path, over);
  return resolvePath(atFirstPlace(path, over), over).kind === 'record';
}

// A path along navigation is computed first, under its whole name.
function nameGroup(path: MemberExpr, progress: Progress, place: Place): Progress {
  const name = nameOf(path);
  const field = own(progress.relation.type.fields, name);
  const known = field !== undefined && !field.more;
  if (!known && leadsToRecord(path, progress, place)) return nameLink(path, name, progress, place);
  const check = (scope: Scope): ReturnType<typeof checkExpr> => checkGroup(path, name, scope);
  if (known) {
    check(scopeOver(progress.relation, place.scope.aliases.next(), place.scope));
    return progress;
  }
  const { progress: after, computed } = computeColumn(progress, place, check);
  return { ...after, relation: withField(after.relation, name, dynamicField(computed)) };
}

const ungrouped: ReadonlySet<string> = new Set([...shapeFamilies, 'complex']);

function checkGroup(path: MemberExpr, name: string, scope: Scope): ReturnType<typeof checkExpr> {
  requireSingleBefore(path, scope);
  const target = resolvePath(atFirstPlace(path, scope), scope);
  if (target.kind === 'records')
    throw errors.typeMismatch(`groupby cannot group by ${name}, which leads to many records.`).at(scope.option);
  if (target.kind === 'record')
    throw errors
      .notImplemented(
        `Grouping by a cast of records, ${name},`,
        `Group by what tells its records apart, as in groupby((${target.type.key.map((key) => `${name}/${key}`).join(',')})).`,
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
    .typeMismatch(
      `groupby cannot group by ${first.name}/${further}, at position ${at + 1}: ${first.name} leads to many records. Write join(${first.name} as Item)/groupby((Item/${further})).`,
    )
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
    throw errors.badOption('groupby needs something to group by or to aggregate.').at(place.scope.option);
  const { relation, live } = progress;
  const alias = place.scope.aliases.next();
  const scope = scopeOver(relation, alias, place.scope);
  const keys = names.map((name, index) => groupKey(relation, name, index, alias, sets));
  const aggregates = items.map((item, index) => checkAggregate(item, `#.${alias}.a${index}`, scope));
  const step = { kind: 'group', alias, keys, sets, aggregates, ...(live && { live: columnAt(alias, live) }) } as const;
  return { relation: grouped(relation, names, keys, aggregates, scope), steps: [...progress.steps, step] };
}
