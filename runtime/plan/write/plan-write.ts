import type { EntityContainer, EntityType, Field, StoredRecord, StoredValue } from '../../edm/index.js';
import { entityTypeOfSet, fieldOf, isArray, isDynamicName, navigationOf, openColumn, own, streamOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import { withArticle } from '../../errors/suggest.js';
import { type Json, type JsonObject, printJson, jsonObject } from '../../json/json.js';
import { accessTo, rootOf, type Access, type Caller } from '../caller.js';
import { deltaFault, isDelta, statedTypeFault } from '../value/control-information.js';
import { missingNameHint, planDynamic } from '../value/plan-dynamic.js';
import { ownerOf, typeHint } from '../path/type-cast.js';
import { defaultOf, type Outcome, planInsertable, planUpdatable, requireKnownReferences, withDefaults } from './plan-member.js';
import type { MemberContext, Reference, WriteContext, WritePlan } from './write-plan.js';

/** Plans the body of a create: all faults together, with defaults, without generated values. */
export function planCreate(type: EntityType, body: JsonObject, context: WriteContext): WritePlan {
  const whole = memberContext(context, false);
  const members = planMembers(type, body, 'insert', whole, (name, field, json) => planInsertable(type, name, field, json, whole));
  const required = type.rules.requiredOnCreate.filter((name) => !context.given?.has(name) && !context.key?.has(name));
  const missing = missingOf(required, body);
  const { patches, dynamic, faults } = members;
  return finish(type, { values: withDefaults(type, members.values, context.key), patches, dynamic, faults }, missing, context);
}

/** The body of an update. The key may be repeated, and is not changed by it. */
export function planUpdate(type: EntityType, body: JsonObject, context: WriteContext): WritePlan {
  return { ...planChange(type, body, memberContext(context, true)), keepsKey: true };
}

/** The body of an update of one property; a value at the path `whole` takes the place of the stored one, as PUT asks. */
export function planSetting(type: EntityType, body: JsonObject, context: WriteContext, whole?: string): WritePlan {
  return { ...planChange(type, body, memberContext(context, true, whole)), ...(whole !== undefined && { whole }) };
}

// Member by member, as a plan is.
function memberContext(context: WriteContext, partial: boolean, whole?: string): MemberContext {
  const { container, caller, format, strict, advice, given, key, newItem } = context;
  return { container, caller, format, strict, advice, given, key, newItem, partial, whole, unseen: undefined };
}

function planChange(type: EntityType, body: JsonObject, context: MemberContext): WritePlan {
  const members = planMembers(type, body, 'update', context, (name, field, json) => planUpdatable(type, name, field, json, context));
  const missing = missingOf(type.rules.requiredOnUpdate, body);
  return finish(type, members, missing, context);
}

/** The body of a replacement: an update that gives every other property its default (protocol 11.4.3). */
export function planReplace(type: EntityType, body: JsonObject, context: WriteContext): WritePlan {
  const { values, patches, faults } = planChange(type, body, memberContext(context, false));
  const access = accessTo(type, 'update', context.caller);
  const kept = (name: string): boolean =>
    keptOnReplace(type, name) || (context.given?.has(name) ?? false) || (access.allowed && access.restricted.has(name));
  const absent = Object.entries(type.fields).filter(([name]) => !body.members.has(name) && !kept(name));
  const reset = absent.map(([name, field]) => [name, defaultOf(field) ?? nothing(field)] as const);
  const missing = absent.filter(([name, field]) => isLacking(field) && !type.rules.requiredOnUpdate.includes(name));
  const added = missing.map(([name]) => errors.missingRequired(name).asDetail(name));
  const members = { values: new Map([...reset, ...values]), patches, faults: [...faults, ...added] };
  return { ...finish(type, members, [], context), keepsKey: true };
}

function nothing(field: Field): StoredValue {
  if (!field.collection) return null;
  return isArray(field) ? [] : '[]';
}

// Where the body leaves them out, generated values stay, and values that have a part of the key in them, as the key does.
function keptOnReplace({ key, keyFields = {}, rules }: EntityType, name: string): boolean {
  return (
    key.includes(name) ||
    rules.computed.includes(name) ||
    rules.immutable.includes(name) ||
    Object.hasOwn(rules.onInsert, name) ||
    Object.values(keyFields).some(({ path }) => rootOf(path) === name)
  );
}

function isLacking({ nullable, collection, default: value }: Field): boolean {
  return !nullable && !collection && value === undefined;
}

const verbs = { insert: 'Creating', update: 'Changing', delete: 'Deleting' } as const;

/** Refuses a write that none of the caller's scopes permits; asked before a body is read. */
export function requireWritable(type: EntityType, operation: keyof typeof verbs, caller: Caller): void {
  const access = accessTo(type, operation, caller);
  if (!access.allowed) throw errors.scopeMissing(`${verbs[operation]} ${withArticle(type.name)}`, access.scopes.join(', '));
}
type PlannedMembers = Pick<WritePlan, 'values' | 'patches' | 'dynamic' | 'faults'>;
type PlanMember = (name: string, field: Field, json: Json) => Outcome;

function planMembers(
  type: EntityType,
  body: JsonObject,
  operation: 'insert' | 'update',
  context: MemberContext,
  planMember: PlanMember,
): PlannedMembers {
  const values = new Map<string, StoredValue>();
  const patches = new Map<string, JsonObject>();
  const faults: ErrorDetail[] = [];
  const access = accessTo(type, operation, context.caller);
  for (const [name, json] of body.members) {
    // A key in the body is ignored.
    if (operation === 'insert' || !type.key.includes(name)) requireKnownReferences(type, name, json, context);
    const outcome = isControlInformation(name, type, body)
      ? statedOutcome(name, json, type, context)
      : planNamed(type, name, json, access, planMember, operation === 'insert' ? context.container : undefined);
    if (outcome === undefined) continue;
    if ('fault' in outcome) faults.push(outcome.fault.asDetail());
    else if ('faults' in outcome) faults.push(...outcome.faults.map((fault) => fault.asDetail()));
    else if ('patch' in outcome) patches.set(name, outcome.patch);
    else values.set(name, outcome.value);
  }
  const open = type.open ? planOpen(type, body, context) : undefined;
  if (open && !context.partial) values.set(openColumn, printJson(jsonObject([...open.members].filter(([, value]) => value !== null))));
  if (open) faults.push(...open.faults);
  return { values, patches, dynamic: context.partial ? open?.members : undefined, faults };
}

// Plans dynamic properties, with their types in the body.
function planOpen(
  type: EntityType,
  { members }: JsonObject,
  context: MemberContext,
): { readonly members: JsonObject['members']; readonly faults: readonly ErrorDetail[] } {
  const names = [...members.keys()].filter((name) => !fieldOf(type, name) && !navigationOf(type, name) && isDynamicName(type, name));
  const planned = names.map((name) => {
    const owner = ownerOf(name, type, context.container);
    return planDynamic({ path: name, name, members, ...(owner !== undefined && { meant: [type.name, owner] }) }, context);
  });
  return {
    members: new Map(planned.flatMap((one) => one.members)),
    faults: planned.flatMap(({ faults }) => faults.map((fault) => fault.asDetail())),
  };
}

function statedOutcome(name: string, json: Json, { fields }: EntityType, { container }: MemberContext): Outcome {
  const fault = statedTypeFault(name, json, fields, container);
  return fault && { fault };
}

// Annotations and control information are ignored (JSON format 4.6 and 20), except types.
function isControlInformation(name: string, type: EntityType, { members }: JsonObject): boolean {
  // An operation in the entity's representation (JSON format 12 and 13).
  if (name.startsWith('#')) return true;
  const at = name.indexOf('@');
  if (at < 0) return false;
  const owner = name.slice(0, at);
  if (name.endsWith('@odata.bind') || name.endsWith('@bind')) {
    if (navigationOf(type, owner)) throw errors.notImplemented(`${name} in the body`).at(name);
    return false;
  }
  if (isDelta(name) && fieldOf(type, owner)) return false;
  return (
    at === 0 ||
    fieldOf(type, owner) !== undefined ||
    navigationOf(type, owner) !== undefined ||
    streamOf(type, owner) !== undefined ||
    (isDynamicName(type, owner) && members.has(owner))
  );
}

// At the start of an entity its type may follow; `container` has the possible ones.
function planNamed(
  type: EntityType,
  name: string,
  json: Json,
  access: Access,
  planMember: PlanMember,
  container?: EntityContainer,
): Outcome {
  const field = type.hidden?.includes(name) ? undefined : fieldOf(type, name);
  if (field) {
    if (access.allowed && access.restricted.has(name)) throw errors.notPermitted(name).at(name);
    return planMember(name, field, json);
  }
  if (isDelta(name) && fieldOf(type, name.slice(0, name.indexOf('@')))) return { fault: deltaFault(name, name) };
  if (streamOf(type, name)) return { fault: errors.streamInBody(name).at(name) };
  if (navigationOf(type, name)) throw errors.notImplemented(`Writing ${name} within ${withArticle(type.name)}`).at(name);
  if (isDynamicName(type, name)) return undefined;
  return {
    fault: errors
      .unknownBodyProperty(
        name,
        type.name,
        (container && !type.hidden?.includes(name) && typeHint(name, type, container)) ||
          missingNameHint(type, name, Object.keys(type.navigation)),
      )
      .at(name),
  };
}

function missingOf(required: readonly string[], body: JsonObject): readonly ErrorDetail[] {
  return required.filter((name) => !body.members.has(name)).map((name) => errors.missingRequired(name).asDetail(name));
}

function finish(
  type: EntityType,
  { values, patches, dynamic, faults }: PlannedMembers,
  missing: readonly ErrorDetail[],
  { container, format }: WriteContext,
): WritePlan {
  const references = referencesOf(type, values, container);
  return { type, values, patches, dynamic, format, references, faults: [...missing, ...faults], keepsKey: undefined };
}

function referencesOf(type: EntityType, values: StoredRecord, container: EntityContainer): readonly Reference[] {
  const references: Reference[] = [];
  for (const property in type.rules.references) {
    const value = values.get(property);
    const name = type.rules.references[property] ?? '';
    const target = typeof value === 'string' ? (own(container.entityTypes, name) ?? entityTypeOfSet(container, name)) : undefined;
    if (typeof value === 'string' && target) references.push({ property, target, value });
  }
  return references;
}
