import type { ComplexType, EntityContainer, Field, StructuredType } from '../../edm/index.js';
import { complexTypeNamed, fieldOf, isPrimitive, own, qualify } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { suggestion } from '../../errors/suggest.js';
import { enumText } from '../../expression/enum-members.js';
import { isArray, isNumber, isObject, type Json, type JsonObject } from '../../json/json.js';
import { type ComplexContext, planComplex, typeMember, typeOfStored } from './plan-complex.js';
import { describeJson, planText } from './plan-value.js';
import { storedValue } from './value-text.js';

/** A dynamic property in stored form: its value, and its type where JSON does not imply it. */
export interface PlannedDynamic {
  readonly members: readonly (readonly [string, Json])[];
  readonly faults: readonly ODataError[];
}

/** The position of a dynamic property. */
interface DynamicPlace {
  readonly path: string;
  readonly name: string;
  readonly members: JsonObject['members'];
}

/**
 * A dynamic property of a body; a value with a type is checked against it (JSON format 4.6.3). In a change, an object
 * stays as sent, with its type: the merge determines what applies to it.
 */
export function planDynamic({ path, name, members }: DynamicPlace, context: ComplexContext): PlannedDynamic {
  const json = members.get(name) ?? null;
  if (json === null) return { members: [[name, null]], faults: [] };
  const isChange = context.partial && path !== context.whole && isObject(json);
  const said = members.get(`${name}${typeMember}`) ?? members.get(`${name}@type`) ?? ownType(json);
  if (said === undefined) return { members: [[name, json]], faults: [] };
  const type = saidType(path, said, context);
  if ('fault' in type) return refused(type.fault);
  if (type.field.type !== 'Edm.ComplexType') return planPrimitive(path, name, type, json, context);
  if (isChange && !type.field.collection) return { members: [[name, withType(json, type.typeName)]], faults: [] };
  return planTypedComplex(path, name, type.field, json, context);
}

/** The type that a body gives a value. */
interface SaidType {
  readonly typeName: string;
  readonly field: Field;
}

/** The type that a body gives the value at a path, `#Int64` or `#Ns.Address`. */
export function saidType(path: string, said: Json, context: Pick<ComplexContext, 'container'>): SaidType | { readonly fault: ODataError } {
  if (typeof said !== 'string') return { fault: errors.wrongJsonType(`${path}${typeMember}`, 'a string', describeJson(said)).at(path) };
  const typeName = said.slice(said.lastIndexOf('#') + 1);
  const field = fieldOfType(typeName, context);
  return field === undefined
    ? { fault: errors.invalidValue(typeName.slice(0, 128), `${path}${typeMember}`, ': there is no such type').at(path) }
    : { typeName: field.collection ? typeName : (field.complex ?? typeName), field };
}

/** The `@odata.type` of a value. */
export function ownType(json: Json): Json | undefined {
  return isObject(json) ? (json.members.get(typeMember) ?? json.members.get('@type')) : undefined;
}

/** A complex value with the name of its type in front. */
export function withType(json: Json, typeName: string): Json {
  if (!isObject(json)) return json;
  const members = [...json.members].filter(([name]) => name !== typeMember && name !== '@type');
  return { kind: 'object', members: new Map<string, Json>([[typeMember, `#${typeName}`], ...members]) };
}

/** Types that answers do not annotate (JSON format 4.6.3). */
const implied: ReadonlySet<string> = new Set(['Edm.String', 'Edm.Boolean', 'Edm.Double']);

function planPrimitive(path: string, name: string, { typeName, field }: SaidType, json: Json, { format }: ComplexContext): PlannedDynamic {
  const items = field.collection && isArray(json) ? json.items : [json];
  const planned = items.map((item) => ({ item, ...planText(path, field, item, format) }));
  const faults = planned.flatMap((item) => ('fault' in item ? [item.fault] : []));
  if (field.collection && !isArray(json)) return refused(errors.wrongJsonType(path, 'an array', 'a single value').at(path));
  // An enumeration keeps its names: the model has no column of them here.
  const stored = planned.flatMap((item): readonly Json[] =>
    'text' in item ? [field.enumeration ? item.item : storedValue(field, item)] : [],
  );
  const value: Json = field.collection ? { kind: 'array', items: stored } : (stored[0] ?? null);
  const needsType = field.enumeration !== undefined || field.collection === true || !implied.has(field.type);
  return {
    members: [...(needsType ? [[`${name}${typeMember}`, `#${typeName.replace('Edm.', '')}`] as const] : []), [name, value]],
    faults,
  };
}

function planTypedComplex(path: string, name: string, field: Field, json: Json, context: ComplexContext): PlannedDynamic {
  const planned = planComplex(path, field, json, { ...context, partial: false });
  const marked = (item: Json): Json => (ownType(item) === undefined ? withType(item, field.complex ?? '') : item);
  const named = withMemberNames(planned.json, field, context.container);
  const value: Json = isArray(named) ? { kind: 'array', items: named.items.map(marked) } : marked(named);
  return { members: [[name, value]], faults: planned.faults };
}

function refused(fault: ODataError): PlannedDynamic {
  return { members: [], faults: [fault] };
}

// `Int64`, `Edm.Int64`, `Ns.Address`, `Collection(Int64)`.
function fieldOfType(name: string, { container }: Pick<ComplexContext, 'container'>): Field | undefined {
  const [, inner] = /^Collection\((.*)\)$/.exec(name) ?? [];
  if (inner !== undefined) {
    const item = fieldOfType(inner, { container });
    return item && !item.collection ? { ...item, collection: true } : undefined;
  }
  const primitive = name.includes('.') ? name : `Edm.${name}`;
  if (primitive === 'Edm.Untyped') return undefined;
  if (isPrimitive(primitive)) return { type: primitive };
  const qualified = qualify(container, primitive);
  if (complexTypeNamed(container, qualified)) return { type: 'Edm.ComplexType', complex: qualified };
  const enumeration = own(container.enumTypes ?? {}, qualified);
  return enumeration && { type: enumeration.underlyingType, enumeration };
}

/**
 * A complex value with names of enumeration members instead of numbers, for dynamic properties: stored, compared and
 * returned as names, since no model says that a number is an enumeration's.
 */
export function withMemberNames(json: Json, field: Field, container: EntityContainer): Json {
  if (isArray(json)) return { kind: 'array', items: json.items.map((item) => withMemberNames(item, field, container)) };
  if (field.enumeration) return isNumber(json) ? enumText(field.enumeration, json.text) : json;
  const declared = isObject(json) && field.complex !== undefined ? complexTypeNamed(container, field.complex) : undefined;
  if (!isObject(json) || declared === undefined) return json;
  const type = typeOfStored(declared, json, container);
  const named = [...json.members].map(([name, value]) => [name, within(type, name, value, container)] as const);
  return { kind: 'object', members: new Map(named) };
}

function within(type: ComplexType, name: string, value: Json, container: EntityContainer): Json {
  const field = fieldOf(type, name);
  return field === undefined ? value : withMemberNames(value, field, container);
}

/** Why a type has no property with the name, as the end of a message: an open type accepts valid names. */
export function missingNameHint({ open, fields }: Pick<StructuredType, 'open' | 'fields'>, name: string): string {
  return open && !name.includes('@')
    ? ' It may have others, with names of letters, digits and underscores that do not start with a digit.'
    : suggestion(name, Object.keys(fields));
}
