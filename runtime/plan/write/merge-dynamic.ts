import type { ODataError } from '../../errors/odata-error.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { withMemberNames } from '../value/member-names.js';
import { planComplex, typeMember, type ComplexContext } from '../value/plan-complex.js';
import { ownType, planDynamic, saidType, withType, type PlannedDynamic } from '../value/plan-dynamic.js';
import { mergeComplex } from './merge-complex.js';

/** The context for merging dynamic properties. */
export type DynamicContext = Pick<ComplexContext, 'container' | 'format' | 'whole'>;

/** The merged dynamic properties, with all faults. */
interface MergedMembers {
  readonly members: JsonObject['members'];
  readonly faults: readonly ODataError[];
}

/**
 * Merges changes of dynamic properties: an object is merged member by member with the existing one (protocol 11.4.3),
 * null removes a member, and a new value replaces the old type.
 */
export function mergeMembers(
  path: string,
  stored: JsonObject['members'],
  changes: JsonObject['members'],
  context: DynamicContext,
): MergedMembers {
  const planned = [...changes.keys()]
    .filter((name) => !isTypeOf(name, changes))
    .map((name) => mergeMember({ path, name, stored, changes }, context));
  const members = new Map(planned.flatMap((one) => one.members));
  return { members: withDynamic(stored, members), faults: planned.flatMap(({ faults }) => faults) };
}

/** Members replaced by others; null removes a member, and a value's type is removed with it. */
export function withDynamic(members: JsonObject['members'], changes: JsonObject['members']): Map<string, Json> {
  const touched = new Set([...changes.keys()].flatMap((name) => [name, `${name}${typeMember}`]));
  return new Map([...[...members].filter(([name]) => !touched.has(name)), ...[...changes].filter(([, value]) => value !== null)]);
}

interface Place {
  /** The path of the value that has the member; empty for an entity. */
  readonly path: string;
  readonly name: string;
  readonly stored: JsonObject['members'];
  readonly changes: JsonObject['members'];
}

function isTypeOf(name: string, changes: JsonObject['members']): boolean {
  const [, owner] = /^(.+)@(?:odata\.)?type$/.exec(name) ?? [];
  return owner !== undefined && changes.has(owner);
}

function mergeMember({ path: owner, name, stored, changes }: Place, context: DynamicContext): PlannedDynamic {
  const path = owner === '' ? name : `${owner}/${name}`;
  const sent = changes.get(name) ?? null;
  const before = stored.get(name) ?? null;
  const isPrimitive = changes.has(`${name}${typeMember}`) || stored.has(`${name}${typeMember}`);
  if (!isObject(sent) || !isObject(before) || isPrimitive || path === context.whole) return planned(path, name, changes, context);
  const [was, said] = [ownType(before), ownType(sent)];
  if (was !== undefined) return mergeTyped({ path, name, said: said ?? was }, before, sent, context);
  if (said !== undefined) return planned(path, name, changes, context);
  const { members, faults } = mergeMembers(path, before.members, sent.members, context);
  return { members: [[name, { kind: 'object', members }]], faults };
}

// Annotations and `@odata.type` within an open value are stored as sent.
function planned(path: string, name: string, changes: JsonObject['members'], context: DynamicContext): PlannedDynamic {
  return name.includes('@')
    ? { members: [[name, changes.get(name) ?? null]], faults: [] }
    : planDynamic({ path, name, members: changes }, { ...context, partial: false });
}

// Both the sent value and the merged one are checked against the type.
function mergeTyped(
  { path, name, said }: { readonly path: string; readonly name: string; readonly said: Json },
  before: JsonObject,
  sent: JsonObject,
  context: DynamicContext,
): PlannedDynamic {
  const type = saidType(path, said, context);
  if ('fault' in type) return { members: [], faults: [type.fault] };
  const patch = planComplex(path, type.field, sent, { ...context, partial: true });
  if (patch.faults.length > 0) return { members: [], faults: patch.faults };
  const named = (json: Json): Json => withMemberNames(json, type.field, context.container);
  const { json, faults } = mergeComplex(path, type.field, before, named(patch.json), context);
  return { members: [[name, withType(named(json), type.typeName)]], faults };
}
