import test, { type ExecutionContext } from 'ava';
import { startService, type TestService } from '../support/service.js';

const names = Array.from({ length: 990 }, (_, index) => `'no such city ${index}'`).join(',');

interface Page {
  readonly error?: { readonly code: string };
  readonly value?: readonly { readonly ListingKey: string }[];
  readonly '@odata.nextLink'?: string;
}

async function started(t: ExecutionContext): Promise<TestService & { readonly headers: Record<string, string> }> {
  const service = await startService();
  t.teardown(() => service.stop());
  return {
    ...service,
    headers: { Authorization: `Bearer ${await service.token('all')}`, 'Content-Type': 'text/plain', Prefer: 'maxpagesize=4' },
  };
}

test('a link that would be too long for a URL is followed by POST with the same body', async (t) => {
  const { root, headers } = await started(t);
  const body = `$select=ListingKey&$filter=${encodeURIComponent(`not (City in (${names}))`)}`;
  t.true(body.length > 16 * 1024);
  const post = async (url: string, query = body): Promise<Page> =>
    (await (await fetch(url, { method: 'POST', headers, body: query })).json()) as Page;
  const first = await post(`${root}/Property/$query`);
  t.is(first.value?.length, 4);
  const link = first['@odata.nextLink'] ?? '';
  t.true(link.startsWith(`${root}/Property/$query?$skiptoken=`), link.slice(0, 80));
  const get = await fetch(link, { headers });
  t.is(get.status, 405);
  t.is(get.headers.get('allow'), 'POST');
  t.is((await post(link, '$select=ListingKey')).error?.code, '1045');
  const second = await post(link);
  t.is(second['@odata.nextLink'], undefined);
  t.deepEqual([...(first.value ?? []), ...(second.value ?? [])].map(({ ListingKey }) => ListingKey).toSorted(), [
    '3',
    '4',
    '5',
    '6',
    'Draft1',
    'Draft2',
  ]);
});
