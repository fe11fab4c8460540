import test from 'ava';
import { createRandom, type Random } from '../permission/random.js';
import { startToy, type ToyService } from '../toy/toy-service.js';
import { pageAt, type Page } from './copy.js';

const callers = {
  all: { subject: 'a', scopes: new Set(['all']) },
  own: { subject: 'o', scopes: new Set(['own']), member: 'M' },
};

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const queries = [
  'Items?',
  'Items?$filter=Price%20gt%202',
  'Shops?$expand=Items($select=Area,No;$orderby=Area,No)',
  "Shops?$filter=Town%20eq%20'1'&$expand=Items($select=No;$orderby=Area,No)",
];

const rounds = 25;

test('what a caller gets of changes does not depend on changes of hidden records', async (t) => {
  t.timeout(180_000);
  const services = [await startToy('test/changes/shops.xml', callers), await startToy('test/changes/shops.xml', callers)] as const;
  t.teardown(() => Promise.all(services.map(({ stop }) => stop())));
  const random = createRandom(7);
  for (const service of services)
    for (const write of [0, 1, 2].map((id) => shop(id, { Owner: 'M', Town: '1' }))) await send(service, write);
  let links = services.map(({ root }) => queries.map((query) => `${root}/${query}${query.endsWith('?') ? '' : '&'}$deltatoken=latest`));
  let shown = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (let count = random.below(4); count >= 0; count -= 1) {
      const seen = visibleWrite(random);
      for (const service of services) await send(service, seen);
      for (let hidden = random.below(4); hidden > 0; hidden -= 1) await send(services[1], hiddenWrite(random));
    }
    const [one = [], other = []] = await Promise.all(
      links.map((all) => Promise.all(all.map((link) => pageAt(link, 'own', 'track-changes')))),
    );
    t.deepEqual(one.map(shownOf), other.map(shownOf), `round ${round}`);
    shown += one.flatMap(({ value }) => value).length;
    links = [one, other].map((pages) => pages.map((page) => page['@odata.deltaLink'] ?? ''));
    t.deepEqual(await eventsOf(services[0]), await eventsOf(services[1]), `events of round ${round}`);
  }
  t.true(shown > rounds, `${shown} changes`);
});

const shop = (id: number, body: object): Write => ({ method: 'PATCH', path: `Shops(${id})`, body });
const item = (no: number): string => `Items(Area='a',No=${no})`;

// Items 0 to 4 change hands, so that they appear and disappear.
function visibleWrite(random: Random): Write {
  const no = random.below(5);
  const body = { Owner: random.pick(['M', 'M', 'N']), Price: random.below(6), 'Shop@odata.bind': `Shops(${random.below(3)})` };
  return random.pick([
    { method: 'PATCH', path: item(no), body },
    { method: 'PATCH', path: item(no), body: { Price: random.below(6) } },
    { method: 'DELETE', path: item(no) },
    shop(random.below(3), { Town: String(random.below(2)), Owner: 'M' }),
  ]);
}

// Items and shops from 100 on are never seen, but belong to shops that are.
function hiddenWrite(random: Random): Write {
  const no = 100 + random.below(4);
  return random.pick([
    { method: 'PATCH', path: item(no), body: { Owner: 'N', Price: random.below(6), 'Shop@odata.bind': `Shops(${random.below(3)})` } },
    { method: 'DELETE', path: item(no) },
    shop(100 + random.below(2), { Owner: 'N', Town: '1' }),
    { method: 'DELETE', path: `Shops(${100 + random.below(2)})` },
  ]);
}

function shownOf({ value }: Page): string {
  return JSON.stringify(value).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'root');
}

// Numbers have gaps, which tell that something was changed, but not what.
async function eventsOf({ root }: ToyService): Promise<readonly string[]> {
  const { value } = await pageAt(`${root}/Changes?$select=Set,Key`, 'own', 'maxpagesize=1000');
  return value.map((event) => `${String(event['Set'])} ${String(event['Key'])}`);
}

async function send({ root }: ToyService, { method, path, body }: Write): Promise<void> {
  const response = await fetch(`${root}/${path}`, {
    method,
    headers: { Authorization: 'Bearer all', 'Content-Type': 'application/json', Prefer: 'return=minimal' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status >= 500) throw new Error(`${method} ${path} is ${response.status}: ${await response.text()}`);
}
