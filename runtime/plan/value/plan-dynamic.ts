import { complexTypeNamed, isPrimitive, own, type Field } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { isArray, isObject, type Json, type JsonObject } from '../../json/json.js';
import { planComplex, typeMember, type ComplexContext } from './plan-complex.js';
import { describeJson, planText } from './plan-value.js';
import { storedValue } from './stored-json.js';

/** What a body says of one dynamic property, as it is stored: its value, and its type where JSON does not tell it. */
interface PlannedDynamic {
  readonly members: readonly (readonly [string, Json])[];
  readonly faults: readonly ODataError[];
}

/** Where a dynamic property stands. */
interface DynamicPlace {
  readonly path: string;
  readonly name: string;
  readonly members: JsonObject['members'];
}

/** A property that an open type does not declare; a value with a type is held to it (JSON format 4.6.3). */
export function planDynamic({ path, name, members }: DynamicPlace, context: ComplexContext): PlannedDynamic {
  const json = members.get(name) ?? null;
  if (json === null) return { members: [[name, null]], faults: [] };
  const said = members.get(`${name}${typeMember}`) ?? members.get(`${name}@type`) ?? ownType(json);
  if (said === undefined) return { members: [[name, json]], faults: [] };
  if (typeof said !== 'string') return refused(errors.wrongJsonType(`${path}${typeMember}`, 'a string', describeJson(said)).at(path));
  const typeName = said.slice(said.lastIndexOf('#') + 1);
  const field = fieldOfType(typeName, context);
  if (field === undefined) return refused(errors.invalidValue(typeName.slice(0, 128), `${path}${typeMember}`, ': there is no such type').at(path));
  if (field.type === 'Edm.ComplexType') return planTypedComplex(path, name, field, json, context);
  return planPrimitive(path, name, { typeName, field }, json, context);
}

/** What answers need no type for (JSON format 4.6.3). */
const implied: ReadonlySet<string> = new Set(['Edm.String', 'Edm.Boolean', 'Edm.Double']);

function planPrimitive(path: string, name: string, { typeName, field }: { readonly typeName: string; readonly field: Field }, json: Json, { format }: ComplexContext): PlannedDynamic {
  const items = field.collection && isArray(json) ? json.items : [json];
  const planned = items.map((item) => ({ item, ...planText(path, field, item, format) }));
  const faults = planned.flatMap((item) => ('fault' in item ? [item.fault] : []));
  if (field.collection && !isArray(json)) return refused(errors.wrongJsonType(path, 'an array', 'a single value').at(path));
  // An enumeration keeps its names: the model has no column of them here.
  const stored = planned.flatMap((item): readonly Json[] => ('text' in item ? [field.enumeration ? item.item : storedValue(field, item)] : []));
  const value: Json = field.collection ? { kind: 'array', items: stored } : (stored[0] ?? null);
  const needsType = field.enumeration !== undefined || field.collection === true || !implied.has(field.type);
  return { members: [...(needsType ? [[`${name}${typeMember}`, `#${typeName.replace('Edm.', '')}`] as const] : []), [name, value]], faults };
}

function planTypedComplex(path: string, name: string, field: Field, json: Json, context: ComplexContext): PlannedDynamic {
  const planned = planComplex(path, field, json, { ...context, partial: false });
  const marked = (item: Json): Json => (isObject(item) && !item.members.has(typeMember) ? { kind: 'object', members: new Map([[typeMember, `#${field.complex ?? ''}`], ...item.members]) } : item);
  const value: Json = isArray(planned.json) ? { kind: 'array', items: planned.json.items.map(marked) } : marked(planned.json);
  return { members: [[name, value]], faults: planned.faults };
}

function refused(fault: ODataError): PlannedDynamic {
  return { members: [], faults: [fault] };
}

function ownType(json: Json): Json | undefined {
  return isObject(json) ? (json.members.get(typeMember) ?? json.members.get('@type')) : undefined;
}

// `Int64`, `Edm.Int64`, `Ns.Address`, `Collection(Int64)`.
function fieldOfType(name: string, { container }: Pick<ComplexContext, 'container'>): Field | undefined {
  const [, inner] = /^Collection\((.*)\)$/.exec(name) ?? [];
  if (inner !== undefined) {
    const item = fieldOfType(inner, { container });
    return item && !item.collection ? { ...item, collection: true } : undefined;
  }
  const primitive = name.includes('.') ? name : `Edm.${name}`;
  if (primitive === 'Edm.PrimitiveType' || primitive === 'Edm.Untyped') return undefined;
  if (isPrimitive(primitive)) return { type: primitive };
  if (complexTypeNamed(container, name)) return { type: 'Edm.ComplexType', complex: name };
  const enumeration = own(container.enumTypes ?? {}, name);
  return enumeration && { type: enumeration.underlyingType, enumeration };
}
