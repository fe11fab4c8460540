// Depends on PostgreSQL: SQL.

import test from 'ava';
import { container } from '../../generated/index.js';
import { startService } from '../support/service.js';

// A model that tracks no set has no change log: nothing follows its writes.
for (const type of Object.values(container.entityTypes)) Object.assign(type, { tracking: undefined });

test('a listing is created, published under another key, changed and deleted without a change log', async (t) => {
  const service = await startService();
  t.teardown(service.stop);
  const headers = { Authorization: `Bearer ${await service.token('write')}`, 'Content-Type': 'application/json' };
  const send = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${service.root}/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    t.true(answer.ok, `${method} ${path} was answered with ${answer.status}`);
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>);
  };
  const by = { ChangedByMemberKey: 'M1' };
  const place = { PropertyType: 'Residential', StreetNumber: '1', StreetName: 'Elm', City: 'Toronto' };
  const draft = await send('POST', 'Property', { ListAgentKey: 'M1', ListOfficeKey: 'M2', ...place });
  const published = await send('PATCH', `Property('${String(draft['ListingKey'])}')`, { StandardStatus: 'Active', ...by });
  t.not(published['ListingKey'], draft['ListingKey']);
  const path = `Property('${String(published['ListingKey'])}')`;
  t.is((await send('PATCH', path, { ListPrice: 5, ...by }))['ListPrice'], 5);
  await send('DELETE', path);
});
