import {
  complexTypeNamed,
  complexTypeOf,
  fieldOf,
  qualify,
  type EntityContainer,
  type EntityType,
  type Field,
  type StoredRecord,
  type StoredValue,
} from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { isArray, isObject, type Json } from '../../json/json.js';
import { parseValue } from '../../json/parse-json.js';
import { itemField, ordinalOf, placeOfItem } from '../item-step.js';
import type { ValuePath } from '../value/changed-items.js';
import { typeOfStored } from '../value/plan-complex.js';

/** The names and ordinals of a path to a property, each with the type cast before it. */
export interface PropertyPath {
  readonly names: ValuePath;
  readonly casts: ReadonlyMap<number, string>;
}

/** Splits a path such as `Seat/Firm.UsAddress/State`, `Lines/0/Amount` or `Lines/Ns.Special/0/X`. */
export function propertyPath(path: string): PropertyPath {
  const names: (string | number)[] = [];
  const casts = new Map<number, string>();
  for (const part of path.split('/')) {
    if (part.includes('.')) casts.set(names.length, part);
    else names.push(ordinalOf(part) ?? part);
  }
  return { names, casts };
}

/** A path through a stored entity, with the type of the complex value or the number of items at its end. */
export interface StoredPath extends PropertyPath {
  readonly type: string | undefined;
  readonly count: number;
}

/**
 * The path with non-negative ordinals and the types of the stored values; throws if a value does not have a cast's
 * type, or a collection no such item.
 */
export function storedPath({ names, casts }: PropertyPath, type: EntityType, record: StoredRecord, container: EntityContainer): StoredPath {
  const [root = ''] = names;
  let field = fieldOf(type, String(root));
  let json = storedJson(field, record.get(String(root)));
  const actual = new Map<number, string>();
  const places: (string | number)[] = [root];
  for (const [index, name] of [...names, ''].entries()) {
    if (index === 0) continue;
    const cast = casts.get(index);
    const complex =
      field?.type === 'Edm.ComplexType' && isObject(json) ? typeOfStored(complexTypeOf(container, field), json, container) : undefined;
    if (typeof name === 'number') {
      const items = isArray(json) ? json.items : [];
      const typeAt = (at: number): string | undefined => typeOfItem(items[at] ?? null, field, container);
      const among = [...items.keys()].filter(
        (at) => cast === undefined || isOrDerives(typeAt(at) ?? '', qualify(container, cast), container),
      );
      const place =
        among[placeOfItem({ name: [...places, ...(cast === undefined ? [] : [cast])].join('/'), ordinal: name }, among.length)] ?? 0;
      const said = cast === undefined ? undefined : typeAt(place);
      if (said !== undefined) actual.set(index + 1, said);
      places.push(place);
      field = field && itemField(field);
      json = items[place] ?? null;
      continue;
    }
    if (cast !== undefined && (complex === undefined || !isOrDerives(complex.qualifiedName, qualify(container, cast), container)))
      throw errors.notFound(`${cast} at this place`).at(cast);
    if (cast !== undefined && complex !== undefined) actual.set(index, complex.qualifiedName);
    if (index === names.length)
      return { names: places, casts: actual, type: complex?.qualifiedName, count: isArray(json) ? json.items.length : 0 };
    places.push(name);
    field = complex && fieldOf(complex, name);
    json = isObject(json) ? (json.members.get(name) ?? null) : null;
  }
  throw new Error('A path begins with a name.');
}

// Arrays and single primitive values are in the database's text form; the latter have nothing nested.
function storedJson(field: Field | undefined, value: StoredValue | undefined): Json {
  if (typeof value !== 'string') return value ? { kind: 'array', items: value } : null;
  return field?.type === 'Edm.ComplexType' || field?.collection ? parseValue(value) : null;
}

// A null item has no type.
function typeOfItem(item: Json, field: Field | undefined, container: EntityContainer): string | undefined {
  return field && isObject(item) ? typeOfStored(complexTypeOf(container, field), item, container).qualifiedName : undefined;
}

function isOrDerives(name: string, base: string, container: EntityContainer): boolean {
  return name === base || (complexTypeNamed(container, base)?.derived.includes(name) ?? false);
}
