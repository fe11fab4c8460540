import type { EntityContainer, EntityType, Field, StoredRecord, StoredValue } from '../../edm/index.js';
import { propertyOf, targetOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { enumText } from '../../expression/enum-members.js';
import { isObject, type Json, type JsonObject, printJson } from '../../json/json.js';
import { databaseText } from '../../schema/identifier.js';
import { isSeen, requireKnown } from '../caller.js';
import { isOwnColumn } from '../path/navigation-join.js';
import { shownPath } from '../shown-path.js';
import { planComplex } from '../value/plan-complex.js';
import { planValue } from '../value/plan-value.js';
import type { MemberContext, WriteContext } from './write-plan.js';
import { memoized } from '../../edm/memoized.js';

/** The outcome of a body's member: a value to store, a change of a complex value, faults, or nothing for generated values. */
export type Outcome =
  | { readonly value: StoredValue }
  | { readonly patch: JsonObject }
  | { readonly faults: readonly ODataError[] }
  | { readonly fault: ODataError }
  | undefined;

/** A declared property in the body of a create. */
export function planInsertable(type: EntityType, name: string, field: Field, json: Json, context: MemberContext): Outcome {
  const { strict, given, key } = context;
  // A property that a constraint determines may be omitted, and is ignored if sent (protocol 11.4.2).
  if (given?.has(name)) return undefined;
  if (key?.has(name)) return undefined;
  if (type.rules.computed.includes(name)) return planComputed(name, strict);
  if (!type.rules.initialOnly.includes(name)) return planGiven(type.rules.requiredOnCreate, name, field, json, context);
  // An impossible value is reported as invalid first (specification 7, rule 1).
  const planned = planField(name, field, json, context);
  if (planned === undefined || 'fault' in planned || 'faults' in planned) return planned;
  if ('value' in planned && planned.value === defaultOf(field)) return undefined;
  const initial = field.enumeration && field.default !== undefined ? enumText(field.enumeration, field.default) : field.default;
  return {
    fault: errors.invalidTransition(`${name} is initially '${initial ?? 'null'}' and cannot be created as ${show(json)}.`).at(name),
  };
}

/** A declared property in the body of a change. */
export function planUpdatable(type: EntityType, name: string, field: Field, json: Json, context: MemberContext): Outcome {
  // If a body has both, the reference decides (protocol 11.4.3).
  if (context.given?.has(name)) return undefined;
  if (type.key.includes(name)) return planKnownKey(name, field, json, context);
  if (type.rules.computed.includes(name)) return planComputed(name, context.strict);
  if (type.rules.immutable.includes(name)) return planFixed(type, name, field, json, context);
  return planGiven(type.rules.requiredOnUpdate, name, field, json, { ...context, unseen: !isSeen(type, name, context.caller) });
}

// An immutable value may be repeated; it is compared with the stored one, for callers who may read it.
function planFixed(type: EntityType, name: string, field: Field, json: Json, context: MemberContext): Outcome {
  return isSeen(type, name, context.caller)
    ? planField(name, field, json, { ...context, partial: false })
    : { fault: errors.readOnly(name, 'it can be set only on creation').at(name) };
}

// A body may have a key, which identifies nested records and is ignored otherwise, whatever it is (protocol 11.4.3).
function planKnownKey(name: string, field: Field, json: Json, context: MemberContext): Outcome {
  const planned = planField(name, field, json, context);
  return planned !== undefined && ('fault' in planned || 'faults' in planned) ? undefined : planned;
}

function planComputed(name: string, strict: true | undefined): Outcome {
  return strict && { fault: errors.readOnly(name, 'the service computes it, and the request has handling=strict').at(name) };
}

// Required properties need a value: null is none, even for nullable properties.
function planGiven(required: readonly string[], name: string, field: Field, json: Json, context: MemberContext): Outcome {
  if (json === null && required.includes(name)) return { fault: errors.nullNotAllowed(name).at(name) };
  return planField(name, field, json, context);
}

function planField(name: string, field: Field, json: Json, context: MemberContext): Outcome {
  if (field.type !== 'Edm.ComplexType') return planValue(name, field, json, context.format);
  const { json: planned, faults } = planComplex(name, field, json, context);
  if (faults.length > 0) return { faults };
  if (context.partial && name !== context.whole && isObject(planned)) return { patch: planned };
  return { value: planned === null ? null : printJson(planned) };
}

function show(json: Json): string {
  return typeof json === 'string' ? `'${json.slice(0, 64)}'` : 'another type';
}

/** The values of a new entity with defaults for omitted properties; the key of its address takes precedence. */
export function withDefaults(type: EntityType, values: StoredRecord, key: StoredRecord = new Map()): StoredRecord {
  const whole = new Map(defaultsOf(type));
  values.forEach((value, name) => whole.set(name, value));
  key.forEach((value, name) => whole.set(name, value));
  return whole;
}

const defaultsOf = memoized(({ fields }: EntityType): StoredRecord => {
  const defaults = Object.entries(fields).flatMap(([name, field]) => {
    const value = defaultOf(field);
    return value === undefined ? [] : [[name, value] as const];
  });
  return new Map(defaults);
});

/** A property's default in the database's text form. */
export function defaultOf({ type, default: initial }: Field): string | undefined {
  return initial === undefined ? undefined : databaseText(type, initial);
}

/** A property whose value references another entity. */
interface ReferencePath {
  /** The path from the entity's property, if that is a complex value. */
  readonly within: readonly string[];
  readonly target: EntityType;
}

/** Rejects references to entities whose existence the caller may not learn: the write would succeed if they exist. */
export function requireKnownReferences(
  type: EntityType,
  name: string,
  json: Json,
  { container, caller }: Pick<WriteContext, 'container' | 'caller'>,
): void {
  for (const { within, target } of referencePathsOf(type, container).get(name) ?? []) {
    const value = within.reduce<Json>((outer, member) => (isObject(outer) ? (outer.members.get(member) ?? null) : null), json);
    if (value !== null) requireKnown(target, caller, name);
  }
}

// Entities that everybody may read need no check.
const referencePathsOf = memoized((type: EntityType, container: EntityContainer): ReadonlyMap<string, readonly ReferencePath[]> => {
  const found = new Map<string, ReferencePath[]>();
  const add = (path: string, target: EntityType): void => {
    const [name = '', ...within] = shownPath(path);
    if (target.permissions.read !== undefined) found.set(name, [...(found.get(name) ?? []), { within, target }]);
  };
  for (const navigation of Object.values(type.navigation)) {
    const target = targetOf(container, navigation);
    if (navigation.container || navigation.through || !isOwnColumn(navigation, target)) continue;
    const paths =
      navigation.follows ??
      Object.keys(navigation.join)
        .filter((column) => !column.startsWith('#'))
        .map((column) => propertyOf(type, column));
    for (const path of paths) add(path, target);
  }
  return found;
});
