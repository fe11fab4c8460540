import { own, targetOf, wayTo, type EntityContainer, type EntityType, type ItemNavigation, type ValueWay } from '../../edm/index.js';
import { anyNameOf, stepsOf, type Leading } from '../path/nested-path.js';
import { errors } from '../../errors/catalogue.js';
import type { ErrorDetail, ODataError } from '../../errors/odata-error.js';
import { isArray, isObject, type Json, type JsonObject } from '../../json/json.js';
import { castsOf } from '../../json/values-on.js';
import { armsOf, type Arm } from '../any-navigation.js';
import type { RecordTarget } from '../path-target.js';
import { shownAt } from '../value/changed-items.js';
import { armOfId } from './any-members.js';
import { containedFault, recordNamed, twiceFault, type GraphContext } from './plan-link.js';
import { createFaults, idOf, isReference } from './plan-members.js';
import type { ItemChild, ItemLink, WritePlan } from './write-plan.js';

/** A body without what its items lead to, the records that these are to lead to, and those that they are to contain. */
interface LinkedItems {
  readonly body: JsonObject;
  readonly links: readonly ItemLink[];
  readonly children: readonly ItemChild[];
  /** What a changed item says, in place of what it said before. */
  readonly unlinked: readonly Pick<ItemLink, 'names' | 'member'>[];
  readonly faults: readonly ErrorDetail[];
}

/** Takes out of a body what the items of its collections say of other records: references, and new records that an item contains. */
export function planItemLinks(type: EntityType, body: JsonObject, context: GraphContext, planNew: PlanNew): LinkedItems {
  if (type.itemNavigation === undefined) return { body, links: [], children: [], unlinked: [], faults: [] };
  const found: Found = { links: [], children: [], unlinked: [], faults: [], places: new Map() };
  const edited = writtenWays(type, context.container).reduce<JsonObject>((before, { path, navigation, arms }) => {
    const { name } = stepsOf(path);
    const kept = [navigation, ...(arms?.map((arm) => arm.navigation) ?? [])]
      .flatMap(({ join }) => Object.keys(join))
      .filter((member) => member.startsWith('#'));
    return editItems(type, before, path, context, (item, names) => {
      const of: NamedItem = { type, path, name, navigation, names, context, planNew, ...(arms && { arms }) };
      const said = [...item.members.keys()].filter((member) => member === name || bindsBy(member, name));
      if (said.length > 0 && (context.items || isMerged(names))) found.unlinked.push(...kept.map((member) => ({ names, member })));
      if (said.length > 1 && !navigation.collection) found.faults.push(twiceFault(`${shownAt(names)}/${name}`, said));
      else for (const [member, json] of item.members) if (speaksOf(member, name)) planMember(of, member, json, found);
      return { kind: 'object', members: new Map([...item.members].filter(([member]) => !speaksOf(member, name))) };
    });
  }, body);
  return { body: edited, links: found.links, children: found.children, unlinked: found.unlinked, faults: found.faults };
}

/** What items lead to, as bodies say it. */
interface WrittenWay {
  readonly path: string;
  readonly navigation: ItemNavigation;
  /** Of what leads to records of any type its parts, of which the navigation is the first one. */
  readonly arms?: readonly Arm[];
}

// An id says by its set which part of what leads to records of any type is meant.
function writtenWays(type: EntityType, container: EntityContainer): readonly WrittenWay[] {
  const { itemNavigation = {}, anyItemNavigation = {} } = type;
  const single = Object.entries(itemNavigation)
    .filter(([path]) => anyNameOf(type, path) === undefined)
    .map(([path, navigation]) => ({ path, navigation }));
  const any = Object.entries(anyItemNavigation).flatMap(([path, one]): readonly WrittenWay[] => {
    const navigation = own(itemNavigation, one.paths[0] ?? '');
    return navigation ? [{ path, navigation, arms: armsOf(type, one, container) }] : [];
  });
  return [...single, ...any];
}

// A value that is no item keeps where it leads, but for what is said of that.
function isMerged(names: ItemLink['names']): boolean {
  return !names.some((name) => typeof name === 'number');
}

/** How a new record is planned. */
type PlanNew = (type: EntityType, body: JsonObject, context: GraphContext) => WritePlan;

