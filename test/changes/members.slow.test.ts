import test from 'ava';
import { startToy, type Callers, type ToyService } from '../toy/toy-service.js';

const worker = (member: string): Callers[string] => ({ subject: member, scopes: new Set(['worker']), member });
const callers: Callers = { anna: worker('anna'), carl: worker('carl') };

let service: ToyService;
test.before(async () => {
  service = await startToy('test/changes/members.xml', callers);
});
test.after.always(() => service.stop());

interface Page {
  readonly '@odata.deltaLink': string;
}

const links: readonly (readonly [query: string, status: number])[] = [
  ['Teams?$select=Id', 200],
  // Workers see their own tasks.
  ['Teams?$select=Id&$expand=Tasks($select=Id)', 410],
];

for (const [query, status] of links) {
  test(`another member is answered ${status} to the delta link of ${query}`, async (t) => {
    const { '@odata.deltaLink': link } = (await (await ask(`${service.root}/${query}`, 'anna')).json()) as Page;
    t.is((await ask(link, 'anna')).status, 200);
    t.is((await ask(link, 'carl')).status, status);
  });
}

function ask(url: string, caller: string): Promise<Response> {
  return fetch(url, { headers: { Authorization: `Bearer ${caller}`, Prefer: 'track-changes', 'OData-MaxVersion': '4.01' } });
}
