import {
  complexTypeNamed,
  complexTypeOf,
  fieldOf,
  isOfComplexType,
  qualify,
  type ComplexType,
  type EntityContainer,
  type Field,
} from '../edm/index.js';
import { itemStreamOf } from './path/nested-path.js';
import { isArray, isObject, type Json, type JsonObject } from '../json/json.js';
import { storedExpr } from './check/stored-expr.js';
import { ordinalOf } from './item-step.js';
import type { RecordTarget } from './path-target.js';
import type { StreamTarget } from './plan-stream.js';
import type { PropertyExpr } from './typed-expr.js';

/** An item that a path leads to, or a value of one. */
export interface ItemPlace {
  /** The column that holds it. */
  readonly value: PropertyExpr;
  /** The names that lead to it from the record, and places in collections, which are counted from the end where they are negative (URL conventions 4.10). */
  readonly names: readonly (string | number)[];
  /** The types that values on the way must be of, or items of a collection to be counted, and how many names lead to each. */
  readonly casts: readonly { readonly type: string; readonly length: number }[];
  /** The path to it as the request has it. */
  readonly path: string;
}

/** The stream of an item that a path leads to, and how many names that takes: `Lines/0/Photo`. */
export function itemStreamTarget(
  target: RecordTarget,
  names: readonly string[],
  container: EntityContainer,
): { readonly target: StreamTarget; readonly length: number } | undefined {
  if (target.type.itemStreams === undefined) return undefined;
  const item = leadingTo(target, names, container);
  const found = item && itemStreamOf(target.type, item.path, container);
  if (item === undefined || found?.length !== item.path.length) return undefined;
  const { stream, path } = found;
  return { target: { ...target, kind: 'stream', name: path, stream, item: item.place }, length: item.length };
}

interface Leading {
  readonly place: ItemPlace;
  /** The names without places, the stream's own last. */
  readonly path: readonly string[];
  readonly length: number;
}

/** How far names have led: to a value, or to a collection of which a place has to follow. */
interface Reached {
  readonly field: Field;
  readonly complex: ComplexType;
}

// Up to the first name that is a stream of the value that the names before it lead to.
function leadingTo(target: RecordTarget, [root = '', ...rest]: readonly string[], container: EntityContainer): Leading | undefined {
  const field = fieldOf(target.type, root);
  let reached = field && reach(field, container);
  const names: (string | number)[] = [root];
  const path = [root];
  const casts: { readonly type: string; readonly length: number }[] = [];
  for (const [index, name] of rest.entries()) {
    const ordinal = ordinalOf(name);
    const isMany = reached?.field.collection === true;
    if (field === undefined || reached === undefined || (isMany ? ordinal === undefined && !name.includes('.') : ordinal !== undefined))
      return undefined;
    const { complex }: Reached = reached;
    if (ordinal === undefined) path.push(name);
    if (complex.streams?.includes(name))
      return {
        place: { value: storedExpr(target, root, field), names, casts, path: [root, ...rest.slice(0, index)].join('/') },
        path,
        length: index + 2,
      };
    reached = ordinal !== undefined ? { complex, field: { type: 'Edm.ComplexType' } } : behind(reached, name, container);
    if (!name.includes('.')) names.push(ordinal ?? name);
    else if (reached && reached.complex !== complex) casts.push({ type: reached.complex.qualifiedName, length: names.length });
  }
  return undefined;
}

function behind({ field, complex }: Reached, name: string, container: EntityContainer): Reached | undefined {
  if (!name.includes('.')) return reach(fieldOf(complex, name), container);
  const cast = complexTypeNamed(container, qualify(container, name));
  return cast && { field, complex: cast };
}

function reach(field: Field | undefined, container: EntityContainer): Reached | undefined {
  return field?.complex === undefined ? undefined : { field, complex: complexTypeOf(container, field) };
}

/** An item of a stored value: what leads to it, each place counted from the first item, and what it says. */
interface FoundItem {
  readonly names: ItemPlace['names'];
  readonly json: JsonObject;
}

/** The item that is at a place of a record's value, where there is one of the types that the path asks for. */
export function itemAt(
  stored: Json,
  { names: [root = '', ...rest], casts }: Pick<ItemPlace, 'names' | 'casts'>,
  container: EntityContainer,
): FoundItem | undefined {
  const names: (string | number)[] = [root];
  let json = stored;
  for (const name of [...rest, undefined]) {
    const types = casts.filter(({ length }) => length === names.length).map(({ type }) => type);
    const isOfAll = (item: Json): boolean =>
      types.every((type) => isObject(item) && isOfComplexType(item.members.get('@odata.type') ?? null, type, container));
    if (!isArray(json) && !isOfAll(json)) return undefined;
    if (name === undefined) break;
    const at = isArray(json) && typeof name === 'number' ? placeAmong(json.items, isOfAll, name) : name;
    json = (isArray(json) ? json.items[Number(at)] : isObject(json) ? json.members.get(String(at)) : undefined) ?? null;
    names.push(at);
  }
  return isObject(json) ? { names, json } : undefined;
}

// Of the items that a cast leaves, counted from the end where it is negative.
function placeAmong(items: readonly Json[], isOne: (item: Json) => boolean, ordinal: number): number {
  const places = [...items.keys()].filter((place) => isOne(items[place] ?? null));
  return places.at(ordinal) ?? -1;
}
