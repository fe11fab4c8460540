import type { EntityContainer } from '../../../runtime/edm/entity-container.js';
import { isArray, type Json, type JsonObject, printJson, isSameJson } from '../../../runtime/json/json.js';
import { compareDecimal } from '../../../runtime/json/canonical-number.js';
import { ask, faultOf, full, idOf, itemsOf, query, read, readAll, type Subject } from './client.js';
import { isOrdered, isSame } from './compare.js';
import type { Place } from './places.js';
import type { Filled } from './records.js';

/** Selects a property alone, and computes another one of it. */
export async function askSelect(subject: Subject, { path, rows }: Filled, place: Place): Promise<void> {
  const selected = await readAll(subject, `${path}${query({ $select: place.path })}`, full);
  selected.forEach((row, index) =>
    same(`${path}?$select=${place.path}`, place, place.of(row), place.of(rows[index] ?? row), subject.container),
  );
  const wrong = selected.flatMap(({ members }) =>
    [...members.keys()].filter((name) => !name.includes('@') && !place.path.split('/').includes(name)),
  );
  if (wrong.length > 0) throw new Error(`${path}?$select=${place.path} shows ${wrong.join(', ')} too.`);
  if (!isOrdered(place.field)) return;
  const computed = await readAll(subject, `${path}${query({ $compute: `${place.name} as Zz`, $select: 'Zz' })}`, full);
  computed.forEach((row, index) =>
    same(`${path}?$compute=${place.name} as Zz`, place, row.members.get('Zz'), place.of(rows[index] ?? row), subject.container),
  );
}

function same(request: string, { field }: Place, found: Json | undefined, wanted: Json | undefined, container: EntityContainer): void {
  if (!isSame(field, wanted, found, container))
    throw new Error(`${request}: ${printJson(found ?? null)} instead of ${printJson(wanted ?? null)}`);
}

/** Reads a property at its own address, as JSON and raw. */
export async function askAddress(subject: Subject, { rows }: Filled, place: Place): Promise<void> {
  const [row] = rows.length === 0 ? [] : [subject.random.pick(rows)];
  if (row === undefined || /\/?[^/]+\.[^/]+\//.test(place.path) !== place.path.includes('.')) return;
  const address = `${idOf(subject, row)}/${place.path.split('/').map(encodeURIComponent).join('/')}`;
  const wanted = place.of(row) ?? null;
  const answer = await ask(subject, address, { headers: full });
  if (wanted === null) {
    const isEmpty = place.field.collection && answer.status === 200 && answer.json !== undefined && itemsOf(answer.json).length === 0;
    if (answer.status !== 204 && !isEmpty && !(answer.status === 404 && place.path.includes('/')))
      throw new Error(`${answer.request}, of what is null: ${faultOf(answer)}`);
    return;
  }
  if (answer.status !== 200 || answer.json === undefined) throw new Error(`${answer.request}: ${faultOf(answer)}`);
  const isWhole = place.field.type === 'Edm.ComplexType' && !place.field.collection;
  const found = isWhole ? withoutContext(answer.json) : answer.json.members.get('value');
  if (!isSame(place.field, wanted, found, subject.container))
    throw new Error(`${answer.request}: ${printJson(found ?? null)} instead of ${printJson(wanted)}`);
  await askRaw(subject, address, place, wanted);
}

function withoutContext({ members }: JsonObject): JsonObject {
  return { kind: 'object', members: new Map([...members].filter(([name]) => name !== '@odata.context')) };
}

async function askRaw(subject: Subject, address: string, { field }: Place, wanted: Json): Promise<void> {
  if (field.collection) {
    const counted = await ask(subject, `${address}/$count`);
    if (counted.text !== String(isArray(wanted) ? wanted.items.length : '')) throw new Error(`${counted.request}: ${faultOf(counted)}`);
    return;
  }
  if (!isOrdered(field)) return;
  const raw = await ask(subject, `${address}/$value`);
  const isNumeric = typeof wanted === 'object' && wanted !== null && wanted.kind === 'number';
  const isSameText = isNumeric ? compareDecimal(raw.text, wanted.text) === 0 : raw.text === String(wanted);
  if (raw.status !== 200 || !isSameText) throw new Error(`${raw.request}: ${faultOf(raw)} instead of ${printJson(wanted)}`);
}

/** Reads every record by its address, which shows what the collection shows. */
export async function askByKey(subject: Subject, { rows }: Filled): Promise<void> {
  for (const row of rows) {
    const found = await read(subject, idOf(subject, row), full);
    if (!isSameJson(withoutContext(found), row))
      throw new Error(`${decodeURIComponent(idOf(subject, row))}: ${printJson(found)} instead of ${printJson(row)}`);
  }
}
