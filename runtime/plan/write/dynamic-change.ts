import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { isArray, isObject, type Json, type JsonObject } from '../../json/json.js';
import { typeMember } from '../value/plan-complex.js';
import { planDynamic } from '../value/plan-dynamic.js';
import { mergeMembers, withDynamic, type DynamicContext } from './merge-dynamic.js';

/** A change at the address of a dynamic property, or of a value nested in one. */
export interface DynamicChange {
  readonly kind: 'set' | 'merge' | 'append';
  readonly json: Json;
  /** The type that the body gives the value. */
  readonly said?: Json;
}

/** The path of the changed value: its names, and the path of the object with the first one, for messages. */
interface DynamicPath {
  readonly names: readonly [string, ...string[]];
  readonly within: string;
}

/** The members with a change at a path (protocol 11.4.9). */
export function changedMembers(
  stored: JsonObject['members'],
  { names: [name, next, ...rest], within }: DynamicPath,
  change: DynamicChange,
  context: DynamicContext,
): JsonObject['members'] {
  if (next === undefined) return changed({ stored, name, within }, change, context);
  const path = within === '' ? name : `${within}/${name}`;
  const inner = stored.get(name) ?? null;
  if (!isObject(inner)) throw errors.notFound(`${next} within ${path}: it is not an object`);
  return new Map([
    ...stored,
    [name, { kind: 'object', members: changedMembers(inner.members, { names: [next, ...rest], within: path }, change, context) }],
  ]);
}

interface ChangedPlace {
  readonly stored: JsonObject['members'];
  readonly name: string;
  readonly within: string;
}

// A new value is checked against its type; items of a typed collection keep the common type.
function changed(
  { stored, name, within }: ChangedPlace,
  { kind, json, said }: DynamicChange,
  context: DynamicContext,
): JsonObject['members'] {
  const path = within === '' ? name : `${within}/${name}`;
  const type = said ?? (kind === 'set' ? undefined : stored.get(`${name}${typeMember}`));
  const value = kind === 'append' ? appended(stored.get(name) ?? null, json, path) : json;
  const changes = new Map<string, Json>([...(type === undefined ? [] : [[`${name}${typeMember}`, type] as const]), [name, value]]);
  if (kind === 'merge') return requireSound(mergeMembers(within, stored, changes, context));
  const { members, faults } = planDynamic({ path, name, members: changes }, { ...context, partial: false });
  return requireSound({ members: withDynamic(stored, new Map(members)), faults });
}

function appended(stored: Json, added: Json, path: string): Json {
  if (!isArray(stored) || !isArray(added))
    throw errors.typeMismatch(`${path} is not a collection, to which POST adds an item; PUT sets its value.`).at(path);
  return { kind: 'array', items: [...stored.items, ...added.items] };
}

function requireSound({
  members,
  faults,
}: {
  readonly members: JsonObject['members'];
  readonly faults: readonly ODataError[];
}): JsonObject['members'] {
  if (faults.length > 0) throw errors.notSaved('property').with(faults.map((fault) => fault.asDetail()));
  return members;
}
