import { isDirect } from '../../../runtime/edm/index.js';
import { linkingProperties } from '../../../runtime/plan/path/navigation-join.js';
import { ask, faultOf, full, idOf, readAll, type Answer, type Subject } from './client.js';
import type { Way } from './ask-navigation.js';
import { someId, type Filled } from './records.js';

/** Refers to another record and takes the reference back, by `$ref`; what the model does not allow is refused as such. */
export async function askRefs(subject: Subject, { type, rows }: Filled, way: Way): Promise<void> {
  const { path, navigation, target } = way;
  const [row] = rows.length === 0 ? [] : [subject.random.pick(rows)];
  const isKey = linkingProperties(type, navigation, target).some((name) => type.key.includes(name) || target.key.includes(name));
  if (row === undefined || !isDirect(path) || navigation.contains || navigation.container || isKey) return;
  const id = await someId(subject, target);
  if (id === undefined) return;
  const address = `${idOf(subject, row)}/${encodeURIComponent(path)}/$ref`;
  const set = await ask(subject, address, {
    method: navigation.collection ? 'POST' : 'PUT',
    body: { kind: 'object', members: new Map([['@odata.id', `${subject.root}/${id}`]]) },
  });
  if (isDone(set) && !(await references(subject, address, way)).includes(id)) throw new Error(`${set.request}: it does not lead there.`);
  const unset = await ask(subject, navigation.collection ? `${address}?$id=${encodeURIComponent(`${subject.root}/${id}`)}` : address, {
    method: 'DELETE',
  });
  if (isDone(unset) && (await references(subject, address, way)).includes(id)) throw new Error(`${unset.request}: it still leads there.`);
}

// A record that must lead somewhere, or that another one needs, is refused by the rule.
function isDone(answer: Answer): boolean {
  if (![204, 400, 409].includes(answer.status)) throw new Error(`${answer.request}: ${faultOf(answer)}`);
  return answer.status === 204;
}

async function references(subject: Subject, address: string, { navigation }: Way): Promise<readonly string[]> {
  if (navigation.collection) return (await readAll(subject, address, full)).map((one) => idOf(subject, one));
  const answer = await ask(subject, address, { headers: full });
  if (answer.status === 204 || answer.status === 404) return [];
  if (answer.json === undefined) throw new Error(`${answer.request}: ${faultOf(answer)}`);
  return [idOf(subject, answer.json)];
}
