import test from 'ava';
import { startClubs } from './club-databases.js';
import type { TwoDatabases } from './two-databases.js';

/** The answers of an entity source for visible and hidden entities. */
interface Place {
  readonly method?: string;
  /** With SET, KEY, NAME (of the key property) and FIELD to be put in. */
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly hidden: RegExp;
  readonly seen: RegExp;
}

const found = /^200 /;
const missing = /^404 /;
const empty = /^200 .*"value":\[\]/s;

// oxfmt-ignore
/** Places where a record can be met by its key. */
const reads: readonly Place[] = [
  { path: '/SET(KEY)', hidden: missing, seen: found },
  { path: '/SET(KEY)/NAME', hidden: missing, seen: found },
  { path: '/SET(KEY)/NAME/$value', hidden: missing, seen: found },
  { path: '/SET(KEY)/$ref', hidden: missing, seen: found },
  { path: '/SET(KEY)/FIELD', hidden: missing, seen: /^20[04]/ },
  { path: '/$entity?$id=SET(KEY)', hidden: missing, seen: found },
  { path: '/SET?$filter=NAME eq KEY', hidden: empty, seen: /^200 .*"value":\[\{/s },
  { path: '/SET?$filter=not (NAME ne KEY)', hidden: empty, seen: /^200 .*"value":\[\{/s },
  { path: '/SET/$count?$filter=NAME eq KEY', hidden: /^200 0$/, seen: /^200 1$/ },
  { path: '/SET/$filter(NAME eq KEY)/$count', hidden: /^200 0$/, seen: /^200 1$/ },
  { path: '/SET/$filter(NAME eq KEY)/$ref', hidden: empty, seen: /^200 .*"value":\[\{/s },
  { path: '/Steps/$count?$filter=$root/SET(KEY)/NAME ne null', hidden: /^200 0$/, seen: /^200 20$/ },
  { path: '/Steps/$count?$filter=$root/SET/any(x:x/NAME eq KEY)', hidden: /^200 0$/, seen: /^200 20$/ },
  { path: '/SET?$apply=filter(NAME eq KEY)/aggregate($count as N)', hidden: /^200 .*"N":0/s, seen: /^200 .*"N":1/s },
  { path: '/SET?$apply=groupby((NAME))/filter(NAME eq KEY)', hidden: empty, seen: /^200 .*"value":\[\{/s },
  { path: '/$crossjoin(SET,Steps)/$count?$filter=SET/NAME eq KEY', hidden: /^200 0$/, seen: /^200 20$/ },
  { method: 'POST', path: '/SET/$query', body: '$filter=NAME%20eq%20KEY', headers: { 'Content-Type': 'text/plain' }, hidden: empty, seen: /^200 .*"value":\[\{/s },
  { method: 'POST', path: '/$batch', body: '{"requests":[{"id":"0","method":"get","url":"SET(KEY)"}]}', hidden: /"status":404/, seen: /"status":200/ },
];

/** Write requests; nothing is changed, visible or hidden, since each requires a missing condition. */
const writes: readonly Place[] = [
  {
    method: 'PATCH',
    path: '/SET(KEY)',
    body: '{}',
    headers: { 'If-Match': '"no"' },
    hidden: /^(404|412 .*does not exist)/s,
    seen: /^412 (?!.*does not exist)/s,
  },
  {
    method: 'DELETE',
    path: '/SET(KEY)',
    headers: { 'If-Match': '"no"' },
    hidden: /^(404|412 .*does not exist)/s,
    seen: /^412 (?!.*does not exist)/s,
  },
  {
    method: 'PATCH',
    path: '/SET/$filter(NAME eq KEY)/$each?$select=NAME',
    body: '{}',
    headers: { Prefer: 'return=representation' },
    hidden: /^200 .*"value":\[\]/s,
    seen: /^200 .*"value":\[\{/s,
  },
];

// oxfmt-ignore
/** A record of each set that a caller sees, and one that it does not. */
const records: readonly { readonly caller: string; readonly set: string; readonly name: string; readonly field: string; readonly seen: string; readonly hidden: string }[] = [
  { caller: 'reader', set: 'Tasks', name: 'Id', field: 'Where', seen: '4', hidden: '3' },
  { caller: 'reader', set: 'Teams', name: 'Id', field: 'Safe', seen: "'a'", hidden: "'b'" },
  { caller: 'reader', set: 'People', name: 'Name', field: 'Den', seen: "'fay'", hidden: "'carl'" },
  { caller: 'reader', set: 'Photos', name: 'Id', field: 'Title', seen: '1', hidden: '2' },
  { caller: 'worker', set: 'Tasks', name: 'Id', field: 'Next', seen: '3', hidden: '2' },
  { caller: 'worker', set: 'Teams', name: 'Id', field: 'Safe', seen: "'b'", hidden: "'c'" },
  { caller: 'worker', set: 'People', name: 'Name', field: 'Mail', seen: "'dora'", hidden: "'ed'" },
  { caller: 'worker', set: 'Photos', name: 'Id', field: 'Title', seen: '3', hidden: '4' },
];

let two: TwoDatabases;
test.before(async () => {
  two = await startClubs();
  await two.reset('reader');
});
test.after.always(() => two.stop());

for (const { caller, set, name, field, seen, hidden } of records) {
  test.serial(`${caller}: a record of ${set} in sight is met everywhere, and one out of sight nowhere`, async (t) => {
    for (const place of caller === 'reader' ? reads : [...reads, ...writes]) {
      const put = (text: string, key: string): string =>
        text.replaceAll('SET', set).replaceAll('KEY', key).replaceAll('NAME', name).replaceAll('FIELD', field);
      t.regex(await ask(place, (text) => put(text, seen), caller), place.seen, `${put(place.path, seen)} in sight`);
      t.regex(await ask(place, (text) => put(text, hidden), caller), place.hidden, `${put(place.path, hidden)} out of sight`);
    }
  });
}

async function ask({ method = 'GET', path, body, headers = {} }: Place, put: (text: string) => string, caller: string): Promise<string> {
  const [{ listening }] = two.services;
  const response = await fetch(listening + put(path).replaceAll(' ', '%20'), {
    method,
    headers: { 'Content-Type': 'application/json', ...headers, Authorization: `Bearer ${caller}` },
    ...(body !== undefined && { body: put(body) }),
  });
  return `${response.status} ${await response.text()}`;
}
