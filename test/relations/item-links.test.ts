import test from 'ava';
import { withItemLinks } from '../../runtime/store/item-links.js';
import type { ItemLink, WritePlan } from '../../runtime/plan/write/write-plan.js';
import type { Connection, Row, Statement } from '../../runtime/sql/statement.js';
import { startToy } from '../toy/toy-service.js';

test('what many items lead to is looked for once, and what leads nowhere is told of each', async (t) => {
  const { container, stop } = await startToy('test/toy/items.xml');
  await stop();
  const { Order, Product } = container.entityTypes;
  if (!Order || !Product) return void t.fail();
  const place = (value: string): ItemLink['place'] => ({
    type: Product,
    alias: 't0',
    parents: [],
    key: [{ column: 'Id', sqlType: 'integer', value }],
    via: undefined,
  });
  const [known, unknown] = [place('7'), place('8')];
  const link = (index: number, to: ItemLink['place'], ...names: ItemLink['names']): ItemLink => ({
    names: ['Lines', index, ...names],
    member: '#Product',
    target: Product,
    place: to,
    id: 'it',
    at: `Lines[${index}]`,
  });
  const plan: WritePlan = {
    type: Order,
    values: new Map([
      ['Id', '1'],
      ['Lines', '[{"Amount":1},null,{"Parts":[{},{"Name":"a"}]},{}]'],
    ]),
    patches: new Map(),
    references: [],
    faults: [],
    itemLinks: [link(0, known), link(2, known), link(2, known, 'Parts', 1), link(3, unknown), link(3, unknown)],
  };
  const asked: Statement[] = [];
  const connection: Pick<Connection, 'run'> = {
    run: (statement: Statement): Promise<readonly Row[]> => {
      asked.push(statement);
      return Promise.resolve([['1', '70']]);
    },
  };
  const { values, faults } = await withItemLinks(plan, connection as Connection);
  t.is(asked.length, 1);
  t.deepEqual(asked[0]?.bind, [['7', '8']]);
  t.is(values.get('Lines'), '[{"Amount":1,"#Product":70},null,{"Parts":[{},{"Name":"a","#Product":70}],"#Product":70},{}]');
  t.deepEqual(
    faults.map(({ target }) => target),
    ['Lines[3]', 'Lines[3]'],
  );
});

test('every link of items leads somewhere, and what is shown with links can be sent back', async (t) => {
  const { root, stop } = await startToy('test/toy/ordinals.xml');
  t.teardown(() => stop());
  const line = {
    Amount: 1,
    Inner: { City: 'Lund' },
    Parts: [{ X: 1 }],
    'Product@odata.bind': 'Products(1)',
    'Products@odata.bind': ['Products(1)'],
    Notes: [{ Id: 1 }],
    Seal: { Id: 2 },
  };
  const lines = [line, null, { ...line, '@odata.type': '#Ns.Special', 'Receiver@odata.bind': "People('Ada')" }];
  await ask('POST', `${root}/People`, { Name: 'Ada' });
  await ask('POST', `${root}/Products`, { Id: 1 });
  await ask('PUT', `${root}/Setting`, { Colours: [], Lines: lines.filter((one) => one !== null) });
  await ask('POST', `${root}/Orders`, { Id: 1, Lines: lines, Main: line, Items: [{ No: 4, Lines: [line] }] });
  const links: [string, string][] = [];
  for (const path of [
    'Orders(1)?$expand=Items',
    'Setting',
    'Orders(1)/Lines?$skip=2',
    'Orders(1)/Lines/-1',
    'Setting/Lines?$top=1',
    'Setting/Lines?$filter=Amount%20eq%202',
    'Orders(1)/Lines?$orderby=Amount%20desc&$skip=1',
    'Setting/Lines/Ns.Special',
    'Setting/Lines/Ns.Special?$filter=Parts/any()',
    'Orders(1)/Items',
    'Orders(1)/Lines/0/Parts/0',
    'Orders(1)/Main',
  ])
    links.push(...linksIn(await said(ask('GET', `${root}/${path}`))));
  const some = (await said(ask('GET', `${root}/Setting/Lines/Ns.Special?$filter=Parts/any()&$orderby=Amount`))) as {
    readonly value: readonly { readonly [name: string]: unknown }[];
  };
  t.deepEqual(
    some.value.map((item) => item['Seal@odata.navigationLink']),
    [`${root}/Setting/Lines/1/Ns.Special/Seal`],
  );
  const told = new Set(links.map(([, url]) => url.slice(root.length)));
  for (const url of [
    '/Orders(1)/Lines/2/Ns.Special/Receiver',
    '/Orders(1)/Lines/0/Parts/0/Maker/$ref',
    '/Orders(1)/Items(4)/Lines/0/Inner/Guide',
    '/Orders(1)/Main/Parts/0/Maker',
    '/Orders(1)/Main/Product/$ref',
    '/Orders(1)/Main/Inner/Guide',
    '/Orders(1)/Main/Seal',
    '/Setting/Lines/0/Notes',
    '/Setting/Lines/1/Ns.Special/Seal',
  ])
    t.true(told.has(url), url);
  for (const [name, url] of links) t.true([200, 204].includes((await ask('GET', url)).status), `${name} ${url}`);
  const shown = await said(
    ask(
      'GET',
      `${root}/Setting?$expand=Lines/Notes,Lines/Seal,Lines/Product/$ref,Lines/Products/$ref,Lines/Ns.Special/Receiver/$ref,Lines/Inner/Guide/$ref,Lines/Parts/Maker/$ref`,
    ),
  );
  t.deepEqual(
    await said(
      ask(
        'PUT',
        `${root}/Setting?$expand=Lines/Notes,Lines/Seal,Lines/Product/$ref,Lines/Products/$ref,Lines/Ns.Special/Receiver/$ref,Lines/Inner/Guide/$ref,Lines/Parts/Maker/$ref`,
        shown,
      ),
    ),
    shown,
  );
  for (const path of ['Orders(1)/Lines/2', 'Orders(1)/Main']) {
    const value = await said(ask('GET', `${root}/${path}`));
    t.deepEqual(await said(ask('PATCH', `${root}/${path}`, value)), value);
  }
});

function linksIn(json: unknown): [string, string][] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]): [string, string][] =>
    /@odata\.(navigation|association)Link$/.test(name) ? [[name, String(value)]] : linksIn(value),
  );
}

function ask(method: string, url: string, body?: unknown): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json;odata.metadata=full',
      'if-match': '*',
      prefer: 'return=representation',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function said(answer: Promise<Response>): Promise<unknown> {
  return (await answer).json();
}