/** The records that a body has within items that contain them, by the path of the navigation property from the record to these. */
export function containedInItems(
  type: EntityType,
  body: JsonObject,
  container: EntityContainer,
): readonly { readonly path: string; readonly navigation: ItemNavigation; readonly json: Json }[] {
  return Object.entries(type.itemNavigation ?? {})
    .filter(([, { contains }]) => contains !== undefined)
    .flatMap(([path, navigation]) => {
      const { name } = stepsOf(path);
      const said: { readonly path: string; readonly navigation: ItemNavigation; readonly json: Json }[] = [];
      editItems(type, body, path, { container }, (item, _, within) => {
        said.push({ path: [...within, name].join('/'), navigation, json: item.members.get(name) ?? null });
        return item;
      });
      return said;
    });
}

/** `path` has the names that lead to the value, with a cast where what follows is of a derived type. */
type Edit = (item: JsonObject, names: ItemLink['names'], path: readonly string[]) => JsonObject;

/** The body with each value edited that has the navigation property of that path. */
export function editItems(type: EntityType, body: JsonObject, path: string, context: Walk['context'], edit: Edit): JsonObject {
  const edited = atEach(body, { way: wayTo(type, path), names: [], path: [], context }, edit);
  return isObject(edited) ? edited : body;
}

interface Walk {
  readonly way: ValueWay;
  /** What has led there so far. */
  readonly names: ItemLink['names'];
  readonly path: readonly string[];
  readonly context: Pick<GraphContext, 'container' | 'items'>;
}

// The JSON with each object edited that the way ends in, what lies within it first.
function atEach(json: Json, { way, names, path, context }: Walk, edit: Edit): Json {
  if (isArray(json)) {
    const place = context.items?.places.get(shownAt(names));
    return {
      ...json,
      items: json.items.map((item, index) => atEach(item, { way, names: [...names, place ?? index], path, context }, edit)),
    };
  }
  if (!isObject(json)) return json;
  const inner = (name: string, value: Json): Json => {
    const next = way.names.get(name);
    return next ? atEach(value, { way: next, names: [...names, name], path: [...path, name], context }, edit) : value;
  };
  const within: Json =
    way.names.size === 0
      ? json
      : { kind: 'object', members: new Map([...json.members].map(([name, value]) => [name, inner(name, value)])) };
  const whole = castsOf(json, way, context.container).reduce<Json>(
    (before, [cast, next]) => atEach(before, { way: next, names, path: [...path, cast], context }, edit),
    within,
  );
  return way.ends && isObject(whole) ? edit(whole, names, path) : whole;
}

function bindsBy(member: string, name: string): boolean {
  return member === `${name}@odata.bind` || member === `${name}@bind`;
}

function speaksOf(member: string, name: string): boolean {
  return member === name || member.startsWith(`${name}@`);
}

/** A navigation property of one item. */
interface NamedItem {
  readonly type: EntityType;
  /** From the record, and the name alone. */
  readonly path: string;
  readonly name: string;
  readonly navigation: ItemNavigation;
  readonly arms?: readonly Arm[];
  readonly names: ItemLink['names'];
  readonly context: GraphContext;
  readonly planNew: PlanNew;
}

interface Found {
  readonly links: ItemLink[];
  readonly children: ItemChild[];
  readonly unlinked: Pick<ItemLink, 'names' | 'member'>[];
  readonly faults: ErrorDetail[];
  /** By target and id, so that what many items lead to is looked for once. */
  readonly places: Map<EntityType, Map<string, RecordTarget | undefined>>;
}

