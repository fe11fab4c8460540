import { isArray, isNumber, isObject, type Json, printJson } from '../../../runtime/json/json.js';
import { parseJsonObject } from '../../../runtime/json/parse-json.js';
import { isSameJson } from '../../../runtime/json/json.js';
import { ask, faultOf, full, idOf, must, recordsOf, textOf, type Subject } from './client.js';
import type { Filled } from './records.js';

const followed = /@odata\.(navigationLink|associationLink|editLink|readLink|mediaReadLink)$/;

/** Follows every link of a record that is shown with full metadata. */
export async function askLinks(subject: Subject, { rows }: Filled): Promise<void> {
  const [row] = rows.length === 0 ? [] : [subject.random.pick(rows)];
  if (row === undefined) return;
  for (const [name, link] of linksIn(row)) {
    const answer = await ask(subject, link);
    if (answer.status !== 200 && answer.status !== 204)
      throw new Error(`${name} of ${idOf(subject, row)}: ${answer.request}: ${faultOf(answer)}`);
  }
}

function linksIn(value: Json): readonly (readonly [string, string])[] {
  if (value === null || typeof value !== 'object' || isNumber(value)) return [];
  if (isArray(value)) return value.items.flatMap(linksIn);
  return [...value.members].flatMap(([name, member]) =>
    typeof member === 'string' ? (followed.test(name) ? [[name, member] as const] : []) : linksIn(member),
  );
}

/** Reads three addresses in one batch, and each of them as by itself. */
export async function askBatch(subject: Subject, { path, rows }: Filled): Promise<void> {
  const addresses = [path, `${path}/$count`, ...rows.slice(0, 1).map((row) => idOf(subject, row))];
  const requests = addresses.map((url, index): Json => ({
    kind: 'object',
    members: new Map<string, Json>([
      ['id', String(index)],
      ['method', 'get'],
      ['url', url],
      ['headers', { kind: 'object', members: new Map([['Accept', full.Accept]]) }],
    ]),
  }));
  const answer = await must(subject, '$batch', [200], {
    method: 'POST',
    body: { kind: 'object', members: new Map([['requests', { kind: 'array', items: requests }]]) },
  });
  const responses = answer.json?.members.get('responses');
  if (responses === undefined || !isArray(responses)) throw new Error(`${answer.request}: ${answer.text.slice(0, 300)}`);
  for (const [index, url] of addresses.entries()) {
    const alone = await must(subject, url, [200], { headers: full });
    const response = responses.items.filter(isObject).find((one) => textOf(one, 'id') === String(index));
    const body = response?.members.get('body') ?? null;
    const same = alone.json === undefined ? printJson(body).replaceAll('"', '') === alone.text : isSameJson(body, alone.json);
    if (!same)
      throw new Error(
        `$batch of ${decodeURIComponent(url)}: ${printJson(response ?? null).slice(0, 600)} instead of ${alone.text.slice(0, 300)}`,
      );
  }
}

/** Reads what is at the root, and all sets and singletons that it names. */
export async function askRoot(subject: Subject): Promise<void> {
  const { json } = await must(subject, '', [200]);
  for (const entry of recordsOf(json ?? parseJsonObject(Buffer.from('{}')))) {
    const url = textOf(entry, 'url') ?? '';
    const kind = textOf(entry, 'kind');
    // A function that nobody wrote a handler for is not there to be read.
    if (kind === 'FunctionImport') continue;
    await must(subject, url, kind === 'Singleton' ? [200, 204, 404] : [200]);
  }
}
