import { type EntityContainer, type EntityType, fieldOf, type Navigation, navigationOf, targetOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import { withArticle } from '../../errors/suggest.js';
import { isArray, isObject, type Json, type JsonObject, jsonObject, withoutMembers } from '../../json/json.js';
import { createdType, idOf, isReference, nestedMembers, removalOf, statedFaults, withoutNested } from './entity-body.js';
import { isOwnColumn, isShared, linkingProperties } from '../path/navigation-join.js';
import { rootOf } from '../caller.js';
import { describeJson } from '../value/plan-value.js';
import type { Item, Planners, GraphContext, Related, RelatedMember } from './plan-link.js';
import { addLink, createFaults, givenBy, inGraph, requireUnrestricted, twiceFault, unrelatedFaults } from './plan-link.js';
import { writeHooks } from './hooks.js';
import { planCreate, planReplace, planSetting, planUpdate } from './plan-write.js';
import type { WritePlan } from './write-plan.js';

/** The body of a create with new records beneath it (deep insert) and references to existing ones. */
export function planCreateGraph(declared: EntityType, body: JsonObject, context: GraphContext): WritePlan {
  const { type, faults } = createdType(declared, body, context.container);
  // The required properties depend on the type.
  if (faults.length > 0) return { type: declared, values: new Map(), patches: new Map(), references: [], faults };
  if (hasOnlyValues(type, body)) return planPlainCreate(type, body, context);
  const related = planRelated(type, body, context);
  const given = givenBy(related, context);
  const own = planCreate(type, withoutRelated(type, body, context.container), given);
  const { links, children } = related;
  const missing = unrelatedFaults(type, body, context.container, given.given);
  return inGraph(own, body, { links, children, faults: [...own.faults, ...related.faults, ...missing] });
}

/** Plans the body of an update with changes of related entities (deep update) and references. */
export function planUpdateGraph(type: EntityType, body: JsonObject, context: GraphContext): WritePlan {
  return planChangedGraph(type, body, context, { own: planUpdate, update: planUpdateGraph });
}

/** The body of a replacement, likewise; the records within are replaced too. */
export function planReplaceGraph(type: EntityType, body: JsonObject, context: GraphContext): WritePlan {
  return planChangedGraph(type, body, context, { own: planReplace, update: planReplaceGraph, replaces: true });
}

/** Plans the body that sets one property, with references in its complex values; `whole` is the path of the replaced value. */
export function planSettingGraph(type: EntityType, body: JsonObject, context: GraphContext, whole?: string): WritePlan {
  const own: typeof planUpdate = (of, members, inner) => planSetting(of, members, inner, whole);
  return planChangedGraph(type, body, context, { own, update: planUpdateGraph, ...(whole !== undefined && { replaces: true }) });
}

/** Plans one navigation property of an update, `Rooms` or `Rooms@delta`, alone. */
export function planRelation(type: EntityType, member: string, json: Json, context: GraphContext): WritePlan {
  const body = jsonObject([[member, json]]);
  const { links, nested, faults } = planRelated(type, body, context, { update: planUpdateGraph, create: planCreateGraph });
  return { type, values: new Map(), patches: new Map(), references: [], links, related: nested, faults };
}

interface Change extends Omit<Planners, 'create'> {
  readonly own: typeof planUpdate;
}

// Most bodies.
function hasOnlyValues(type: EntityType, { members }: JsonObject): boolean {
  for (const [name, json] of members) if (fieldOf(type, name) === undefined || isObject(json) || isArray(json)) return false;
  return true;
}

function planPlainCreate(type: EntityType, body: JsonObject, context: GraphContext): WritePlan {
  const own = planCreate(type, body, context);
  const missing = unrelatedFaults(type, body, context.container, context.given);
  return missing.length === 0 ? own : { ...own, faults: [...own.faults, ...missing] };
}

function planChangedGraph(type: EntityType, body: JsonObject, context: GraphContext, { own: plan, ...change }: Change): WritePlan {
  if (hasOnlyValues(type, body)) return plan(type, body, context);
  const related = planRelated(type, body, context, { ...change, create: planCreateGraph });
  const own = plan(type, withoutRelated(type, body, context.container), givenBy(related, context));
  return inGraph(own, body, {
    links: related.links,
    related: related.nested,
    faults: [...statedFaults(type, body, context.container), ...own.faults, ...related.faults],
  });
}

const bind = /@(?:odata\.)?bind$/;
const delta = /@(?:odata\.)?delta$/;

// The name of the navigation property that a member may set, bind or change; most members are properties.
function navigationNameIn(member: string): string {
  return member.includes('@') ? member.replace(bind, '').replace(delta, '') : member;
}

// In an update, existing entities are planned differently.
function planRelated(type: EntityType, body: JsonObject, context: GraphContext, planners?: Planners): Related {
  const related: Related = { links: [], children: [], nested: [], faults: [], given: new Set() };
  const operation = planners ? 'update' : 'insert';
  const seen = new Map<string, string>();
  for (const [member, json] of [...body.members, ...nestedMembers(type, body, context.container)]) {
    const name = navigationNameIn(member);
    const navigation = navigationOf(type, name);
    if (navigation === undefined || (name === member && member.includes('@'))) continue;
    const before = navigation.collection ? undefined : seen.get(name);
    seen.set(name, member);
    if (before !== undefined) {
      related.faults.push(twiceFault(name, [before, member]));
      continue;
    }
    // A new entity needs no explicit null.
    if (json === null && name === member && operation === 'insert' && !navigation.collection) continue;
    if (navigation.follows) {
      related.faults.push(errors.readOnly(name, `it follows from ${navigation.follows.join(' and ')}`).asDetail(name));
      continue;
    }
    requireUnrestricted(type, operation, [rootOf(name)], context.caller);
    const of: RelatedMember = {
      type,
      name,
      navigation,
      target: targetOf(context.container, navigation),
      operation,
      context,
    };
    if (isOwnColumn(navigation, of.target)) markGiven(of, json === null, related);
    if (name === member || delta.test(member)) planNested({ of, json, isDelta: name !== member, ...(planners && { planners }) }, related);
    else for (const [id, at] of idsOf(of, json, related)) addLink(of, id, at, related);
  }
  return related;
}

// A relation that ends leaves a property that it shares with others to them.
function markGiven({ type, name, navigation, target, operation, context }: RelatedMember, ends: boolean, related: Related): void {
  const { given, faults } = related;
  const linking = linkingProperties(type, navigation, target);
  const isOthers = ends && isShared(navigation, type);
  requireUnrestricted(type, operation, linking, context.caller);
  for (const property of linking) {
    if (!isOthers) given.add(property);
    // Leaving the parent is reported with the link.
    if (context.given?.has(property) && !navigation.container)
      faults.push(errors.readOnly(name, 'it follows from the parent').asDetail(name));
    if (operation === 'update' && type.rules.immutable.includes(property))
      faults.push(errors.readOnly(name, 'it can be set only on creation').asDetail(name));
  }
}

// One id or several, depending on the navigation property.
function idsOf({ name, navigation }: RelatedMember, json: Json, { faults }: Related): readonly (readonly [string, string])[] {
  const items = navigation.collection ? (isArray(json) ? json.items : undefined) : [json];
  if (items?.every((item) => typeof item === 'string'))
    return items.map((item, index) => [item, placeOf(name, navigation, index)] as const);
  const found = json === null && !navigation.collection ? `null; write "${name}": null to remove the reference` : describeJson(json);
  faults.push(errors.wrongJsonType(`${name}@odata.bind`, navigation.collection ? 'an array of ids' : 'an id', found).asDetail(name));
  return [];
}

/** The value of a navigation property in a body. */
interface Nested {
  readonly of: RelatedMember;
  readonly json: Json;
  /** Whether it is `Rooms@delta`: changes among the related entities. */
  readonly isDelta: boolean;
  /** The planners for an existing entity. */
  readonly planners?: Planners;
}

function planNested({ of, json, isDelta, planners }: Nested, related: Related): void {
  const { name, navigation, target, context } = of;
  const isOwn = isOwnColumn(navigation, target);
  if (json === null && !navigation.collection && isOwn)
    return void related.links.push({ name, navigation, target, at: name, place: undefined, id: 'null' });
  const items = itemsOf(of, json, planners !== undefined);
  const misplaced = isDelta ? deltaFault(of, planners) : undefined;
  if (misplaced !== undefined) return void related.faults.push(misplaced);
  if (items === undefined)
    return void related.faults.push(
      errors.wrongJsonType(name, navigation.collection ? 'an array of records' : 'a record', describeJson(json)).asDetail(name),
    );
  if (planners === undefined) return void items.forEach((item) => planItem(of, item, related));
  // A reference to one record is a link like all others, in 4.0 as well.
  const [only] = items;
  if (!navigation.collection && only && isReference(only.body) && removalOf(only.body) === undefined)
    return addLink(of, idOf(only.body) ?? '', only.at, related);
  if (context.version === '4.0') throw errors.newerVersion(`Writing ${name} within an update of ${withArticle(of.type.name)}`).at(name);
  writeHooks.get('planMembers')(of, items, isDelta ? 'delta' : 'whole', planners, related);
}

// Protocol 11.4.3.1: a delta needs PATCH, and there is none of a single record.
function deltaFault({ name, navigation }: RelatedMember, planners: Planners | undefined): ErrorDetail | undefined {
  const why = navigation.collection
    ? planners?.replaces
      ? 'a PUT replaces the collection; changes need PATCH'
      : undefined
    : `it is to-one; write ${name}`;
  return why === undefined ? undefined : errors.readOnly(`${name}@delta`, why).asDetail(name);
}

// Single-valued navigation properties may be null; a new entity needs no explicit null.
function itemsOf({ name, navigation }: RelatedMember, json: Json, isUpdate: boolean): readonly Item[] | undefined {
  if (json === null && !navigation.collection && isUpdate) return [];
  const items = navigation.collection ? (isArray(json) ? json.items : undefined) : [json];
  if (items === undefined || !items.every(isObject)) return undefined;
  return items.map((body, index) => ({ body, at: placeOf(name, navigation, index) }));
}

function placeOf(name: string, { collection }: Navigation, index: number): string {
  return collection ? `${name}[${index}]` : name;
}

// An object that is only an id is a reference to a record (JSON format 14), any other one a new record.
function planItem(of: RelatedMember, item: Item, related: Related): void {
  if (isReference(item.body)) return addLink(of, idOf(item.body) ?? '', item.at, related);
  if (removalOf(item.body))
    return void related.faults.push(errors.readOnly(item.at, 'a new record has nothing to remove').asDetail(item.at));
  addChild(of, item, related);
}

function addChild(of: RelatedMember, { body, at }: Item, { children, faults }: Related): void {
  const { type, name, navigation, target, context } = of;
  const refused = createFaults(of, at);
  if (refused.length > 0) return void faults.push(...refused);
  const { key: _, given: __, ...inner } = context;
  const given = isOwnColumn(navigation, target) ? [] : linkingProperties(type, navigation, target);
  children.push({ name, navigation, plan: planCreateGraph(target, body, { ...inner, given: new Set(given) }), at });
}

function withoutRelated(type: EntityType, body: JsonObject, container: EntityContainer): JsonObject {
  const stored = withoutNested(type, body, container);
  const own = withoutMembers(stored, (member) => navigationOf(type, navigationNameIn(member)) !== undefined);
  return own.members.size === stored.members.size ? stored : own;
}
