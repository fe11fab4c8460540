import { readFileSync } from 'node:fs';
import test from 'ava';
import { generate } from '../../generator/generate.js';
import { startToy } from '../toy/toy-service.js';

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

// oxfmt-ignore
/** Requests, the form of the generated key, and further expectations. */
const posts: readonly { readonly what: string; readonly path: string; readonly body: object; readonly key: string; readonly shows?: RegExp }[] = [
  { what: 'Rules.KeyGeneration without a strategy: a UUID, behind the prefix', path: 'Slips', body: { Text: 'A' }, key: `S'${uuid}` },
  { what: 'a key that a client sends is not taken', path: 'Slips', body: { Id: 'mine', Text: 'B' }, key: `S'${uuid}` },
  { what: 'a computed Edm.Guid of which nothing is said', path: 'Marks', body: {}, key: uuid },
  { what: 'a computed Edm.String that has room for a UUID', path: 'Words', body: { Text: 'C' }, key: uuid },
  { what: 'records within refer to the key that is made', path: 'Slips?$expand=Marks', body: { Marks: [{}, {}] }, key: `S'${uuid}`, shows: new RegExp(`"SlipId":"S'${uuid}".*"SlipId":"S'${uuid}"`) },
  { what: 'a computed Edm.Guid beside a key property that the client gives, as in drafts', path: 'Drafts', body: { IsActive: false }, key: uuid, shows: /"IsActive":false/ },
  { what: 'records within that have a key of the kind', path: 'Drafts?$expand=Pages', body: { Pages: [{ IsActive: true }, { Id: '00000000-0000-0000-0000-000000000001', IsActive: true }] }, key: uuid, shows: new RegExp(`"Pages":.*"Id":"0{8}-.*01".*"Id":"(?!0{8})${uuid}"`) },
];

test('keys that the service makes as UUIDs', async (t) => {
  const slips = await startToy('test/toy/slips.xml');
  t.teardown(() => slips.stop());
  const ids = new Set<string>();
  for (const { what, path, body, key, shows } of posts) {
    const created = await fetch(`${slips.root}/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await created.text();
    t.is(created.status, 201, `${what}: ${text}`);
    const { Id } = JSON.parse(text) as { readonly Id: string };
    t.regex(Id, new RegExp(`^${key}$`), what);
    if (shows) t.regex(text, shows, what);
    const read = await fetch(created.headers.get('Location') ?? '');
    t.is(((await read.json()) as { readonly Id: string }).Id, Id, what);
    ids.add(Id);
  }
  t.is(ids.size, posts.length);
  t.regex(await (await fetch(`${slips.root}/Today`)).text(), new RegExp(`"Id":"S'${uuid}"`), 'the row of a singleton');
});

test('a computed key that is too short for a UUID has to come from elsewhere', (t) => {
  const text = readFileSync('test/toy/slips.xml', 'utf8');
  const isMade = (room: number): boolean => {
    const bytes = Buffer.from(text.replace('Type="Edm.String" Nullable="false"', `Type="Edm.String" MaxLength="${room}" Nullable="false"`));
    return generate({ path: 'test/toy/slips.xml', bytes }).files.some(
      (file) => file.path === 'word/index.ts' && file.text.includes("keyGeneration: { strategy: 'uuid'"),
    );
  };
  t.deepEqual([36, 35].map(isMade), [true, false]);
});
