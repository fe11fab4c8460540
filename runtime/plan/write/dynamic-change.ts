import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { isArray, isObject, type Json, type JsonObject } from '../../json/json.js';
import { typeMember } from '../value/plan-complex.js';
import { planDynamic } from '../value/plan-dynamic.js';
import { mergeMembers, withDynamic, type DynamicContext } from './merge-dynamic.js';

/** What a request does at the address of a dynamic property, or of what lies within one. */
export interface DynamicChange {
  readonly kind: 'set' | 'merge' | 'append';
  readonly json: Json;
  /** The type that the body says of the value. */
  readonly said?: Json;
}

/** Where the changed value is among the members: the names that lead to it, and the path of what has the first of them, for messages. */
interface DynamicPath {
  readonly names: readonly [string, ...string[]];
  readonly within: string;
}

/** Members with a change at a place within them (protocol 11.4.9). */
export function changedMembers(
  stored: JsonObject['members'],
  { names: [name, next, ...rest], within }: DynamicPath,
  change: DynamicChange,
  context: DynamicContext,
): JsonObject['members'] {
  if (next === undefined) return changed({ stored, name, within }, change, context);
  const path = within === '' ? name : `${within}/${name}`;
  const inner = stored.get(name) ?? null;
  if (!isObject(inner)) throw errors.notFound(`${next} beneath ${path}: there is no object`);
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

// A value that is set anew is held to the type that is said of it; items that join others keep the type of all.
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
    throw errors.typeMismatch(`${path} is no collection, to which POST would add an item; PUT sets its value.`).at(path);
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
