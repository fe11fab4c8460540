import type { EntityType } from '../../edm/index.js';
import { itemAnyOf, itemNavigationOf, nestedNavigationOf } from '../path/nested-path.js';
import { errors } from '../../errors/catalogue.js';
import type { PathSegment } from '../../expression/ast.js';
import type { ExpandItem, QueryOptions } from '../../uri/query-options.js';
import type { ExpandTransformation, Transformation } from '../../uri/transformations.js';
import { collectionAlong } from '../check/collection-along.js';
import { nameOf } from '../shown-path.js';
import { requireFreeName, withNavigation, type Place, type Progress } from '../relation.js';
import type { Scope } from '../scope.js';

/** `expand(Path,filter(...),expand(...))`: what `$expand` would show, decided by the transformation. */
export function planExpandTransformation(transformation: ExpandTransformation, progress: Progress, { scope }: Place): Progress {
  return withExpand(progress, expandItemOf(transformation, scope, progress.relation.type), scope);
}

/** `addnested(Path,sequence as Name)`: some of a collection's records under a name of their own (Data Aggregation 3.4.3). */
export function planAddNested({ path, items }: Extract<Transformation, { kind: 'addnested' }>, progress: Progress, place: Place): Progress {
  const { scope } = place;
  const { navigation, progress: start } = collectionAlong(path, progress, place);
  const source = nameOf(path);
  let after = start;
  for (const { alias, transformations } of items) {
    requireFreeName(alias, after.relation, scope);
    const relation = withNavigation(after.relation, alias, { ...navigation, source });
    after = withExpand(
      { ...after, relation },
      { path: [{ name: alias, at: path.at }], options: optionsOf(transformations, 'addnested', scope) },
      scope,
    );
  }
  return after;
}

/** Shows a navigation property's records without being asked to. */
function withExpand(progress: Progress, item: ExpandItem, scope: Scope): Progress {
  const { relation } = progress;
  const name = nameOf(item);
  if (relation.expands.some((known) => nameOf(known) === name)) throw errors.badOption(`${name} is expanded twice.`).at(scope.option);
  return { ...progress, relation: { ...relation, expands: [...relation.expands, item] } };
}

/** What `$expand` asks for, of what steps have made: its options work on the records that the steps have left. */
export function mergeExpands(requested: readonly ExpandItem[], nested: readonly ExpandItem[]): readonly ExpandItem[] {
  const merged = requested.map((item) => {
    const known = sameIn(nested, item);
    return known === undefined ? item : { ...item, options: mergeOptions(known.options, item.options) };
  });
  return [...merged, ...nested.filter((item) => sameIn(requested, item) === undefined)];
}

/** The item that expands the same; what was grouped by a path is expanded by it, and a cast or `/$ref` stands behind. */
export function sameIn(items: readonly ExpandItem[], item: ExpandItem): ExpandItem | undefined {
  return items.find((other) => beginsWith(item, other) || beginsWith(other, item));
}

function beginsWith(item: ExpandItem, beginning: ExpandItem): boolean {
  return `${nameOf(item)}/`.startsWith(`${nameOf(beginning)}/`);
}

function mergeOptions(nested: QueryOptions, requested: QueryOptions): QueryOptions {
  const window = nested.top !== undefined || nested.skip !== undefined;
  const twice = (['search', 'orderby', 'expand'] as const).find((name) => nested[name] && requested[name]);
  const behind = (['filter', 'search', 'orderby', 'skip', 'top', 'count'] as const).find((name) => window && requested[name] !== undefined);
  const name = twice ?? behind;
  if (name !== undefined)
    throw errors.notImplemented(`$${name} in $expand of what $apply has expanded by ${twice ? name : 'top or skip'}`).at('$expand');
  const filter =
    nested.filter && requested.filter
      ? { filter: { kind: 'binary', at: requested.filter.at, operator: 'and', left: nested.filter, right: requested.filter } as const }
      : {};
  return { ...nested, ...requested, ...filter };
}

function expandItemOf({ path, transformations, expands }: ExpandTransformation, scope: Scope, type?: EntityType): ExpandItem {
  const inner = expands.map((one) => expandItemOf(one, scope));
  const options = { ...optionsOf(transformations, 'expand', scope), ...(inner.length > 0 && { expand: inner }) };
  // What a complex value leads to, or each of several, is one item under its path; what is expanded behind it is within.
  const names = path.map(({ name }) => name);
  const { length = 1 } =
    (type &&
      (nestedNavigationOf(type, names, scope.container) ??
        itemNavigationOf(type, names, scope.container) ??
        itemAnyOf(type, names, scope.container))) ??
    {};
  if (length === 1) return nestedItem(path, options);
  return length === path.length
    ? { path, options }
    : { path: path.slice(0, length), options: { expand: [nestedItem(path.slice(length), options)] } };
}

// What lies behind another navigation property is expanded within it.
function nestedItem(path: readonly PathSegment[], options: QueryOptions): ExpandItem {
  const [first, ...rest] = path;
  if (first === undefined || rest.length === 0 || first.name.includes('.')) return { path, options };
  return { path: [first], options: { expand: [nestedItem(rest, options)] } };
}

/** What is left of a sequence once its first steps are options; options come in this order (protocol 11.2.1). */
const order = ['filter', 'search', 'orderby', 'skip', 'top'] as const;

// A sequence that an expansion carries out as well: its steps in the order in which options are evaluated, each once.
function optionsOf(transformations: readonly Transformation[], what: string, scope: Scope): QueryOptions {
  const steps = transformations.filter(({ kind }) => kind !== 'identity');
  const places = steps.map(({ kind }) => order.findIndex((name) => name === kind));
  for (const [index, step] of steps.entries()) {
    const name = step.kind === 'rank' ? step.method : step.kind;
    const [before = -1, place = -1] = [places[index - 1], places[index]];
    if (place < 0)
      throw errors
        .notImplemented(
          `${name} within ${what}`,
          step.kind === 'aggregate'
            ? 'Write compute(‹related›/aggregate(‹relatedNumber› with max) as Most), or $expand=‹related›($apply=aggregate(‹relatedNumber› with max as Most)).'
            : undefined,
        )
        .at(scope.option);
    if (place <= before) throw errors.notImplemented(`${name} behind ${order[before]} within ${what}`).at(scope.option);
  }
  return Object.assign({}, ...steps.map(optionOf)) as QueryOptions; // Each of them is an option or several.
}

function optionOf(transformation: Transformation): QueryOptions {
  switch (transformation.kind) {
    case 'filter':
      return { filter: transformation.condition };
    case 'search':
      return { search: transformation.search };
    case 'orderby':
      return { orderby: transformation.items };
    case 'skip':
    case 'top':
      return { [transformation.kind]: transformation.count };
    default:
      return {};
  }
}
