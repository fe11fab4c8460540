import { type ComplexType, complexTypeOf, type EntityContainer, type Field, fieldOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { isArray, isObject, type Json, type JsonObject, isSameJson, jsonObject } from '../../json/json.js';
import type { ComplexContext, NewItem, PlannedComplex } from '../value/plan-complex.js';
import { typeMember } from '../value/control-information.js';
import { defaultsOf, missingMembers, typeOfStored } from '../value/plan-complex.js';
import { planDynamic, type PlannedDynamic } from '../value/plan-dynamic.js';
import type { WritePlan } from './write-plan.js';

const nothing = jsonObject();

/** The context of a merge. A value at the path `whole` replaces the stored one, and so does a collection, unless it gets a new item. */
interface MergeContext extends DynamicContext {
  readonly newItem?: NewItem;
}

/** The context for merging a plan's changes. */
export function mergeContext({ format = { ieee754Compatible: false }, whole }: WritePlan, container: EntityContainer): MergeContext {
  return { container, format, whole };
}

/** Merges a body into a stored complex value: member by member, null removes one (protocol 11.4.9.3). */
export function mergeComplex(path: string, field: Field, stored: Json, patch: Json, context: MergeContext): PlannedComplex {
  const { container, whole } = context;
  if (field.collection) return mergeItem(path, stored, patch, context);
  if (!isObject(patch) || path === whole) return { json: patch, faults: [] };
  const before = isObject(stored) ? stored : nothing;
  const declared = complexTypeOf(container, field);
  const type = typeOfStored(declared, patch.members.has(typeMember) ? patch : before, container);
  const faults: ODataError[] = [];
  const members = new Map<string, Json>(type === declared ? [] : [[typeMember, `#${type.qualifiedName}`]]);
  const types = { was: typeOfStored(declared, before, container), type };
  for (const [name, value] of defaultsOf(type, nothing))
    if (!isObject(stored) || !isShared(name, types, container)) members.set(name, value);
  for (const [name, value] of kept(before, types, container)) members.set(name, value);
  for (const [name, value] of patch.members) {
    if (name === typeMember || fieldOf(type, name) === undefined) continue;
    const inner = fieldOf(type, name);
    // An immutable member may be set where the value did not have it.
    if (isObject(stored) && type.immutable.includes(name) && isShared(name, types, container)) {
      if (!isSameJson(members.get(name), value))
        faults.push(errors.readOnly(`${path}/${name}`, 'it can be set only on creation').at(`${path}/${name}`));
      continue;
    }
    const merged =
      inner && (inner.type === 'Edm.ComplexType' || inner.collection)
        ? mergeComplex(`${path}/${name}`, inner, members.get(name) ?? null, value, context)
        : { json: value, faults: [] };
    faults.push(...merged.faults);
    if (merged.json === null) members.delete(name);
    else members.set(name, merged.json);
  }
  const dynamic = [...patch.members].filter(([name]) => name !== typeMember && fieldOf(type, name) === undefined);
  const open = mergeMembers(path, members, new Map(dynamic), context);
  return { json: { kind: 'object', members: open.members }, faults: [...missingMembers(path, type, members), ...faults, ...open.faults] };
}

// The other items stay as they are.
function mergeItem(path: string, stored: Json, patch: Json, { newItem }: MergeContext): PlannedComplex {
  if (newItem?.path !== path || !isArray(patch)) return { json: patch, faults: [] };
  const items = isArray(stored) ? stored.items : [];
  return { json: { kind: 'array', items: items.toSpliced(newItem.place, 0, patch.items[0] ?? null) }, faults: [] };
}

// Members that the old and new types do not share are removed, apart from dynamic properties (protocol 11.4.3): two
// derived types may have different properties of one name.
function kept({ members }: JsonObject, types: Types, container: EntityContainer): readonly (readonly [string, Json])[] {
  const { was, type } = types;
  const isDynamic = (name: string): boolean => type.open === true && fieldOf(was, name) === undefined && fieldOf(type, name) === undefined;
  return [...members].filter(([name]) => name !== typeMember && (isDynamic(name) || isShared(name, types, container)));
}

/** The old and the new type of a value. */
interface Types {
  readonly was: ComplexType;
  readonly type: ComplexType;
}

function isShared(name: string, { was, type }: Types, { complexTypes = {} }: EntityContainer): boolean {
  return Object.values(complexTypes).some((one) => isOrDerives(was, one) && isOrDerives(type, one) && fieldOf(one, name) !== undefined);
}

function isOrDerives(type: ComplexType, base: ComplexType): boolean {
  return type === base || base.derived.includes(type.qualifiedName);
}

/** The context for merging dynamic properties. */
export type DynamicContext = Pick<ComplexContext, 'container' | 'format' | 'whole'>;

/** Merges changes of dynamic properties: objects member by member (protocol 11.4.3); null removes a member, a new value its type. */
export function mergeMembers(
  path: string,
  stored: JsonObject['members'],
  changes: JsonObject['members'],
  context: DynamicContext,
): { readonly members: JsonObject['members']; readonly faults: readonly ODataError[] } {
  const planned = [...changes.keys()]
    .filter((name) => !isTypeOf(name, changes))
    .map((name) => mergeMember(path, name, stored, changes, context));
  const members = new Map(planned.flatMap((one) => one.members));
  return { members: withDynamic(stored, members), faults: planned.flatMap(({ faults }) => faults) };
}

// Members replaced by others; null removes a member, and a value's type is removed with it.
function withDynamic(members: JsonObject['members'], changes: JsonObject['members']): Map<string, Json> {
  const touched = new Set([...changes.keys()].flatMap((name) => [name, `${name}${typeMember}`]));
  return new Map([...[...members].filter(([name]) => !touched.has(name)), ...[...changes].filter(([, value]) => value !== null)]);
}

function isTypeOf(name: string, changes: JsonObject['members']): boolean {
  const [, owner] = /^(.+)@(?:odata\.)?type$/.exec(name) ?? [];
  return owner !== undefined && changes.has(owner);
}

function mergeMember(
  owner: string,
  name: string,
  stored: JsonObject['members'],
  changes: JsonObject['members'],
  context: DynamicContext,
): PlannedDynamic {
  const path = owner === '' ? name : `${owner}/${name}`;
  const [sent = null, before = null] = [changes.get(name), stored.get(name)];
  // Annotations are stored as sent.
  if (name.includes('@')) return { members: [[name, sent]], faults: [] };
  const isReplaced = !isObject(sent) || !isObject(before) || path === context.whole || hasOtherType(sent, before);
  if (isReplaced) return planDynamic({ path, name, members: changes }, context);
  const { members, faults } = mergeMembers(path, before.members, sent.members, context);
  return { members: [[name, { kind: 'object', members }]], faults };
}

// The members of a value of another type are others.
function hasOtherType(sent: JsonObject, before: JsonObject): boolean {
  const type = sent.members.get(typeMember);
  return type !== undefined && type !== before.members.get(typeMember);
}
