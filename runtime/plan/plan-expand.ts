import { navigationOf, targetOf, type EntityType, type Navigation } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { ExpandItem } from '../uri/query-options.js';
import { hopAlong } from './check-path.js';
import { accessTo } from './caller.js';
import { effectiveTop, requireSkip, type PlanOptions } from './limits.js';
import { planFilter } from './plan-filter.js';
import { planOrder } from './plan-order.js';
import { planSelection } from './plan-selection.js';
import type { ExpandPlan } from './read-plan.js';
import type { Scope } from './scope.js';
import { refuseUnplannedOptions } from './unplanned.js';

/** What is expanded beneath a record. `depth` counts from 1 for the outermost `$expand`. */
export function planExpand(items: readonly ExpandItem[], type: EntityType, alias: string, scope: Scope, settings: PlanOptions, depth: number): readonly ExpandPlan[] {
  const named = items.flatMap((item) => expandStar(item, type));
  const seen = new Set<string>();
  return named.map(({ name, item }) => {
    if (seen.has(name)) throw errors.badOption(`${name} is expanded twice.`).at('$expand');
    seen.add(name);
    return planItem(name, item, { type, alias, scope, settings, depth });
  });
}

interface Place {
  readonly type: EntityType;
  readonly alias: string;
  readonly scope: Scope;
  readonly settings: PlanOptions;
  readonly depth: number;
}

function expandStar(item: ExpandItem, type: EntityType): readonly { readonly name: string; readonly item: ExpandItem }[] {
  const [first] = item.path;
  if (first === undefined) return [];
  if (first.name !== '*') return [{ name: first.name, item }];
  const names = Object.entries(type.navigation).filter(([, { expandable }]) => expandable !== false);
  return names.map(([name]) => ({ name, item: { ...item, path: [{ ...first, name }, ...item.path.slice(1)] } }));
}

function planItem(name: string, item: ExpandItem, place: Place): ExpandPlan {
  if (name.startsWith('@')) throw errors.notImplemented(`The annotation ${name}`).at('$expand');
  refuseUnplannedOptions(item.options);
  const navigation = requireNavigation(name, place);
  requireDepth(place);
  const target = targetOf(place.scope.container, navigation);
  const access = accessTo(target, 'read', place.scope.caller);
  if (!access.allowed) throw errors.notPermitted(name).at(name);
  requireSuffix(item);
  return planTarget(name, item, navigation, target, place);
}

function planTarget(name: string, item: ExpandItem, navigation: Navigation, target: EntityType, place: Place): ExpandPlan {
  const { options } = item;
  const hop = hopAlong(navigation, target, place.alias, place.scope.aliases);
  const scope: Scope = { ...place.scope, implicit: { kind: 'record', source: hop, type: target }, variables: new Map() };
  const collection = navigation.collection ?? false;
  requireCollectionFor(name, item, collection);
  const filter = planFilter(options.filter, scope);
  const top = effectiveTop(target, { ...options, expand: [] }, place.settings);
  requireSkip(target, options.skip);
  return {
    name,
    collection,
    hop,
    selection: planSelection(target, hop.alias, options, scope, place.settings, place.depth + 1),
    order: collection ? planOrder(options.orderby, target, hop.alias, scope) : [],
    count: options.count ?? false,
    ...(filter && { filter }),
    ...(top !== undefined && { top }),
    ...(options.skip !== undefined && { skip: options.skip }),
  };
}

function requireNavigation(name: string, { type }: Place): Navigation {
  const navigation = navigationOf(type, name);
  if (navigation === undefined) {
    throw errors.unknownName(`navigation property ${name}`, type.name, suggestion(name, Object.keys(type.navigation))).at(name);
  }
  if (navigation.expandable === false) throw errors.typeMismatch(`${name} cannot be expanded: the model does not offer it.`).at(name);
  return navigation;
}

function requireDepth({ depth, scope }: Place): void {
  const root = scope.implicit.kind === 'record' ? scope.implicit.type : undefined;
  const limit = root?.limits.maxExpandDepth ?? 3;
  if (depth > limit) throw errors.limitExceeded(`$expand is nested ${depth} deep, and the limit is ${limit}.`).at('$expand');
}

function requireSuffix({ path }: ExpandItem): void {
  if (path.length === 1) return;
  throw errors.notImplemented(`$expand of ${path.map(({ name }) => name).join('/')}`).at('$expand');
}

const collectionOptions = ['filter', 'orderby', 'top', 'skip', 'count'] as const;

function requireCollectionFor(name: string, { options }: ExpandItem, collection: boolean): void {
  const option = collection ? undefined : collectionOptions.find((candidate) => options[candidate] !== undefined);
  if (option) throw errors.badOption(`$${option} cannot be used within ${name}: it leads to a single record.`).at('$expand');
}
