import type { ComplexType, EntityContainer, Field } from '../../edm/index.js';
import { complexTypeNamed, complexTypeOf, fieldOf, isDynamicName, qualify } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { isArray, isObject, type Json, type JsonObject, jsonObject } from '../../json/json.js';
import { missingNameHint, planDynamic } from './plan-dynamic.js';
import { describeJson, type JsonFormat, planText } from './plan-value.js';
import { deltaFault, isDelta, statedType, statedTypeFault, typeMember } from './control-information.js';
import { typeInUrl } from '../../edm/lookup.js';
import { storedJson, storedValue } from './value-text.js';

/** A complex value of a body as it is stored, and everything that is wrong with it. */
export interface PlannedComplex {
  readonly json: Json;
  readonly faults: readonly ODataError[];
}

/** The context for reading a complex value. */
export interface ComplexContext {
  readonly container: EntityContainer;
  readonly format: JsonFormat;
  /** Whether the body changes a value: omitted members stay, and null is kept, since it removes a member. */
  readonly partial: boolean;
  /** The path of the value that replaces the stored one, within a value that is only changed. */
  readonly whole?: string | undefined;
  /** The item that is added to a collection. */
  readonly newItem?: NewItem | undefined;
  /** A value that the service gives itself is a fault instead of being ignored. */
  readonly strict?: true | undefined;
  /** Takes what is doubtful in the body, and yet no error. */
  readonly advice?: ODataError[] | undefined;
  /** Whether the changed value is hidden from the caller, so that no answer may depend on it. */
  readonly unseen?: boolean | undefined;
}

/** Plans a complex value or a collection, with nested values; faults contain their path. */
export function planComplex(path: string, field: Field, json: Json, { whole, ...outer }: ComplexContext): PlannedComplex {
  const context = whole === undefined ? outer : path === whole ? { ...outer, partial: false } : { ...outer, whole };
  if (json !== null && !field.collection) return planObject(path, complexTypeOf(context.container, field), json, context);
  const { newItem } = context;
  const place = newItem?.path === path ? newItem.place : undefined;
  return planItems(path, field, json, (item, index) => planItem(`${path}[${place ?? index}]`, field, item, context));
}

// A collection, or the null in its place or in that of a single value.
function planItems(path: string, field: Field, json: Json, planOne: (item: Json, index: number) => PlannedComplex): PlannedComplex {
  const { nullable, collection } = field;
  if (json === null) return nullable && !collection ? { json, faults: [] } : wrong(errors.nullNotAllowed(path).at(path));
  if (!isArray(json)) return wrong(errors.wrongJsonType(path, 'an array', describeJson(json)).at(path));
  const items = json.items.map(planOne);
  return { json: { kind: 'array', items: items.map((item) => item.json) }, faults: items.flatMap(({ faults }) => faults) };
}

/** The type that a stored value is of: the declared one, or the derived one that it names. */
export function typeOfStored(declared: ComplexType, { members }: JsonObject, container: EntityContainer): ComplexType {
  const name = members.get(typeMember);
  return (typeof name === 'string' ? complexTypeNamed(container, name.slice(1)) : undefined) ?? declared;
}

/** The members that a value of the type cannot be without, and that are not there. */
export function missingMembers(path: string, type: ComplexType, members: JsonObject['members']): readonly ODataError[] {
  return Object.entries(type.fields).flatMap(([name, field]) => {
    const optional = field.nullable || field.collection || field.default !== undefined || type.computed.includes(name);
    return optional || members.has(name) ? [] : [errors.missingRequired(`${path}/${name}`).at(`${path}/${name}`)];
  });
}

function wrong(fault: ODataError): PlannedComplex {
  return { json: null, faults: [fault] };
}

// A collection is replaced as a whole, so that each of its items is a new one.
function planItem(path: string, field: Field, json: Json, context: ComplexContext): PlannedComplex {
  if (json === null) return nullItem(path, field);
  return planObject(path, complexTypeOf(context.container, field), json, { ...context, partial: false });
}

