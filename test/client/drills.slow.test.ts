import test from 'ava';
import { createClient, ServiceError, type Client, type ClientOptions } from '../../client/index.js';
import { service as table, type Sets } from '../../generated/client.js';
import { startService, type TestService } from '../support/service.js';
import { draft } from './draft.js';

async function clientOf(service: TestService, options: Partial<ClientOptions> = {}): Promise<Client<Sets>> {
  return createClient(table, { baseUrl: service.root, token: await service.token('write'), ...options });
}

test('pages lose nothing and repeat nothing while others write', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const api = await clientOf(service);
  const made = await Promise.all(Array.from({ length: 20 }, () => api.Property.create(draft, { select: ['ListingKey'] })));
  const before = new Set((await api.Property.find({ select: ['ListingKey'] }).all()).map(({ ListingKey }) => ListingKey));
  const found: string[] = [];
  const find = api.Property.find({ select: ['ListingKey'], orderby: ['ListingKey'] }, { pageSize: 3 });
  for await (const { ListingKey } of find) {
    found.push(ListingKey);
    const one = made[found.length % made.length];
    if (found.length % 3 === 0 && one) await api.Property.update(one.ListingKey, { ListPrice: found.length, ChangedByMemberKey: 'M1' });
    if (found.length % 5 === 0 && found.length < 30) await api.Property.create(draft);
  }
  t.is(new Set(found).size, found.length);
  t.deepEqual(
    [...before].filter((key) => !found.includes(key)),
    [],
  );
});

test('an abort ends a loop at once, and the client goes on', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const api = await clientOf(service);
  const controller = new AbortController();
  const reason = new Error('enough');
  const loop = async (): Promise<void> => {
    for await (const { ListingKey } of api.Property.find({}, { pageSize: 1, signal: controller.signal })) {
      t.truthy(ListingKey);
      controller.abort(reason);
    }
  };
  t.is(await t.throwsAsync(loop()), reason);
  t.true((await api.Property.count()) > 0);
});

test('a limit of the service is an error that says when to come back', async (t) => {
  const service = await startService({ GABLE_REQUESTS_PER_MINUTE: '2' });
  t.teardown(() => service.stop());
  const api = await clientOf(service, { retries: 0 });
  const asked = await Promise.allSettled([1, 2, 3, 4].map(() => api.Property.count()));
  const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as ServiceError] : []));
  t.is(refused.length, 2);
  for (const error of refused) {
    t.like(error, { status: 429, code: '1550' });
    t.true((error.retryAfter ?? 0) > 0 && (error.retryAfter ?? 0) <= 60_000);
  }
});

test('a create that is sent twice with its id is made once', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  let lost = 1;
  // The answer to the first request is lost on its way.
  const flaky = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (init?.method !== 'POST' || lost-- <= 0) return response;
    throw new TypeError('fetch failed');
  };
  const api = await clientOf(service, { fetch: flaky, repeatable: true });
  const count = await api.Property.count();
  const created = await api.Property.create(draft);
  t.is(created.City, 'Guelph');
  t.is(await api.Property.count(), count + 1);
});
