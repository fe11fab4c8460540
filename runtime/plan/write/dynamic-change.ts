import { errors } from '../../errors/catalogue.js';
import { isArray, isObject, type Json, type JsonObject } from '../../json/json.js';
import { withDynamic } from './merge-complex.js';
import { typeMember, type ComplexContext } from '../value/plan-complex.js';
import { planDynamic } from '../value/plan-dynamic.js';

/** What a request does at the address of a dynamic property, or of what lies within one. */
export interface DynamicChange {
  readonly kind: 'set' | 'merge' | 'append';
  readonly json: Json;
  /** The type that the body says of the value. */
  readonly said?: Json;
}

/** Where the changed value is: the names that lead to it, and the whole path for messages. */
interface DynamicPath {
  readonly names: readonly string[];
  readonly at: string;
}

/** The value of a dynamic property with a change at a place within it (protocol 11.4.9). */
export function changedDynamic(stored: Json, { names, at }: DynamicPath, change: DynamicChange, context: ComplexContext): Json {
  const [name, ...rest] = names;
  if (name === undefined) return changedValue(stored, change, at);
  if (!isObject(stored)) throw errors.notFound(`${name} beneath ${at}: there is no object`);
  const path = `${at}/${name}`;
  const inner = changedDynamic(stored.members.get(name) ?? null, { names: rest, at: path }, change, context);
  return { kind: 'object', members: withDynamic(stored.members, rest.length === 0 ? typedMembers(stored, { name, inner, path }, change, context) : new Map([[name, inner]])) };
}

interface Changed {
  readonly name: string;
  readonly inner: Json;
  readonly path: string;
}

// A value that is set anew is held to the type that is said of it; items that join others keep the type of all.
function typedMembers({ members }: JsonObject, { name, inner, path }: Changed, { kind, said }: DynamicChange, context: ComplexContext): ReadonlyMap<string, Json> {
  const type = said ?? (kind === 'set' ? undefined : members.get(`${name}${typeMember}`));
  const { members: planned, faults } = planDynamic({ path, name, members: new Map([...(type === undefined ? [] : [[`${name}${typeMember}`, type] as const]), [name, inner]]) }, context);
  if (faults.length > 0) throw errors.notSaved('property').with(faults.map((fault) => fault.asDetail()));
  return new Map(planned);
}

function changedValue(stored: Json, { kind, json }: DynamicChange, at: string): Json {
  if (kind === 'merge' && isObject(stored) && isObject(json)) return { kind: 'object', members: withDynamic(stored.members, json.members) };
  if (kind !== 'append') return json;
  if (!isArray(stored) || !isArray(json)) throw errors.typeMismatch(`${at} is no collection, to which POST would add an item; PUT sets its value.`).at(at);
  return { kind: 'array', items: [...stored.items, ...json.items] };
}