function nullItem(path: string, { nullableItems }: Field): PlannedComplex {
  return nullableItems ? { json: null, faults: [] } : wrong(errors.nullNotAllowed(path).at(path));
}

function planObject(path: string, declared: ComplexType, json: Json, context: ComplexContext): PlannedComplex {
  if (!isObject(json)) return wrong(errors.wrongJsonType(path, 'an object', describeJson(json)).at(path));
  const named = namedType(path, declared, json, context);
  if ('fault' in named) return wrong(named.fault);
  const { type } = named;
  const planned = [...json.members].flatMap(([name]) => planMember(path, type, name, json, context));
  const missing = context.partial ? [] : missingMembers(path, type, json.members);
  const given = planned
    .filter((member) => context.partial || !isLeftOut(type, member))
    .map((member) => [member.name, member.json] as const);
  const defaults = context.partial ? [] : defaultsOf(type, json);
  const marked = type === declared && !context.partial ? [] : typeMark(named);
  return {
    json: jsonObject([...marked, ...defaults, ...given]),
    faults: [...missing, ...planned.flatMap(({ faults }) => faults)],
  };
}

// Nulls and empty collections are stored like absent members.
function isLeftOut(type: ComplexType, { name, json }: PlannedMember): boolean {
  return json === null || (isArray(json) && json.items.length === 0 && fieldOf(type, name)?.collection === true);
}

function typeMark({ type, stated }: StatedType): readonly (readonly [string, Json])[] {
  return stated ? [[typeMember, `#${type.qualifiedName}`]] : [];
}

/** The type of a value, and whether the value states it. */
interface StatedType {
  readonly type: ComplexType;
  readonly stated: boolean;
}

function namedType(
  path: string,
  declared: ComplexType,
  { members }: JsonObject,
  { container, partial }: ComplexContext,
): StatedType | { readonly fault: ODataError } {
  const sent = statedType(members);
  if (sent === undefined) {
    if (!declared.abstract || partial) return { type: declared, stated: false };
    return { fault: errors.missingRequired(`${path}/@odata.type`, abstractFault(path, declared, typeNames(declared, container))).at(path) };
  }
  if (typeof sent !== 'string') return { fault: errors.wrongJsonType(`${path}/@odata.type`, 'a string', describeJson(sent)).at(path) };
  const fragment = typeInUrl(sent);
  const name = fragment.includes('.') ? qualify(container, fragment) : fragment;
  const type = name === declared.qualifiedName || declared.derived.includes(name) ? complexTypeNamed(container, name) : undefined;
  if (type !== undefined && !type.abstract) return { type, stated: true };
  return {
    fault: errors.invalidValue(name.slice(0, 128), `${path}/@odata.type`, `: the types are ${typeNames(declared, container)}`).at(path),
  };
}

function abstractFault(path: string, { name }: ComplexType, types: string): string {
  if (types === '') return `${name} is abstract and has no derived type, so ${path} can have no value.`;
  return `${name} is abstract, so ${path} must include its type as @odata.type: ${types}.`;
}

// Of those that values can be of.
function typeNames({ qualifiedName, derived }: ComplexType, container: EntityContainer): string {
  return [qualifiedName, ...derived].filter((name) => complexTypeNamed(container, name)?.abstract !== true).join(', ');
}

type PlannedMember = PlannedComplex & { readonly name: string };

