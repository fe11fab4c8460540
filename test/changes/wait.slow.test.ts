import test from 'ava';
import { waitLimits } from '../../runtime/features/changes/delta/wait.js';
import { startService } from '../support/service.js';

test('an answer waits until something changes; beyond the limit of waiting requests it comes at once', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const Authorization = `Bearer ${await service.token('write')}`;
  const linkOf = async (query: string): Promise<string> => {
    const response = await fetch(`${service.root}/${query}&$deltatoken=latest`, { headers: { Authorization } });
    return ((await response.json()) as { '@odata.deltaLink': string })['@odata.deltaLink'];
  };
  const link = await linkOf('Property?$select=ListingKey');
  const ask = (seconds: number): Promise<Response> => fetch(link, { headers: { Authorization, Prefer: `wait=${seconds}` } });
  const started = performance.now();
  const many = Array.from({ length: waitLimits.requests + 5 }, () => ask(waitLimits.seconds));
  const first = await Promise.race(many);
  t.is(first.headers.get('preference-applied'), null);
  await fetch(`${service.root}/Property('5')`, {
    method: 'PATCH',
    headers: { Authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ChangedByMemberKey: 'M1', ListPrice: 7 }),
  });
  const answers = await Promise.all(many);
  t.true(performance.now() - started < 1_000 * waitLimits.seconds);
  const waited = answers.filter((response) => response.headers.get('preference-applied') === `wait=${waitLimits.seconds}`);
  t.is(waited.length, waitLimits.requests);
  for (const response of waited) t.regex(await response.text(), /"value":\[\{.*"ListingKey":"5"/);
});
