import { fieldOf, isTypeOrBase, navigationOf, propertyOf, targetOf, type EntityType, type Navigation } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { ODataError, type ErrorDetail } from '../errors/odata-error.js';
import type { Json, JsonObject } from '../json/json.js';
import { createdType, statedFaults } from './body-type.js';
import type { RecordTarget } from './plan-path.js';
import { planCreate, planReplace, planUpdate, requireWritable, type WriteContext } from './plan-write.js';
import { typeNames } from './type-cast.js';
import type { ChildPlan, Link, WritePlan } from './write-plan.js';

/** What planning a body with related records needs. */
export interface GraphContext extends WriteContext {
  /** The record that an id in a body stands for, or why there is none. */
  readonly refer: (id: string) => RecordTarget | ODataError;
}

/** The body of a create with new records beneath it (deep insert) and references to existing ones. */
export function planCreateGraph(declared: EntityType, body: JsonObject, context: GraphContext): WritePlan {
  const { type, faults } = createdType(declared, body, context.container);
  // What a record has to have depends on its type.
  if (faults.length > 0) return { type: declared, values: new Map(), patches: new Map(), references: [], faults };
  const related = planRelated(type, body, context, 'insert');
  const own = planCreate(type, withoutRelated(type, body), { ...context, given: new Set([...(context.given ?? []), ...related.given]) });
  return { ...own, links: related.links, children: related.children, faults: [...own.faults, ...related.faults] };
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

/** Whether a to-one navigation's column is the record's own; otherwise the other record holds it. */
export function isOwnColumn(navigation: Navigation, target: EntityType): boolean {
  const keys = new Set(target.key.map((name) => fieldOf(target, name)?.column ?? name));
  return !navigation.collection && Object.values(navigation.join).every((column) => column === '#id' || keys.has(column));
}

/** The properties that say to which record another one belongs: its own, or those of the other. */
export function linkingProperties(type: EntityType, navigation: Navigation, target: EntityType): readonly string[] {
  if (isOwnColumn(navigation, target)) return Object.keys({ ...navigation.join, ...navigation.repeats }).map((column) => propertyOf(type, column));
  return [...Object.values(navigation.join), ...Object.values(navigation.copies ?? {})].map((column) => propertyOf(target, column));
}

interface Related {
  readonly links: Link[];
  readonly children: ChildPlan[];
  readonly faults: ErrorDetail[];
  /** Own properties that follow from the links. */
  readonly given: Set<string>;
}

interface Member {
  readonly type: EntityType;
  readonly name: string;
  readonly navigation: Navigation;
  readonly target: EntityType;
  readonly operation: 'insert' | 'update';
  readonly context: GraphContext;
}

const bind = /@(?:odata\.)?bind$/;

function planRelated(type: EntityType, body: JsonObject, context: GraphContext, operation: Member['operation']): Related {
  const related: Related = { links: [], children: [], faults: [], given: new Set() };
  for (const [member, json] of body.members) {
    const name = member.replace(bind, '');
    const navigation = navigationOf(type, name);
    if (navigation === undefined || (name === member && member.includes('@'))) continue;
    // A new record that is to lead nowhere does so anyway.
    if (json === null && name === member && operation === 'insert' && !navigation.collection) continue;
    const of: Member = { type, name, navigation, target: targetOf(context.container, navigation), operation, context };
    if (isOwnColumn(navigation, of.target)) markGiven(of, body, related);
    if (name === member) planNested(of, json, related);
    else for (const [id, at] of idsOf(of, json, related)) addLink(of, id, at, related);
  }
  return related;
}

function markGiven({ type, name, navigation, target, operation, context }: Member, body: JsonObject, { given, faults }: Related): void {
  for (const property of linkingProperties(type, navigation, target)) {
    given.add(property);
    if (context.given?.has(property)) faults.push(errors.readOnly(name, 'it follows from the record that this one belongs to').at(name).asDetail());
    if (operation === 'update' && type.rules.immutable.includes(property)) faults.push(errors.readOnly(name, 'it is given once, on create').at(name).asDetail());
    if (operation === 'update' && body.members.has(property)) faults.push(errors.readOnly(property, `it follows from ${name}, which the body has too`).at(property).asDetail());
  }
}

// A body may be addressed to one record or to several, by what the navigation property leads to.
function idsOf({ name, navigation }: Member, json: Json, { faults }: Related): readonly (readonly [string, string])[] {
  const items = navigation.collection ? itemsOf(json) : [json];
  if (items?.every((item) => typeof item === 'string')) return items.map((item, index) => [item, navigation.collection ? `${name}[${index}]` : name] as const);
  faults.push(errors.wrongJsonType(`${name}@odata.bind`, navigation.collection ? 'an array of ids' : 'an id', 'something else').at(name).asDetail());
  return [];
}

function planNested(of: Member, json: Json, related: Related): void {
  const { name, navigation, operation } = of;
  if (json === null && !navigation.collection) {
    if (!isOwnColumn(navigation, of.target)) throw errors.notImplemented(`Taking ${name} away within an update`).at(name);
    related.links.push({ name, navigation, target: of.target, at: name, place: undefined, id: 'null' });
    return;
  }
  const items = navigation.collection ? itemsOf(json) : [json];
  if (items === undefined || !items.every(isObject)) return void related.faults.push(errors.wrongJsonType(name, navigation.collection ? 'an array of records' : 'a record', 'something else').at(name).asDetail());
  if (navigation.collection && operation === 'update') throw errors.notImplemented(`Replacing ${name} within an update`).at(name);
  for (const [index, item] of items.entries()) planItem(of, item, navigation.collection ? `${name}[${index}]` : name, related);
}

// An object that is only an id is a reference to a record (JSON format 14), any other one a new record.
function planItem(of: Member, item: JsonObject, at: string, related: Related): void {
  const id = item.members.get('@odata.id') ?? item.members.get('@id');
  if (typeof id === 'string' && [...item.members.keys()].every((name) => name.startsWith('@'))) return addLink(of, id, at, related);
  if (of.operation === 'update') throw errors.notImplemented(`Writing ${of.name} within an update of a ${of.type.name}`).at(of.name);
  addChild(of, item, at, related);
}

function addLink(of: Member, id: string, at: string, { links, faults }: Related): void {
  const { name, navigation, target, context } = of;
  const place = context.refer(id);
  if (place instanceof ODataError) return void faults.push(errors.invalidReference(id.slice(0, 64), at, target.name).at(at).asDetail());
  const referred = asTarget(place, target);
  if (referred === undefined) return void faults.push(errors.invalidReference(id.slice(0, 64), at, target.name).at(at).asDetail());
  if (!isOwnColumn(navigation, target)) requireLinkable(of, faults, at);
  links.push({ name, navigation, target, at, place: referred, id: id.slice(0, 64) });
}

// An id may say less of the record's type than the navigation property asks for; the record itself decides then.
function asTarget(place: RecordTarget, target: EntityType): RecordTarget | undefined {
  if (isTypeOrBase(place.type, target.qualifiedName)) return place;
  return isTypeOrBase(target, place.type.qualifiedName) ? { ...place, type: target, types: typeNames(target) } : undefined;
}

// The other record says where it belongs, so that it is the one that changes.
function requireLinkable({ type, navigation, target, context }: Member, faults: ErrorDetail[], at: string): void {
  requireWritable(target, 'update', context.caller);
  const fixed = linkingProperties(type, navigation, target).some((property) => target.rules.immutable.includes(property));
  const offered = target.routes.some(({ operation }) => operation === 'updateEntity' || operation === 'replaceEntity');
  if (fixed || !offered) faults.push(errors.readOnly(at, `a ${target.name} cannot be given to another record`).at(at).asDetail());
}

function addChild({ type, name, navigation, target, context }: Member, item: JsonObject, at: string, { children, faults }: Related): void {
  if (!target.routes.some(({ operation }) => operation === 'createEntity')) return void faults.push(errors.readOnly(at, `a ${target.name} cannot be created`).at(at).asDetail());
  requireWritable(target, 'insert', context.caller);
  const { key: _, given: __, ...inner } = context;
  const given = isOwnColumn(navigation, target) ? [] : linkingProperties(type, navigation, target);
  const plan = planCreateGraph(target, item, { ...inner, given: new Set(given) });
  children.push({ name, navigation, plan, at });
}

/** A fault of a nested record, with its place in the body: `Rooms[1].RoomType`. */
export function beneath(at: string, fault: ErrorDetail): ErrorDetail {
  return { ...fault, target: fault.target === undefined ? at : `${at}.${fault.target}` };
}

function withoutRelated(type: EntityType, body: JsonObject): JsonObject {
  return { kind: 'object', members: new Map([...body.members].filter(([member]) => navigationOf(type, member.replace(bind, '')) === undefined)) };
}

function itemsOf(json: Json): readonly Json[] | undefined {
  return typeof json === 'object' && json?.kind === 'array' ? json.items : undefined;
}

function isObject(json: Json): json is JsonObject {
  return typeof json === 'object' && json?.kind === 'object';
}