function planMember(place: string, type: ComplexType, name: string, body: JsonObject, context: ComplexContext): readonly PlannedMember[] {
  const { members } = body;
  const path = `${place}/${name}`;
  const field = fieldOf(type, name);
  if (field !== undefined) return planDeclared(path, type, { name, field, json: members.get(name) ?? null }, context);
  if (isDelta(name) && fieldOf(type, name.slice(0, name.indexOf('@')))) return [{ name, ...wrong(deltaFault(name, path)) }];
  if (isControlInformation(name, members, type)) {
    const fault = statedTypeFault(name, members.get(name) ?? null, type.fields, context.container)?.at(path);
    return fault ? [{ name, ...wrong(fault) }] : [];
  }
  if (type.streams?.includes(name)) return [{ name, ...wrong(errors.streamInBody(path).at(path)) }];
  if (!isDynamicName(type, name))
    return [{ name, ...wrong(errors.unknownBodyProperty(name, type.name, missingNameHint(type, name)).at(path)) }];
  const owner = type.derived.find((one) => Object.hasOwn(complexTypeNamed(context.container, one)?.fields ?? {}, name));
  const dynamic = planDynamic({ path, name, members, ...(owner !== undefined && { meant: [type.name, owner] }) }, context);
  return [
    ...dynamic.members.map(([member, json]) => ({ name: member, json, faults: [] })),
    ...(dynamic.faults.length > 0 ? [{ name, json: null, faults: dynamic.faults }] : []),
  ];
}

function planDeclared(
  path: string,
  type: ComplexType,
  { name, field, json }: { readonly name: string; readonly field: Field; readonly json: Json },
  context: ComplexContext,
): readonly PlannedMember[] {
  if (type.computed.includes(name))
    return context.strict === undefined
      ? []
      : [{ name, ...wrong(errors.readOnly(path, 'the service computes it, and the request has handling=strict').at(path)) }];
  if (context.partial && type.immutable.includes(name)) return [{ name, ...planFixed(path, field, json, context) }];
  return [{ name, ...planField(path, field, json, context) }];
}

// An immutable value may be repeated; it is compared with the stored value in the merge.
function planFixed(path: string, field: Field, json: Json, context: ComplexContext): PlannedComplex {
  return context.unseen
    ? wrong(errors.readOnly(path, 'it can be set only on creation').at(path))
    : planField(path, field, json, { ...context, partial: false });
}

/** A value as it is kept within a complex value, whatever its type. */
export function planField(path: string, field: Field, json: Json, context: ComplexContext): PlannedComplex {
  return field.type === 'Edm.ComplexType' ? planComplex(path, field, json, context) : planPrimitive(path, field, json, context);
}

// The annotations of streams and navigation properties occur without a value.
function isControlInformation(name: string, members: JsonObject['members'], { streams = [], links = [] }: ComplexType): boolean {
  const at = name.indexOf('@');
  const of = name.slice(0, at);
  return (
    at === 0 ||
    (at > 0 &&
      (members.has(of) || streams.includes(of) || (links.includes(of) && /@(?:odata\.)?(?:navigation|association)Link$/.test(name))))
  );
}

// A value of a primitive type or of an enumeration, or a collection of them.
function planPrimitive(path: string, field: Field, json: Json, { format }: ComplexContext): PlannedComplex {
  if (json !== null && !field.collection) return planSingle(path, field, json, format);
  return planItems(path, field, json, (item, index) => planPrimitiveItem(`${path}[${index}]`, path, field, item, format));
}

// The message names the item, and the target is the collection.
function planPrimitiveItem(path: string, target: string, field: Field, json: Json, format: JsonFormat): PlannedComplex {
  const { json: planned, faults } = json === null ? nullItem(path, field) : planSingle(path, field, json, format);
  return { json: planned, faults: faults.map((fault) => fault.at(target)) };
}

function planSingle(path: string, field: Field, json: Json, format: JsonFormat): PlannedComplex {
  const planned = planText(path, field, json, format);
  return 'fault' in planned ? wrong(planned.fault) : { json: storedValue(field, planned), faults: [] };
}

/** The defaults of omitted members, in stored form. */
export function defaultsOf(type: ComplexType, { members }: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(type.fields).flatMap(([name, field]) =>
    field.default === undefined || members.has(name) ? [] : [[name, storedJson(field, field.default)] as const],
  );
}

/** An item that a POST adds to a collection of values; the stored items stay. */
export interface NewItem {
  /** The property of the record that the collection is, or lies in. */
  readonly root: string;
  /** The path to the collection: `Tags`, `Address/Lines`. */
  readonly path: string;
  readonly place: number;
}
