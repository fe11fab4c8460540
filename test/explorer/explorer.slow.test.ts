// Depends on PostgreSQL: SQL.
import { readFileSync } from 'node:fs';
import test from 'ava';
import { readText, toRequest } from '../../explorer/language/request-text.js';
import { container } from '../../generated/index.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import { issueCode } from '../../runtime/features/explorer/explorer.js';
import { type ShownTables, shownTables } from '../../runtime/features/explorer/shown-tables.js';
import { accessTo } from '../../runtime/plan/caller.js';
import { printIntroduction } from '../../runtime/tools/cli/introduce.js';
import { startService, type TestService } from '../support/service.js';
import { difference } from './differential.js';

let service: TestService;

test.before(async () => {
  service = await startService({ GABLE_EXPLORER: 'true' });
});

test.after.always(() => service.stop());

const page = (path: string): string => new URL(`../explorer/${path}`, `${service.root}/`).href;

async function tablesOf(name: string): Promise<ShownTables> {
  const response = await fetch(page('tables.json'), { headers: { Authorization: `Bearer ${await service.token(name)}` } });
  return (await response.json()) as ShownTables;
}

test('the tables need a token, and are not kept', async (t) => {
  const refused = await fetch(page('tables.json'));
  t.is(refused.status, 401);
  const { headers } = await fetch(page('tables.json'), { headers: { Authorization: `Bearer ${await service.token('read')}` } });
  t.is(headers.get('cache-control'), 'no-store');
  t.is((await fetch(page('tables.json'), { method: 'POST' })).status, 405);
});

test('the tables tell a caller no value, limit or row filter of what is hidden', async (t) => {
  const [narrow, wide] = [await tablesOf('read'), await tablesOf('write')];
  const hidden = narrow.container.entityTypes['Property']?.fields['SoldPrice'];
  t.deepEqual(
    Object.keys(hidden ?? {}).filter((name) => /allowedValues|lookup|minimum|maximum|default|pattern/.test(name)),
    [],
  );
  t.true('minimum' in (wide.container.entityTypes['Property']?.fields['SoldPrice'] ?? {}));
  t.false(JSON.stringify(narrow).includes('"rows"'));
  t.deepEqual(narrow.scopes, ['listing.read']);
});

function redeem(body: string): Promise<Response> {
  return fetch(page('sign-in'), { method: 'POST', body });
}

test('what the tables of a caller hide has no influence on them', (t) => {
  const caller = { subject: '', scopes: new Set(['listing.read']) };
  const { Property: type } = container.entityTypes;
  const { restricted } = accessTo(type as EntityType, 'read', caller) as { readonly restricted: ReadonlySet<string> };
  t.true(restricted.has('SoldPrice'));
  const changed = Object.entries(type?.fields ?? {}).map(([name, field]) => [
    name,
    restricted.has(name)
      ? { ...field, allowedValues: ['secret'], minimum: '7', maximum: '9', default: 'secret', lookup: 'Secrets', pattern: 'x' }
      : field,
  ]);
  const other = { ...container, entityTypes: { ...container.entityTypes, Property: { ...type, fields: Object.fromEntries(changed) } } };
  t.deepEqual(shownTables(other as EntityContainer, caller), shownTables(container, caller));
});

test('a service without the explorer has none of its addresses', async (t) => {
  const plain = await startService();
  t.teardown(plain.stop);
  for (const path of ['', 'tables.json', 'sign-in'])
    t.is(
      (await fetch(new URL(`../explorer/${path}`, `${plain.root}/`), { headers: { Authorization: `Bearer ${await plain.token('read')}` } }))
        .status,
      404,
    );
});

test('gable start prints the link', (t) => {
  const introduction = { url: 'http://localhost:4004/odata', token: 'x', expires: '', requests: [], pages: undefined };
  const explorer = 'http://localhost:4004/explorer/#code=y';
  t.true(printIntroduction({ ...introduction, explorer }).includes(`\n  ${explorer}\n`));
  t.false(printIntroduction(introduction).includes('explorer'));
});

test('a link signs in once', async (t) => {
  const code = issueCode('a token');
  t.deepEqual(await (await redeem(code)).json(), { token: 'a token' });
  t.is((await redeem(code)).status, 401);
  t.is((await redeem('x'.repeat(1000))).status, 413);
});

test('what is marked is what the service answers', async (t) => {
  const tables = await tablesOf('write');
  const headers = { Authorization: `Bearer ${await service.token('write')}`, 'OData-MaxVersion': '4.01' };
  const inputs = readFileSync('test/explorer/mistakes.case', 'utf8')
    .split('\n')
    .filter((line) => /^["/]/.test(line))
    .map((line) => (line.startsWith('"') ? (JSON.parse(line) as string) : line));
  t.true(inputs.length > 60);
  for (const input of inputs) {
    const { path, query } = toRequest(readText(input));
    t.is(await difference(`${path}?${query}`, tables, (one) => fetch(service.root + one, { headers })), undefined);
  }
});
