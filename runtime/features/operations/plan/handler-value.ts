import type { EntityContainer, Field, Navigation, OperationValue, RecordType } from '../../../edm/index.js';
import { complexTypeOf, fieldOf, isFloating, navigationOf, own, qualify } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import type { ODataError } from '../../../errors/odata-error.js';
import { excerpt, suggestion } from '../../../errors/suggest.js';
import { enumText } from '../../../expression/enum-members.js';
import { compareDecimal } from '../../../json/canonical-number.js';
import { isArray, isNumber, isObject, type Json, type JsonObject, jsonObject } from '../../../json/json.js';
import { recordTypeNamed } from '../../../plan/path/derivation.js';
import { type ComplexContext, planField, typeOfStored } from '../../../plan/value/plan-complex.js';
import { missingNameHint } from '../../../plan/value/plan-dynamic.js';
import { statedType } from '../../../plan/value/control-information.js';
import { describeJson } from '../../../plan/value/plan-value.js';
import { idOf } from '../../../plan/write/entity-body.js';
import { typeInUrl } from '../../../edm/lookup.js';

/** The most types that a message names. */
const mostNamed = 20;

/** The type of a transient entity, and whether it has its own `@odata.type`. */
export type RecordValueType = { readonly type: RecordType; readonly stated: boolean } | { readonly fault: ODataError };

/** The type of an entity in a parameter or a result: the declared type, or the derived one in its `@odata.type` (JSON format 4.5.3). */
export function recordValueType(path: string, declared: RecordType, { members }: JsonObject, container: EntityContainer): RecordValueType {
  const sent = statedType(members);
  const name = typeof sent === 'string' ? qualify(container, typeInUrl(sent)) : '';
  if (sent === undefined || name === declared.qualifiedName) return { type: declared, stated: false };
  if (typeof sent !== 'string') return { fault: errors.wrongJsonType(`${path}/@odata.type`, 'a string', describeJson(sent)).at(path) };
  const { derivedTypes = [] } = declared;
  const type = derivedTypes.includes(name) ? recordTypeNamed(container, name) : undefined;
  if (type && !type.abstract) return { type, stated: true };
  const types = [declared, ...derivedTypes.flatMap((one) => recordTypeNamed(container, one) ?? [])].filter(({ abstract }) => !abstract);
  const names = types.slice(0, mostNamed).map(({ qualifiedName }) => `#${qualifiedName}`);
  return {
    fault: errors
      .invalidValue(
        excerpt(sent),
        `${path}/@odata.type`,
        `: here it can be ${names.join(', ')}${types.length > mostNamed ? ' and others' : ''}`,
      )
      .at(path),
  };
}

/** A value as handlers have it, and everything that is wrong with it. */
interface HandlerValue {
  readonly value: unknown;
  readonly faults: readonly ODataError[];
}

/** A checked value of a body or a URL as a handler gets it: by the rules that hold for properties. */
export function planHandlerValue(path: string, declared: OperationValue, json: Json, context: ComplexContext): HandlerValue {
  const { field } = declared;
  if (field === undefined) return planRecords(path, declared, json, context);
  const { json: planned, faults } = planField(path, field, json, context);
  if (faults.length > 0) return { value: undefined, faults };
  const inexact: ODataError[] = [];
  const value = toHandler(planned, field, { path, container: context.container, inexact, exact: true });
  return { value, faults: inexact };
}

function planRecords(
  path: string,
  { type: name, collection, nullable }: OperationValue,
  json: Json,
  context: ComplexContext,
): HandlerValue {
  const type = recordTypeNamed(context.container, name);
  if (type === undefined) throw new Error(`The container has no entity type ${name}.`);
  if (!collection) return json === null && nullable ? { value: null, faults: [] } : planRecord(path, type, json, context);
  if (json === null || !isArray(json)) return wrong(errors.wrongJsonType(path, 'an array', describeJson(json)).at(path));
  const items = json.items.map((item, index) => planRecord(`${path}[${index}]`, type, item, context));
  return { value: items.map(({ value }) => value), faults: items.flatMap(({ faults }) => faults) };
}

// Some of a record's properties, or only its address (JSON format 4.01, 17 and 18).
function planRecord(path: string, declared: RecordType, json: Json, context: ComplexContext): HandlerValue {
  if (json === null) return wrong(errors.nullNotAllowed(path).at(path));
  if (!isObject(json)) return wrong(errors.wrongJsonType(path, 'an object', describeJson(json)).at(path));
  const named = recordValueType(path, declared, json, context.container);
  if ('fault' in named) return wrong(named.fault);
  const { type, stated } = named;
  const id = idOf(json);
  const planned = [...json.members.keys()].flatMap((name) => planMember(path, type, name, json, context));
  const members = planned.map(({ name, value }) => [name, value] as const);
  const control = [
    ...(id === undefined ? [] : [['@id', id] as const]),
    ...(stated ? [['@odata.type', `#${type.qualifiedName}`] as const] : []),
  ];
  return { value: Object.fromEntries([...control, ...members]), faults: planned.flatMap(({ faults }) => faults) };
}

