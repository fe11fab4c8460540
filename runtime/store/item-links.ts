import { randomUUID } from 'node:crypto';
import { targetOf, wayTo, type EntityContainer, type EntityType, type ValueWay } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isArray, isNumber, isObject, type Json } from '../json/json.js';
import { parseValue } from '../json/parse-json.js';
import { printJson } from '../json/print-json.js';
import { valuesOn } from '../json/values-on.js';
import { rootOf } from '../plan/caller.js';
import { shownAt } from '../plan/value/changed-items.js';
import type { ItemChild, ItemLink, Reference, WritePlan } from '../plan/write/write-plan.js';
import type { Connection } from '../sql/statement.js';
import { readAllNumbers } from './locate-record.js';

/** The plan with what its items say of the records that these are to lead to and to contain, and a fault for each that leads nowhere. */
export async function withItemLinks(plan: WritePlan, connection: Connection): Promise<WritePlan> {
  const { itemLinks = [], unlinked = [] } = plan;
  const itemChildren = withMarks(plan);
  if (itemLinks.length + itemChildren.length + unlinked.length === 0) return plan;
  // Items with one id have one place.
  const numbers = await readAllNumbers(
    itemLinks.map(({ place }) => place),
    connection,
  );
  const edits = newEdits();
  const faults: ErrorDetail[] = [];
  for (const { names, member } of unlinked) editsAt(edits, names).members.set(member, undefined);
  for (const { id, at, target, place, names, member, collection } of itemLinks) {
    const number = numbers.get(place);
    if (number === undefined) faults.push(errors.invalidReference(id, at, target.name).at(at).asDetail());
    else addNumber(editsAt(edits, names), member, number, collection);
  }
  for (const { names, member, mark } of itemChildren) editsAt(edits, names).members.set(member, mark);
  return { ...plan, ...edited(plan, edits), itemLinks: [], unlinked: [], itemChildren, faults: [...plan.faults, ...faults] };
}

// What one item contains has one mark.
function withMarks({ itemChildren = [] }: WritePlan): readonly (ItemChild & { readonly mark: string })[] {
  const marks = new Map<string, string>();
  return itemChildren.map((child) => {
    const item = JSON.stringify([child.names, child.member]);
    const mark = marks.get(item) ?? randomUUID();
    marks.set(item, mark);
    return { ...child, mark };
  });
}

/** What becomes of an object, of which members may go, and of what lies within: all at once, since to read and print a value for each of its items takes seconds. */
export interface Edits {
  readonly members: Map<string, Json | undefined>;
  readonly inner: Map<string | number, Edits>;
}

// A record that is named twice is there once.
function addNumber({ members }: Edits, member: string, text: string, collection: true | undefined): void {
  const before = members.get(member) ?? null;
  const items = isArray(before) ? before.items : [];
  const number: Json = { kind: 'number', text };
  if (collection === undefined) members.set(member, number);
  else if (!items.some((item) => isNumber(item) && item.text === text)) members.set(member, { kind: 'array', items: [...items, number] });
}

/** No change yet. */
export function newEdits(): Edits {
  return { members: new Map(), inner: new Map() };
}

/** What becomes of the object that the names lead to from the body. */
export function editsAt(edits: Edits, names: ItemLink['names']): Edits {
  return names.reduce<Edits>(({ inner }, name) => {
    const found = inner.get(name) ?? newEdits();
    inner.set(name, found);
    return found;
  }, edits);
}

/** The values of a plan, and its changes of complex ones, with these edits. */
export function edited({ values, patches }: WritePlan, { inner }: Edits): Pick<WritePlan, 'values' | 'patches'> {
  const [stored, merged] = [new Map(values), new Map(patches)];
  for (const [name, edits] of inner) {
    const value = values.get(String(name));
    if (typeof value === 'string') stored.set(String(name), printJson(withMembers(parseValue(value), edits)));
    const patch = patches.get(String(name));
    const changed = patch && withMembers(patch, edits, null);
    if (changed && isObject(changed)) merged.set(String(name), changed);
  }
  return { values: stored, patches: merged };
}

// What goes of a change is null in it, so that it goes from what is changed.
function withMembers(json: Json, { members, inner }: Edits, gone?: null): Json {
  const within = (name: string | number, value: Json): Json => {
    const edits = inner.get(name);
    return edits ? withMembers(value, edits, gone) : value;
  };
  if (isArray(json)) return { kind: 'array', items: json.items.map((item, index) => within(index, item)) };
  if (!isObject(json)) return json;
  const own = [...json.members].filter(([name]) => !members.has(name)).map(([name, value]) => [name, within(name, value)] as const);
  const set = [...members].flatMap(([name, value = gone]) => (value === undefined ? [] : [[name, value] as const]));
  return { kind: 'object', members: new Map([...own, ...set]) };
}

/** The references that properties of items are, of those that a body sends: a value must be the key of a record, as one of a column must. */
export function referencesInItems(
  type: EntityType,
  { values, patches, items }: WritePlan,
  container: EntityContainer,
): readonly Reference[] {
  return Object.entries(type.itemNavigation ?? {}).flatMap(([path, navigation]) => {
    const [member = ''] = Object.keys(navigation.join);
    if (member.startsWith('#')) return [];
    const way = itemsOf(type, path, member);
    const value = values.get(way.root);
    const json = typeof value === 'string' ? parseValue(value) : (patches.get(way.root) ?? null);
    return valuesAt(json, way, items?.places).map(([property, text]) => ({
      property,
      target: targetOf(container, navigation),
      value: text,
    }));
  });
}

/** A member of items, and the way to them from the property of the record that they lie in. */
interface MemberOfItems {
  readonly root: string;
  readonly way: ValueWay | undefined;
  readonly member: string;
}

/** What items keep under a name where a navigation property of theirs has that path. */
export function itemsOf(type: EntityType, path: string, member: string): MemberOfItems {
  const root = rootOf(path);
  return { root, way: wayTo(type, path).names.get(root), member };
}

/** The values that items of any type have of a member, and where each stands; an item alone may say its place. */
export function valuesAt(
  json: Json,
  { root, way, member }: MemberOfItems,
  places?: ReadonlyMap<string, number>,
): readonly (readonly [at: string, value: string])[] {
  const found = way ? valuesOn(json, way, [root]) : [];
  return found.flatMap(({ names, json: { members } }) =>
    textsAt(members.get(member) ?? null, `${shownAt(withPlaces(names, places))}/${member}`),
  );
}

function textsAt(json: Json, at: string): readonly (readonly [at: string, value: string])[] {
  if (isArray(json)) return json.items.flatMap((item, index) => textsAt(item, `${at}[${index}]`));
  if (json === null || isObject(json)) return [];
  return [[at, isNumber(json) ? json.text : String(json)]];
}

function withPlaces(names: ItemLink['names'], places: ReadonlyMap<string, number> | undefined): ItemLink['names'] {
  if (places === undefined) return names;
  const placed: (string | number)[] = [];
  for (const name of names) placed.push(typeof name === 'number' ? (places.get(shownAt(placed)) ?? name) : name);
  return placed;
}
