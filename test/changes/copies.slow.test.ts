import test from 'ava';
import fc from 'fast-check';
import { startToy, type ToyService } from '../toy/toy-service.js';
import { copyOf, freshly, type Copy } from './copy.js';

const callers = {
  all: { subject: 'a', scopes: new Set(['all']) },
  own: { subject: 'o', scopes: new Set(['own']), member: 'M' },
};

let service: ToyService;
test.before(async () => {
  service = await startToy('test/changes/shops.xml', callers);
});
test.after.always(() => service?.stop());

/** A write, by the number of the record. */
type Write = (number: number, value: number) => { readonly method: string; readonly path: string; readonly body?: object };

const item = (number: number): string => `Items(Area='${number % 2 === 0 ? "a'b" : 'c"d'}',No=${number % 6})`;
const shop = (number: number): string => `Shops(${number % 3})`;
const owners = ['M', 'N', null];

const writes: readonly Write[] = [
  (number, value) => ({ method: 'PATCH', path: item(number), body: { Price: value % 5, Owner: owners[value % 3] } }),
  (number, value) => ({ method: 'PATCH', path: item(number), body: { Owner: owners[value % 3] } }),
  (number, value) => ({ method: 'PATCH', path: item(number), body: { Cost: value } }),
  (number, value) => ({ method: 'PATCH', path: item(number), body: { Price: value % 5, 'Shop@odata.bind': shop(value) } }),
  (number) => ({ method: 'DELETE', path: item(number) }),
  (number, value) => ({ method: 'PATCH', path: shop(number), body: { Town: String(value % 2), Owner: owners[value % 3] } }),
  (number) => ({ method: 'DELETE', path: shop(number) }),
  (number, value) => ({ method: 'PUT', path: `${item(number)}/Shop/$ref`, body: { '@odata.id': shop(value) } }),
  (number) => ({ method: 'DELETE', path: `${item(number)}/Shop/$ref` }),
  (_, value) => ({ method: 'PATCH', path: `Items/$filter(Price%20lt%203)/$each`, body: { Price: value % 5 } }),
];

/** The queries that clients copy. */
const queries = [
  { set: 'Items', query: '' },
  { set: 'Items', query: '$filter=Price%20ge%202' },
  { set: 'Items', query: "$select=Area,No,Price&$filter=Owner%20eq%20'M'%20or%20Price%20eq%20null" },
  { set: 'Shops', query: '$expand=Items($select=Area,No,Price;$orderby=Area,No)' },
  { set: 'Shops', query: "$filter=Town%20eq%20'1'&$expand=Items($select=Area,No,Owner;$filter=Price%20gt%200;$orderby=Area,No)" },
];

const keyOf = (entry: { readonly [name: string]: unknown }): string =>
  'Area' in entry ? `${String(entry['Area'])} ${String(entry['No'])}` : String(entry['Id']);

const round = fc.array(fc.tuple(fc.nat(writes.length - 1), fc.nat(11), fc.nat(20)), { minLength: 1, maxLength: 8 });

test('a copy that only applies delta pages equals a fresh read, for callers with and without row filters', async (t) => {
  t.timeout(180_000);
  const visible = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 4 }), fc.integer({ min: 1, max: 4 }), async (rounds, pageSize) => {
      const copies = await Promise.all(
        Object.keys(callers).flatMap((token) =>
          queries.map(async ({ set, query }) => ({
            token,
            url: `${service.root}/${set}?${query}`,
            copy: await copyOf(`${service.root}/${set}?${query}`, token, keyOf, pageSize),
          })),
        ),
      );
      for (const writing of rounds) {
        for (const [kind, number, value] of writing) {
          await send(writes[kind]?.(number, value));
          for (const key of await visibleKeys()) visible.add(key);
        }
        for (const one of copies) await check(one, visible);
        const events = await eventKeys();
        const hidden = events.filter((key) => !visible.has(key));
        if (hidden.length > 0) throw new Error(`The changes name hidden records: ${hidden.join(', ')}.`);
      }
    }),
    { numRuns: Number(process.env['COPY_RUNS'] ?? 6) },
  );
  t.pass();
});

interface Followed {
  readonly token: string;
  readonly url: string;
  readonly copy: Copy;
}

async function check({ token, url, copy }: Followed, visible: ReadonlySet<string>): Promise<void> {
  const entries = await copy.follow();
  const fresh = await freshly(url, token, keyOf);
  const differing = [...new Set([...fresh.keys(), ...copy.records().keys()])].filter((key) => fresh.get(key) !== copy.records().get(key));
  if (differing.length > 0)
    throw new Error(
      `${token} ${url}: ${differing.map((key) => `${key} is ${fresh.get(key)}, the copy has ${copy.records().get(key)}`).join('; ')}`,
    );
  const hidden = token === 'own' ? entries.filter((key) => !visible.has(key)) : [];
  if (hidden.length > 0) throw new Error(`${url} tells of hidden records: ${hidden.join(', ')}`);
  if (new Set(entries).size < entries.length) throw new Error(`${url} has a record twice: ${entries.join(', ')}`);
}

async function visibleKeys(): Promise<readonly string[]> {
  const sets = await Promise.all(['Items', 'Shops'].map((set) => freshly(`${service.root}/${set}`, 'own', keyOf)));
  return sets.flatMap((found) => [...found.keys()]);
}

// The keys of the events that a caller with row filters gets.
async function eventKeys(): Promise<readonly string[]> {
  const found = await freshly(`${service.root}/Changes`, 'own', ({ No: number }) => String(number));
  const events = [...found.values()].map((text) => JSON.parse(text) as { readonly Set: string; readonly Key: string });
  return events.map(({ Set: set, Key: key }) => (set === 'Items' ? (JSON.parse(key) as string[]).join(' ') : key));
}

async function send(write: ReturnType<Write> | undefined): Promise<void> {
  if (write === undefined) return;
  const { method, path, body } = write;
  const response = await fetch(`${service.root}/${path}`, {
    method,
    headers: { Authorization: 'Bearer all', 'Content-Type': 'application/json', Prefer: 'return=minimal' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status >= 500) throw new Error(`${method} ${path} is ${response.status}: ${await response.text()}`);
}