type NamedValue = HandlerValue & { readonly name: string };

function planMember(owner: string, type: RecordType, name: string, body: JsonObject, context: ComplexContext): readonly NamedValue[] {
  const { members } = body;
  const bound = /^([^@]+)@(?:odata\.)?bind$/.exec(name)?.[1];
  if (bound !== undefined) return [planReferences(`${owner}/${name}`, type, bound, members.get(name) ?? null)];
  if (name.includes('@')) return [];
  const [path, field, navigation] = [`${owner}/${name}`, fieldOf(type, name), navigationOf(type, name)];
  if (navigation) return [{ name, ...planRelated(path, navigation, members.get(name) ?? null, context) }];
  if (field === undefined) return [{ name, ...wrong(errors.unknownBodyProperty(name, type.name, missingNameHint(type, name)).at(path)) }];
  const { json: planned, faults } = planField(path, field, members.get(name) ?? null, context);
  const inexact: ODataError[] = [];
  const value = faults.length > 0 ? undefined : toHandler(planned, field, { path, container: context.container, inexact, exact: false });
  return [{ name, value, faults: [...faults, ...inexact] }];
}

// Related entities in values are values as well, whatever is stored (JSON format 4.01, 8.5).
function planRelated(path: string, { target, collection, required }: Navigation, json: Json, context: ComplexContext): HandlerValue {
  const type = own(context.container.entityTypes, target)?.qualifiedName ?? target;
  return planRecords(path, { type, ...(collection && { collection }), ...(!required && { nullable: true as const }) }, json, context);
}

// References to existing entities, by id.
function planReferences(path: string, type: RecordType, name: string, json: Json): NamedValue {
  const navigation = navigationOf(type, name);
  if (navigation === undefined)
    return { name, ...wrong(errors.unknownBodyProperty(name, type.name, suggestion(name, Object.keys(type.navigation))).at(path)) };
  const ids = navigation.collection ? (isArray(json) ? json.items : undefined) : [json];
  if (ids === undefined || !ids.every((id) => typeof id === 'string'))
    return {
      name,
      ...wrong(errors.wrongJsonType(path, navigation.collection ? 'an array of addresses' : 'an address', describeJson(json)).at(path)),
    };
  const values = ids.map((id) => ({ '@id': id }));
  return { name, value: navigation.collection ? values : values[0], faults: [] };
}

function wrong(fault: ODataError): HandlerValue {
  return { value: undefined, faults: [fault] };
}

interface Conversion {
  readonly path: string;
  readonly container: EntityContainer;
  /** Takes the numbers that a JavaScript number cannot hold. */
  readonly inexact: ODataError[];
  /** Decimals and numbers of 64 bits stay text; within complex values and records the generated types have numbers. */
  readonly exact: boolean;
}

function toHandler(json: Json, field: Field, conversion: Conversion): unknown {
  if (json === null) return null;
  const { collection, ...single } = field;
  if (collection && isArray(json)) return json.items.map((item) => toHandler(item, single, conversion));
  if (field.enumeration) return isNumber(json) ? enumText(field.enumeration, json.text) : json;
  if (field.type === 'Edm.ComplexType') return isObject(json) ? toObject(json, field, conversion) : json;
  if (isNumber(json)) return toNumber(json.text, field, conversion);
  if (isFloating(field.type)) return Number(String(json).replace('INF', 'Infinity'));
  return isObject(json) ? toPlain(json) : json;
}

function toNumber(text: string, { type }: Field, { path, inexact, exact }: Conversion): string | number {
  const isExact = type === 'Edm.Int64' || type === 'Edm.Decimal';
  if (exact && isExact) return text;
  const number = Number(text);
  if (isExact && compareDecimal(String(number), text) !== 0)
    inexact.push(
      errors.invalidValue(text.slice(0, 64), path, ': it has more digits than a number in a complex value can represent').at(path),
    );
  return number;
}

function toObject(json: JsonObject, field: Field, conversion: Conversion): object {
  const type = typeOfStored(complexTypeOf(conversion.container, field), json, conversion.container);
  const members = [...json.members].map(([name, value]) => {
    const member = fieldOf(type, name);
    return [
      name,
      member ? toHandler(value, member, { ...conversion, path: `${conversion.path}/${name}`, exact: false }) : toPlain(value),
    ] as const;
  });
  return Object.fromEntries(members);
}

// Dynamic values are converted as by JSON.parse.
function toPlain(json: Json): unknown {
  if (json === null || typeof json !== 'object') return json;
  if (isNumber(json)) return Number(json.text);
  if (isArray(json)) return json.items.map(toPlain);
  return Object.fromEntries([...json.members].map(([name, value]) => [name, toPlain(value)]));
}

/** A handler's value as JSON like in a body; undefined is null. */
export function jsonOf(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return { kind: 'number', text: String(value) };
  if (typeof value === 'number')
    return Number.isFinite(value) ? { kind: 'number', text: String(value) } : String(value).replace('Infinity', 'INF');
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return { kind: 'array', items: value.map(jsonOf) };
  return jsonObject(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, jsonOf(member)]),
  );
}
