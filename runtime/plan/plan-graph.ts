import { navigationOf, targetOf, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isArray, isObject, type Json, type JsonObject } from '../json/json.js';
import { createdType, statedFaults } from './body-type.js';
import { addLink, isOwnColumn, linkingProperties, type GraphContext, type Related, type RelatedMember } from './plan-link.js';
import { planCreate, planReplace, planUpdate, requireWritable } from './plan-write.js';
import type { WritePlan } from './write-plan.js';

/** The body of a create with new records beneath it (deep insert) and references to existing ones. */
export function planCreateGraph(declared: EntityType, body: JsonObject, context: GraphContext): WritePlan {
  const { type, faults } = createdType(declared, body, context.container);
  // What a record has to have depends on its type.
  if (faults.length > 0) return { type: declared, values: new Map(), patches: new Map(), references: [], faults };
  const related = planRelated(type, body, context, 'insert');
  const given = new Set([...(context.given ?? []), ...related.given]);
  const own = planCreate(type, withoutRelated(type, body), { ...context, given });
  return { ...own, links: related.links, children: related.children, faults: [...own.faults, ...related.faults, ...unrelatedFaults(type, given)] };
}

// What a record cannot be without, where no property of its own says it.
function unrelatedFaults({ navigation }: EntityType, given: ReadonlySet<string>): readonly ErrorDetail[] {
  const missing = Object.entries(navigation).filter(([, { required, join }]) => required && !Object.keys(join).every((column) => given.has(column)));
  return missing.map(([name]) => errors.missingRequired(name).at(name).asDetail());
}

/** The body of an update with references to existing records. */
export function planUpdateGraph(type: EntityType, body: JsonObject, context: GraphContext): WritePlan {
  return planChangedGraph(type, body, context, planUpdate);
}

/** The body of a replacement with references to existing records. */
export function planReplaceGraph(type: EntityType, body: JsonObject, context: GraphContext): WritePlan {
  return planChangedGraph(type, body, context, planReplace);
}

function planChangedGraph(type: EntityType, body: JsonObject, context: GraphContext, plan: typeof planUpdate): WritePlan {
  const related = planRelated(type, body, context, 'update');
  const own = plan(type, withoutRelated(type, body), { ...context, given: related.given });
  return { ...own, links: related.links, children: related.children, faults: [...statedFaults(type, body, context.container), ...own.faults, ...related.faults] };
}

const bind = /@(?:odata\.)?bind$/;

function planRelated(type: EntityType, body: JsonObject, context: GraphContext, operation: RelatedMember['operation']): Related {
  const related: Related = { links: [], children: [], faults: [], given: new Set() };
  for (const [member, json] of body.members) {
    const name = member.replace(bind, '');
    const navigation = navigationOf(type, name);
    if (navigation === undefined || (name === member && member.includes('@'))) continue;
    // A new record that is to lead nowhere does so anyway.
    if (json === null && name === member && operation === 'insert' && !navigation.collection) continue;
    const of: RelatedMember = { type, name, navigation, target: targetOf(context.container, navigation), operation, context };
    if (isOwnColumn(navigation, of.target)) markGiven(of, body, related);
    if (name === member) planNested(of, json, related);
    else for (const [id, at] of idsOf(of, json, related)) addLink(of, id, at, related);
  }
  return related;
}

function markGiven({ type, name, navigation, target, operation, context }: RelatedMember, body: JsonObject, { given, faults }: Related): void {
  for (const property of linkingProperties(type, navigation, target)) {
    given.add(property);
    if (context.given?.has(property)) faults.push(errors.readOnly(name, 'it follows from the record that this one belongs to').at(name).asDetail());
    if (operation === 'update' && type.rules.immutable.includes(property)) faults.push(errors.readOnly(name, 'it is given once, on create').at(name).asDetail());
    if (operation === 'update' && body.members.has(property)) faults.push(errors.readOnly(property, `it follows from ${name}, which the body has too`).at(property).asDetail());
  }
}

// A body may be addressed to one record or to several, by what the navigation property leads to.
function idsOf({ name, navigation }: RelatedMember, json: Json, { faults }: Related): readonly (readonly [string, string])[] {
  const items = navigation.collection ? (isArray(json) ? json.items : undefined) : [json];
  if (items?.every((item) => typeof item === 'string')) return items.map((item, index) => [item, navigation.collection ? `${name}[${index}]` : name] as const);
  faults.push(errors.wrongJsonType(`${name}@odata.bind`, navigation.collection ? 'an array of ids' : 'an id', 'something else').at(name).asDetail());
  return [];
}

function planNested(of: RelatedMember, json: Json, related: Related): void {
  const { name, navigation, operation } = of;
  if (json === null && !navigation.collection) {
    if (!isOwnColumn(navigation, of.target)) throw errors.notImplemented(`Taking ${name} away within an update`).at(name);
    related.links.push({ name, navigation, target: of.target, at: name, place: undefined, id: 'null' });
    return;
  }
  const items = navigation.collection ? (isArray(json) ? json.items : undefined) : [json];
  if (items === undefined || !items.every(isObject)) return void related.faults.push(errors.wrongJsonType(name, navigation.collection ? 'an array of records' : 'a record', 'something else').at(name).asDetail());
  if (navigation.collection && operation === 'update') throw errors.notImplemented(`Replacing ${name} within an update`).at(name);
  for (const [index, item] of items.entries()) planItem(of, item, navigation.collection ? `${name}[${index}]` : name, related);
}

// An object that is only an id is a reference to a record (JSON format 14), any other one a new record.
function planItem(of: RelatedMember, item: JsonObject, at: string, related: Related): void {
  const id = item.members.get('@odata.id') ?? item.members.get('@id');
  if (typeof id === 'string' && [...item.members.keys()].every((name) => name.startsWith('@'))) return addLink(of, id, at, related);
  if (of.operation === 'update') throw errors.notImplemented(`Writing ${of.name} within an update of a ${of.type.name}`).at(of.name);
  addChild(of, item, at, related);
}

function addChild({ type, name, navigation, target, context }: RelatedMember, item: JsonObject, at: string, { children, faults }: Related): void {
  if (!target.routes.some(({ operation }) => operation === 'createEntity')) return void faults.push(errors.readOnly(at, `a ${target.name} cannot be created`).at(at).asDetail());
  requireWritable(target, 'insert', context.caller);
  const { key: _, given: __, ...inner } = context;
  const given = isOwnColumn(navigation, target) ? [] : linkingProperties(type, navigation, target);
  const plan = planCreateGraph(target, item, { ...inner, given: new Set(given) });
  children.push({ name, navigation, plan, at });
}

function withoutRelated(type: EntityType, body: JsonObject): JsonObject {
  return { kind: 'object', members: new Map([...body.members].filter(([member]) => navigationOf(type, member.replace(bind, '')) === undefined)) };
}

