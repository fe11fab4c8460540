import { stepsOf, targetOf, type EntityContainer, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isArray, isNumber, isObject, type Json } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';
import { printJson } from '../json/print-json.js';
import type { ItemLink, Reference, WritePlan } from '../plan/write/write-plan.js';
import { tablePlace } from '../sql/compile-target.js';
import type { Connection } from '../sql/statement.js';
import { readShared } from './locate-record.js';

/** The plan with the numbers of the records in its items that these are to lead to, and a fault for each that leads nowhere. */
export async function withItemLinks(plan: WritePlan, connection: Connection): Promise<WritePlan> {
  if (plan.itemLinks === undefined || plan.itemLinks.length === 0) return plan;
  const values = new Map(plan.values);
  const patches = new Map(plan.patches);
  const faults: ErrorDetail[] = [];
  for (const link of plan.itemLinks) {
    const [row] = [await readShared(tablePlace(link.place), ['#id'], connection)];
    const [root = '', ...names] = link.names;
    const number = row?.[0];
    if (number == null) faults.push(errors.invalidReference(link.id, link.at, link.target.name).at(link.at).asDetail());
    else setWithin(String(root), (json) => withMember(json, names, link.member, number), { values, patches });
  }
  return { ...plan, values, patches, itemLinks: [], faults: [...plan.faults, ...faults] };
}

function setWithin(root: string, edit: (json: Json) => Json, { values, patches }: { readonly values: Map<string, WritePlan['values'] extends ReadonlyMap<string, infer Value> ? Value : never>; readonly patches: Map<string, ReturnType<typeof parseJsonObject>> }): void {
  const value = values.get(root);
  if (typeof value === 'string') values.set(root, printJson(edit(parseJson(value))));
  const patch = patches.get(root);
  const edited = patch && edit(patch);
  if (edited && isObject(edited)) patches.set(root, edited);
}

// The reader takes objects only, and a value may be an array.
function parseJson(text: string): Json {
  return parseJsonObject(Buffer.from(`{"value":${text}}`)).members.get('value') ?? null;
}

function withMember(json: Json, [name, ...rest]: ItemLink['names'], member: string, number: string): Json {
  if (name === undefined) return isObject(json) ? { kind: 'object', members: new Map([...json.members, [member, { kind: 'number', text: number }]]) } : json;
  if (isArray(json)) return { kind: 'array', items: json.items.map((item, index) => (index === name ? withMember(item, rest, member, number) : item)) };
  if (!isObject(json)) return json;
  return { kind: 'object', members: new Map([...json.members].map(([key, value]) => [key, key === name ? withMember(value, rest, member, number) : value])) };
}

/** The references that properties of items are, of those that a body sends: a value must be the key of a record, as one of a column must. */
export function referencesInItems(type: EntityType, { values, patches }: WritePlan, container: EntityContainer): readonly Reference[] {
  return Object.entries(type.itemNavigation ?? {}).flatMap(([path, navigation]) => {
    const [member = ''] = Object.keys(navigation.join);
    if (member.startsWith('#')) return [];
    const [root = '', ...names] = [...stepsOf(path).steps.map(({ name }) => name), member];
    const value = values.get(root);
    const json = typeof value === 'string' ? parseJson(value) : (patches.get(root) ?? null);
    return valuesAt(json, names, root).map(([property, text]) => ({ property, target: targetOf(container, navigation), value: text }));
  });
}

function valuesAt(json: Json, names: readonly string[], at: string): readonly (readonly [at: string, value: string])[] {
  if (isArray(json)) return json.items.flatMap((item, index) => valuesAt(item, names, `${at}[${index}]`));
  const [name, ...rest] = names;
  if (name !== undefined) return isObject(json) ? valuesAt(json.members.get(name) ?? null, rest, `${at}/${name}`) : [];
  if (json === null || isObject(json)) return [];
  return [[at, isNumber(json) ? json.text : String(json)]];
}
