import { fieldOf, mediaStream, streamOf } from '../../../runtime/edm/index.js';
import { type EntityType } from '../../../runtime/edm/entity-type.js';
import { typesWithin } from '../../../runtime/plan/path/derivation.js';
import { type Json, type JsonObject, printJson } from '../../../runtime/json/json.js';
import { linkingProperties } from '../../../runtime/plan/path/navigation-join.js';
import { ownReferences } from '../../../runtime/tools/samples/sample-record.js';
import { ask, faultOf, full, idOf, read, readAll, type Subject } from './client.js';
import { isSame } from './compare.js';
import { dynamicMembers, randomValue } from './random-value.js';

/** A collection that is asked about: its address beneath the root, encoded, and its type. */
export interface Collection {
  readonly path: string;
  readonly type: EntityType;
}

/** A collection with its records, as answers with full metadata show them. */
export interface Filled extends Collection {
  readonly rows: readonly JsonObject[];
}

/** How often a record is tried whose key another one has. */
const tries = 6;

/** Writes records of random values, and finds in the answer, and under the address that it names, what was written. */
export async function writeRecords(subject: Subject, collection: Collection, count: number): Promise<readonly string[]> {
  const failures: string[] = [];
  for (let made = 0; made < count; made++) {
    try {
      await writeRecord(subject, collection);
    } catch (failure) {
      failures.push((failure as Error).message);
    }
  }
  return failures;
}

async function writeRecord(subject: Subject, collection: Collection): Promise<void> {
  const types = typesWithin(collection.type, subject.container);
  if (types.length === 0) return;
  const type = subject.random.pick(types);
  if (streamOf(type, mediaStream)) return;
  for (let left = tries; left > 0; left--) {
    const body = await bodyOf(subject, type, type === collection.type);
    if (body === undefined) return;
    const answer = await ask(subject, collection.path, { method: 'POST', body, headers: full });
    if (answer.status === 409 && left > 1) continue;
    if (answer.status === 409) return;
    if (answer.status !== 201 || answer.json === undefined) throw new Error(`${faultOf(answer)} to ${answer.request}`);
    compare(answer.request, type, body, answer.json, subject);
    compare(`${answer.request}, read again`, type, body, await read(subject, idOf(subject, answer.json), full), subject);
    return;
  }
}

function compare(request: string, type: EntityType, written: JsonObject, shown: JsonObject, { container }: Subject): void {
  for (const [name, value] of written.members) {
    if (name.includes('@') || Object.hasOwn(type.navigation, name)) continue;
    const field = fieldOf(type, name) ?? { type: 'Edm.Untyped', nullable: true };
    if (!isSame(field, value, shown.members.get(name), container))
      throw new Error(`${request}: ${name} is ${printJson(shown.members.get(name) ?? null)}, and was written as ${printJson(value)}`);
  }
}

/** The body that creates a record; undefined where it needs another record, and there is none. */
async function bodyOf(subject: Subject, type: EntityType, isDeclared: boolean): Promise<JsonObject | undefined> {
  const { container } = subject;
  const members = new Map<string, Json>(isDeclared ? [] : [['@odata.type', `#${type.qualifiedName}`]]);
  const linked = new Set<string>();
  for (const { name, navigation, target } of ownReferences(type, container)) {
    const linking = linkingProperties(type, navigation, target);
    if (linking.some((property) => linked.has(property))) continue;
    for (const property of linking) linked.add(property);
    const isNeeded =
      (navigation.required ?? false) ||
      linking.some((property) => fieldOf(type, property)?.nullable === undefined && fieldOf(type, property) !== undefined);
    if (!isNeeded && subject.random.chance(0.3)) continue;
    const id = await someId(subject, target);
    if (id === undefined && isNeeded) return undefined;
    if (id !== undefined) members.set(`${name}@odata.bind`, id);
  }
  for (const [name, value] of membersOf(subject, type, linked)) members.set(name, value);
  return { kind: 'object', members };
}

function membersOf(subject: Subject, type: EntityType, linked: ReadonlySet<string>): readonly (readonly [string, Json])[] {
  const { rules, key, keyGeneration } = type;
  const isSettable = (name: string): boolean =>
    !linked.has(name) &&
    !rules.computed.includes(name) &&
    !rules.initialOnly.includes(name) &&
    !(keyGeneration !== undefined && key.includes(name));
  const declared = Object.entries(type.fields).flatMap(([name, field]) => {
    if (!isSettable(name) || (!rules.requiredOnCreate.includes(name) && !key.includes(name) && subject.random.chance(0.1))) return [];
    return [[name, randomValue(field, subject)] as const];
  });
  const names = Object.fromEntries(
    [...Object.keys(type.fields), ...Object.keys(type.navigation), ...Object.keys(type.streams ?? {})].map((name) => [
      name,
      { type: 'Edm.String' as const },
    ]),
  );
  return [...declared, ...dynamicMembers({ fields: names, ...(type.open && { open: true }) }, subject)];
}

/** The address of some record of a type that is in a set. */
export async function someId(subject: Subject, target: EntityType): Promise<string | undefined> {
  if (target.entitySet === undefined) return undefined;
  const set = encodeURIComponent(target.entitySet);
  const declared = subject.container.entityTypes[subject.container.entitySets[target.entitySet] ?? ''];
  const rows = await readAll(
    subject,
    declared?.qualifiedName === target.qualifiedName ? set : `${set}/${encodeURIComponent(target.qualifiedName)}`,
    full,
  );
  return rows.length === 0 ? undefined : idOf(subject, subject.random.pick(rows));
}

/** All records of a collection. */
export async function fill(subject: Subject, collection: Collection): Promise<Filled> {
  return { ...collection, rows: await readAll(subject, collection.path, full) };
}
