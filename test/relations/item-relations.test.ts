import test from 'ava';
import { withConnection } from '../../runtime/database/run.js';
import { checkExchanges } from '../http/exchanges.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

test('navigation properties of the items of collections', async (t) => {
  const service = await startToy('test/toy/items.xml', {
    adam: { subject: 'x', scopes: new Set(['admin']) },
    bea: { subject: 'y', scopes: new Set(['buyer']) },
  });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/items.http', service);
});

test('items that must lead somewhere, and that take along what they lead to', async (t) => {
  const service = await startToy('test/toy/needed.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/needed.http', service);
});

test('no item leads to a record that is deleted at the same time', async (t) => {
  const { root, stop } = await startToy('test/toy/needed.xml');
  t.teardown(() => stop());
  const ask = async (method: string, path: string, body?: object): Promise<number> =>
    (
      await fetch(`${root}/${path}`, {
        method,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
    ).status;
  const outcomes = new Set<string>();
  for (let round = 1; round <= 20; round++) {
    t.is(await ask('POST', 'Firms', { Code: `f${round}`, Products: [{ Id: round }] }), 201);
    // The product goes by itself, or with what it goes along with.
    const taken = round % 2 === 0 ? `Products(${round})` : `Firms('f${round}')`;
    const [gone, made] = await Promise.all([
      ask('DELETE', taken),
      ask('POST', 'Orders', { Id: round, Lines: [{ 'Product@odata.bind': `Products(${round})` }] }),
    ]);
    outcomes.add(`${made} ${gone}`);
  }
  // Either the one or the other.
  t.deepEqual(
    [...outcomes].filter((one) => one !== '201 409' && one !== '400 204'),
    [],
  );
  const lost = (await (await fetch(`${root}/Orders?$filter=Lines/any(l:l/Product eq null)`)).json()) as {
    readonly value: readonly object[];
  };
  t.deepEqual(lost.value, []);
});

test('navigation properties in collections that only items of a derived type have', async (t) => {
  const service = await startToy('test/toy/halls.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/halls.http', service);
  t.deepEqual(await leftBehind(service), []);
});

test('what complex values within others of their type have, lead to and contain', async (t) => {
  const service = await startToy('test/toy/trees.xml', {
    admin: { subject: 'x', scopes: new Set(['admin']) },
    guest: { subject: 'y', scopes: new Set(['guest']) },
  });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/trees.http', service);
  t.deepEqual(await leftBehind(service), []);
});

test('navigation properties of items that lead to several records', async (t) => {
  const service = await startToy('test/toy/trips.xml', {
    adam: { subject: 'x', scopes: new Set(['admin']) },
    bea: { subject: 'y', scopes: new Set(['guest']) },
  });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/trips.http', service);
});

test('items of collections by their ordinals, and what they lead to', async (t) => {
  const service = await startToy('test/toy/ordinals.xml', {
    adam: { subject: 'x', scopes: new Set(['toy']) },
    bea: { subject: 'y', scopes: new Set(['shy']) },
  });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/ordinals.http', service);
});

test('items that are changed at once are all changed', async (t) => {
  const service = await startToy('test/toy/ordinals.xml');
  t.teardown(() => service.stop());
  const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${service.root}/${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'if-match': '*' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const numbers = Array.from({ length: 12 }, (_, index) => index);
  await ask('POST', 'Products', { Id: 1 });
  await ask('PUT', 'Setting', {
    Colours: [],
    Lines: numbers.map(() => ({ Amount: 0, 'Product@odata.bind': 'Products(1)', Notes: [{ Id: 1 }] })),
  });
  const answers = await Promise.all(
    numbers.flatMap((number) => [
      ask('PATCH', `Setting/Lines/${number}`, { Amount: number }),
      ask('POST', 'Setting/Colours?$index=0', { value: String(number) }),
    ]),
  );
  t.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 204),
  );
  const after = (await (await ask('GET', 'Setting?$expand=Lines/Product,Lines/Notes')).json()) as {
    readonly Colours: readonly string[];
    readonly Lines: readonly { readonly Amount: number; readonly Product: unknown; readonly Notes: readonly unknown[] }[];
  };
  t.deepEqual(
    after.Lines.map(({ Amount, Product, Notes }) => [Amount, Product !== null, Notes.length]),
    numbers.map((number) => [number, true, 1]),
  );
  t.deepEqual(after.Colours.toSorted(), numbers.map(String).toSorted());
});

test('records that items contain, none of which stays behind', async (t) => {
  const service = await startToy('test/toy/stops.xml', {
    adam: { subject: 'x', scopes: new Set(['admin']) },
    bea: { subject: 'y', scopes: new Set(['guest']) },
  });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/stops.http', service);
  t.deepEqual(await leftBehind(service), []);
});

// The tables with records that items contained, none of which has their mark any more.
async function leftBehind({ container, sequelize }: ToyService): Promise<readonly string[]> {
  const tables: string[] = [];
  for (const owner of Object.values(container.entityTypes)) {
    for (const [path, { target, contains }] of Object.entries(owner.itemNavigation ?? {})) {
      if (contains === undefined) continue;
      const { table = '' } = container.entityTypes[target] ?? {};
      const column = `"${path.split('/')[0]}"`;
      const left = await withConnection(sequelize, (connection) =>
        connection.run({
          text: `select "#id" from "${table}" part where "${contains}" is not null and not exists (select from "${owner.table}" whole where whole."#id" = part."${contains}" and strpos(whole.${column}::text, part."#item"::text) > 0)`,
          bind: [],
        }),
      );
      if (left.length > 0) tables.push(`${table} of ${owner.table}`);
    }
  }
  return tables;
}