// `Colour@odata.bind` has an id, `Colour` a reference or null, and each an array of them where it leads to several; what else an answer says beside it is passed over.
function planMember(of: NamedItem, member: string, json: Json, found: Found): void {
  const { name, navigation, names } = of;
  const isBound = /@(?:odata\.)?bind$/.test(member);
  const at = `${shownAt(names)}/${name}`;
  const [stored = ''] = Object.keys(navigation.join);
  const refuse = (fault: ODataError): void => void found.faults.push(fault.at(at).asDetail());
  if (/@(?:odata\.)?delta$/.test(member)) return refuse(errors.readOnly(at, 'items are written whole, with all that they lead to'));
  if ((member !== name && !isBound) || (json === null && !navigation.collection)) return;
  if (navigation.contains !== undefined) return planContained(of, navigation.contains, { json, isBound, at, stored }, found);
  if (!stored.startsWith('#')) return refuse(errors.readOnly(at, `it follows from ${stored}`));
  if (!navigation.collection) return planId(of, { json, isBound, at, stored }, found);
  if (!isArray(json))
    return refuse(
      errors.wrongJsonType(isBound ? `${at}@odata.bind` : at, isBound ? 'an array of ids' : 'an array of references', 'something else'),
    );
  json.items.forEach((item, index) => planId(of, { json: item, isBound, at: `${at}[${index}]`, stored }, found));
}

// An item is written whole, and what it contains with it, so that every such record is new.
function planContained(of: NamedItem, column: string, { json, isBound, at, stored }: SaidId, { children, faults }: Found): void {
  const { type, path, navigation, names, context, planNew } = of;
  const target = targetOf(context.container, navigation);
  const records = navigation.collection ? (isArray(json) ? json.items : [undefined]) : [json];
  records.forEach((record, index) => {
    const place = navigation.collection ? `${at}[${index}]` : at;
    if (isBound || (isObject(record ?? null) && isReference(record as JsonObject))) return void faults.push(containedFault(at));
    if (record === undefined || !isObject(record))
      return void faults.push(
        errors
          .wrongJsonType(at, navigation.collection ? 'an array of records' : 'a record', 'something else')
          .at(at)
          .asDetail(),
      );
    const { key: _, given: __, items: ___, ...inner } = context;
    const refused = createFaults(
      { type, name: path, navigation: { target: navigation.target, join: {}, contains: true }, target, operation: 'insert', context },
      place,
    );
    faults.push(...refused);
    if (refused.length === 0)
      children.push({ names, member: stored, column, plan: planNew(target, record, { ...inner, withinItem: true }), at: place });
  });
}

/** One id, or one reference, of a record that an item is to lead to. */
interface SaidId {
  readonly json: Json;
  readonly isBound: boolean;
  readonly at: string;
  readonly stored: string;
}

function planId(of: NamedItem, said: SaidId, { links, faults, places }: Found): void {
  const { names, context } = of;
  const { json, isBound, at } = said;
  const id = isBound ? json : isObject(json) && isReference(json) ? idOf(json) : undefined;
  const part = partOf(of, said, id);
  if ('code' in part) return void faults.push(part);
  const { navigation, stored } = part;
  const target = targetOf(context.container, navigation);
  const place = typeof id === 'string' ? placeNamed({ id, at }, target, context, places) : undefined;
  if (isBound && typeof id !== 'string')
    faults.push(
      errors
        .wrongJsonType(navigation.collection ? at : `${at}@odata.bind`, 'an id', 'something else')
        .at(at)
        .asDetail(),
    );
  else if (typeof id !== 'string')
    faults.push(errors.readOnly(at, 'an item takes a reference to a record that is there, and no new one').at(at).asDetail());
  else if (place === undefined) faults.push(errors.invalidReference(id.slice(0, 64), at, target.name).at(at).asDetail());
  else links.push({ names, member: stored, ...(navigation.collection && { collection: true }), target, place, id: id.slice(0, 64), at });
}

// The navigation property, or the part of it that leads to the record of an id; a fault where none does.
function partOf(
  { arms, navigation, context }: NamedItem,
  { at, stored }: SaidId,
  id: Json | undefined,
): ErrorDetail | { readonly navigation: Leading; readonly stored: string } {
  if (arms === undefined || typeof id !== 'string') return { navigation, stored };
  const found = armOfId(id, at, arms, context);
  return 'path' in found ? { navigation: found.navigation, stored: Object.keys(found.navigation.join)[0] ?? '' } : found;
}

function placeNamed(
  { id, at }: Pick<ItemLink, 'id' | 'at'>,
  target: EntityType,
  context: GraphContext,
  places: Found['places'],
): RecordTarget | undefined {
  const known = places.get(target) ?? new Map<string, RecordTarget | undefined>();
  places.set(target, known);
  if (!known.has(id)) known.set(id, recordNamed(id, at, target, context));
  return known.get(id);
}
