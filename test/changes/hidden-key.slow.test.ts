import test from 'ava';
import { startToy, type Callers, type ToyService } from '../toy/toy-service.js';

const callers: Callers = {
  adam: { subject: 'adam', scopes: new Set(['all']) },
  bea: { subject: 'bea', scopes: new Set(['blind']) },
};

let service: ToyService;
test.before(async () => {
  service = await startToy('test/changes/safes.xml', callers);
  const body = JSON.stringify({ Code: 'secret', Room: 'cellar' });
  await ask('Safes', 'adam', { method: 'POST', body });
});
test.after.always(() => service.stop());

test('a caller who may not read the key cannot follow the set, whose removed records have it', async (t) => {
  const read = await ask('Safes', 'bea');
  t.is(read.headers.get('preference-applied'), null);
  t.false((await read.text()).includes('deltatoken'));
  t.is((await ask('Safes?$deltatoken=latest', 'bea')).status, 501);
  t.is((await ask('Safes?$deltatoken=latest', 'adam')).status, 200);
});

test('nor do events tell the key', async (t) => {
  t.true((await (await ask('Changes', 'adam')).text()).includes('secret'));
  t.false((await (await ask('Changes', 'bea')).text()).includes('secret'));
});

function ask(path: string, caller: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${caller}`,
    Prefer: 'track-changes',
    'OData-MaxVersion': '4.01',
    'Content-Type': 'application/json',
  };
  return fetch(`${service.root}/${path}`, { ...init, headers });
}
