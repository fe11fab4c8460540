import type { EntityType } from '../../../runtime/edm/entity-type.js';
import { typesWithin } from '../../../runtime/plan/path/derivation.js';
import { type Json, type JsonObject, printJson, isSameJson } from '../../../runtime/json/json.js';
import { linkingProperties } from '../../../runtime/plan/path/navigation-join.js';
import { ownReferences } from '../../../runtime/tools/samples/sample-record.js';
import { ask, faultOf, full, idOf, must, read, textOf, type Subject } from './client.js';
import { isSame } from './compare.js';
import { randomValue } from './random-value.js';
import type { Filled } from './records.js';

/** Changes every property of some record to another value, one by one. */
export async function askPatch(subject: Subject, { type, rows }: Filled): Promise<void> {
  const [row] = rows.length === 0 ? [] : [subject.random.pick(rows)];
  if (row === undefined) return;
  const own = typeOfRow(subject, type, row);
  const address = idOf(subject, row);
  for (const [name, field] of Object.entries(own.fields)) {
    if (!isChangeable(subject, own, name)) continue;
    const value = randomValue(field, subject);
    const answer = await must(subject, address, [200], {
      method: 'PATCH',
      body: { kind: 'object', members: new Map([[name, value]]) },
      headers: { ...full, Prefer: 'return=representation' },
    });
    const shown = await read(subject, address, full);
    // A complex value is merged with what was there.
    if (field.type !== 'Edm.ComplexType' && !isSame(field, value, shown.members.get(name), subject.container))
      throw new Error(`${answer.request}: ${name} is ${printJson(shown.members.get(name) ?? null)}`);
    if (answer.json !== undefined && !isSameJson(withoutContext(answer.json), withoutContext(shown)))
      throw new Error(`${answer.request}: the answer is ${printJson(answer.json)}, and the record ${printJson(shown)}`);
  }
}

function isChangeable({ container }: Subject, type: EntityType, name: string): boolean {
  const { key, rules } = type;
  const linking = ownReferences(type, container).flatMap(({ navigation, target }) => linkingProperties(type, navigation, target));
  return ![...key, ...rules.computed, ...rules.immutable, ...linking].includes(name);
}

function typeOfRow({ container }: Subject, type: EntityType, row: JsonObject): EntityType {
  const said = textOf(row, '@odata.type')?.replace(/^.*#/, '');
  return typesWithin(type, container).find(({ qualifiedName }) => qualifiedName === said) ?? type;
}

/** Sends back what was just shown, by PUT and by PATCH, which changes nothing. */
export async function askSameAgain(subject: Subject, { rows }: Filled): Promise<void> {
  const [row] = rows.length === 0 ? [] : [subject.random.pick(rows)];
  if (row === undefined) return;
  const address = idOf(subject, row);
  for (const [method, level] of [
    ['PUT', 'minimal'],
    ['PATCH', 'minimal'],
    ['PUT', 'full'],
  ] as const) {
    const body = await read(subject, address, { Accept: `application/json;odata.metadata=${level}` });
    const before = await read(subject, address, full);
    const answer = await must(subject, address, [200, 204], { method, body });
    const after = await read(subject, address, full);
    if (!isSameJson(before, after)) throw new Error(`${answer.request}: the record was ${printJson(before)} and is ${printJson(after)}`);
  }
}

/** Deletes a record, which is gone then, and one less. */
export async function askDelete(subject: Subject, { path, rows }: Filled): Promise<void> {
  const [row] = rows.length === 0 ? [] : [subject.random.pick(rows)];
  if (row === undefined) return;
  const address = idOf(subject, row);
  const answer = await ask(subject, address, { method: 'DELETE' });
  if (answer.status === 409 || answer.status === 400) {
    await must(subject, address, [200]);
    return;
  }
  if (answer.status !== 204) throw new Error(`${answer.request}: ${faultOf(answer)}`);
  await must(subject, address, [404]);
  const { text } = await must(subject, `${path}/$count`, [200]);
  if (Number(text) >= rows.length) throw new Error(`${answer.request}: there are ${text} still, of ${rows.length}.`);
}

function withoutContext({ members }: JsonObject): JsonObject {
  return { kind: 'object', members: new Map<string, Json>([...members].filter(([name]) => name !== '@odata.context')) };
}
