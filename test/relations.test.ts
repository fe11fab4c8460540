import test from 'ava';
import fc from 'fast-check';
import type { BatchPart } from '../runtime/batch/batch.js';
import { turnsOfGroup } from '../runtime/batch/turns-of-group.js';
import { withConnection } from '../runtime/database/run.js';
import { checkExchanges } from './http/exchanges.js';
import { compileModel, startModel, startToy, temporaryFolder, type ToyService } from './toy/toy-service.js';

test.serial('relations that no property of the model holds', async (t) => {
  const service = await startToy('test/toy/library.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/library.http', service);
});

test.serial('constraints that join whole numbers of different widths', async (t) => {
  const folder = temporaryFolder();
  const model = await compileModel('test/lenient/widths.xml', folder, 'lenient');
  const service = await startModel({ ...model, extensions: {}, generated: folder }, folder);
  t.teardown(() => service.stop());
  await checkExchanges(t, '../lenient/widths.http', service);
});

test.serial('keys and foreign keys within complex values', async (t) => {
  const service = await startToy('test/toy/aliases.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/aliases.http', service);
});

test.serial('dates, times, durations and enumerations of complex values in keys', async (t) => {
  const service = await startToy('test/toy/moments.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/moments.http', service);
});

test.serial('types of one name in two schemas', async (t) => {
  const service = await startToy('test/toy/twins.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/twins.http', service);
});

test.serial('navigation properties of complex values', async (t) => {
  const service = await startToy('test/toy/nested.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/nested.http', service);
});

test('values that may be null, and lead somewhere where they are there', async (t) => {
  const service = await startToy('test/toy/seats.xml', { blind: { subject: 'blind', scopes: new Set(['blind']) } });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/seats.http', service);
});

test.serial('several entity sets of one type', async (t) => {
  const service = await startToy('test/toy/sets.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/sets.http', service);
});

test.serial('what only values of derived complex types have and lead to', async (t) => {
  const service = await startToy('test/toy/villas.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/villas.http', service);
});

test('navigation properties to one record that are their own partners', async (t) => {
  const service = await startToy('test/toy/pairs.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/pairs.http', service);
});

test('navigation properties that are their own partners, and lead somewhere at any time', async (t) => {
  const service = await startToy('test/toy/spouses.xml', { guest: { subject: 'guest', scopes: new Set(['guest']) } });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/spouses.http', service);
});

test('whoever is led to leads back, whatever is written at once', async (t) => {
  const { root, stop } = await startToy('test/toy/pairs.xml');
  t.teardown(() => stop());
  const write = async (method: string, path: string, body: object): Promise<number> =>
    (await fetch(`${root}/${path}`, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).status;
  const crowd = Array.from({ length: 30 }, (_, index) => index + 1);
  for (const Id of crowd) t.is(await write('POST', 'People', { Id }), 201);
  const people = crowd.slice(0, 6);
  const link = fc.record({
    from: fc.constantFrom(...people),
    to: fc.option(fc.constantFrom(...people)),
    by: fc.constantFrom('Spouse', 'Buddy'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(link, { minLength: 2, maxLength: 4 }), async (links) => {
      const answers = await Promise.all(
        links.map(({ from, to, by }) => write('PATCH', `People(${from})`, { [by]: to === null ? null : { '@id': `People(${to})` } })),
      );
      t.deepEqual(
        answers.filter((status) => status !== 200),
        [],
      );
      const lost = await fetch(
        `${root}/People?$filter=Spouse ne null and Spouse/Spouse/Id ne Id or BuddyId ne null and Buddy/BuddyId ne Id`,
      );
      t.deepEqual(((await lost.json()) as { value: unknown }).value, []);
    }),
    { numRuns: 10 },
  );
  // Nobody is told to come again, however many come at once.
  const client = async (_: unknown, one: number): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let turn = 1; turn <= 10; turn++)
      statuses.push(
        await write('PATCH', `People(${((one * 7 + turn) % 30) + 1})`, {
          Spouse: { '@id': `People(${((one * 11 + turn * 13) % 30) + 1})` },
        }),
      );
    return statuses;
  };
  const statuses = await Promise.all(Array.from({ length: 20 }, client));
  t.deepEqual(
    statuses.flat().filter((status) => status !== 200),
    [],
  );
});

// Ways of changing two people at once, by their numbers and those of whom they are to lead to.
type Two = readonly (readonly [one: number, other: number])[];
// prettier-ignore
const atOnce: { readonly [way: string]: (two: Two) => readonly [method: string, path: string, body: object] } = {
  changeSet: (two) => ['POST', '$batch', { requests: two.map(([one, other], index) => ({ id: String(index), atomicityGroup: 'g', method: 'patch', url: `People(${one})`, headers: { 'content-type': 'application/json' }, body: leadingTo(other) })) }],
  reference: (two) => ['POST', '$batch', { requests: two.map(([one, other], index) => ({ id: String(index), atomicityGroup: 'g', method: 'put', url: `People(${one})/Spouse/$ref`, headers: { 'content-type': 'application/json' }, body: { '@id': `People(${other})` } })) }],
  delta: (two) => ['PATCH', 'People', { '@context': '#$delta', value: two.map(([one, other]) => ({ Id: one, ...leadingTo(other) })) }],
  each: (two) => ['PATCH', `People/$filter(Id in (${two.map(([one]) => one).join(',')}))/$each`, leadingTo(two[0]?.[1] ?? 1)],
  // Parts of several houses, within the body of one.
  within: (two) => ['PATCH', `Houses(${((two[0]?.[0] ?? 0) % 6) + 1})`, { 'Parts@delta': [...new Map(two)].map(([one, other]) => ({ No: one, Other: { '@id': `Houses(${(other % 6) + 1})/Parts(${other})` } })) }],
};

function leadingTo(other: number): object {
  return { Spouse: { '@id': `People(${other})` } };
}

// What takes turns, by the table, before a group is carried out.
const turns: { readonly [requests: string]: readonly string[] } = {
  'patch People(1) {"Spouse":{"@id":"People(2)"}}; patch People(3) {"Spouse@odata.bind":"People(4)"}': ['Person'],
  'patch People(1) {"BuddyId":2}; post Desks {"Id":1}': ['Person'],
  'patch People(1) {"Id":1}; post Desks {"Id":1}': [],
  'patch People(1) {"Spouse":null}': [],
  'get People(1)/Spouse; delete People(1)': [],
  'delete People(1); post Desks {"Id":1}': ['Person'],
  'put People(1)/Spouse/$ref {"@id":"People(2)"}; patch Desks(1) {}': ['Person'],
  'post People {"Id":1}; patch $0 {"Shadow":null}': ['Person'],
  'post People {"Id":1}; delete $0': ['Person'],
  'post Houses {"Id":1,"Parts":[{"No":1,"Other":null}]}; delete Desks(1)': ['Part'],
  'delete Houses(1)/Parts(1); delete People(1)': ['Person', 'Part'],
};

test('a group takes the turns that its texts tell of', async (t) => {
  const { container, stop } = await startToy('test/toy/pairs.xml');
  t.teardown(() => stop());
  for (const [requests, expected] of Object.entries(turns)) {
    const parts = requests.split('; ').map((request, index): BatchPart => {
      const [method = '', url = '', body] = request.split(' ');
      return {
        id: String(index),
        named: true,
        method,
        url,
        headers: new Map(),
        dependsOn: [],
        ...(body !== undefined && { body: Buffer.from(body) }),
      };
    });
    t.deepEqual(turnsOfGroup({ parts, after: [] }, container), expected, requests);
  }
});

test('several who are led to within one request lead back, whoever else asks', async (t) => {
  const { root, stop } = await startToy('test/toy/pairs.xml');
  t.teardown(() => stop());
  const crowd = Array.from({ length: 30 }, (_, index) => index + 1);
  const houses = crowd.slice(0, 6);
  const ask = async (method: string, path: string, body: object): Promise<readonly number[]> => {
    const answer = await fetch(`${root}/${path}`, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const said =
      answer.headers.get('content-type')?.startsWith('application/json') && path === '$batch'
        ? ((await answer.json()) as { responses: readonly { status: number }[] }).responses
        : [];
    return [answer.status, ...said.map(({ status }) => status)];
  };
  for (const Id of crowd) t.deepEqual(await ask('POST', 'People', { Id }), [201]);
  for (const Id of houses) t.deepEqual(await ask('POST', 'Houses', { Id, Parts: crowd.map((No) => ({ No })) }), [201]);
  for (const [way, request] of Object.entries(atOnce)) {
    const client = async (_: unknown, one: number): Promise<readonly number[]> => {
      const statuses: number[] = [];
      for (let turn = 1; turn <= 6; turn++) {
        const someone = (step: number): number => ((one * step + turn * 13 * step) % 30) + 1;
        statuses.push(
          ...(await ask(
            ...request([
              [someone(7), someone(11)],
              [someone(17), someone(19)],
            ]),
          )),
        );
      }
      return statuses;
    };
    const statuses = await Promise.all(Array.from({ length: 20 }, client));
    t.deepEqual(
      [...new Set(statuses.flat())].filter((status) => ![200, 204].includes(status)),
      [],
      way,
    );
    for (const path of [
      'People?$filter=Spouse ne null and Spouse/Spouse/Id ne Id',
      ...houses.map((house) => `Houses(${house})/Parts?$filter=Other ne null and Other/Other/No ne No`),
    ]) {
      t.deepEqual(((await (await fetch(`${root}/${path}`)).json()) as { value: unknown }).value, [], `${way}: ${path}`);
    }
  }
});

// What a model that let several lead to one has left behind.
const severalLead: readonly { readonly title: string; readonly path: string; readonly expected: string }[] = [
  { title: 'expanded', path: 'Desks?$expand=Plug', expected: '[{"Id":1,"Plug":{"Id":3}},{"Id":2,"Plug":null}]' },
  {
    title: 'expanded to its address',
    path: 'Desks?$expand=Plug/$ref',
    expected: '[{"Id":1,"Plug":{"@odata.id":"{root}/Plugs(3)"}},{"Id":2,"Plug":null}]',
  },
  { title: 'by its path', path: 'Desks(1)/Plug?$select=Id', expected: '{"Id":3}' },
  { title: 'asked for by a filter', path: 'Desks?$filter=Plug/Id eq 3', expected: '[{"Id":1}]' },
  { title: 'so that no other one fits', path: 'Desks?$filter=Plug/Id eq 1', expected: '[]' },
  { title: 'in an order', path: 'Desks?$orderby=Plug/Id desc', expected: '[{"Id":1},{"Id":2}]' },
  { title: 'in a group', path: 'Desks?$apply=groupby((Plug/Id))', expected: '[{"Plug":{"Id":null}},{"Plug":{"Id":3}}]' },
  { title: 'the way back is that of each', path: 'Plugs?$expand=Desk', expected: '[{"Id":1,"Desk":{"Id":1}},{"Id":3,"Desk":{"Id":1}}]' },
];

test('of several records that lead to one it leads back to the first', async (t) => {
  const service = await startToy('test/toy/pairs.xml');
  t.teardown(() => service.stop());
  const { root, sequelize } = service;
  const post = async (set: string, body: object): Promise<void> => {
    const { status } = await fetch(`${root}/${set}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    t.is(status, 201);
  };
  for (const Id of [1, 2]) await post('Desks', { Id });
  for (const [Id, desk] of [
    [3, 1],
    [1, 2],
  ])
    await post('Plugs', { Id, Desk: { '@id': `Desks(${desk})` } });
  await withConnection(sequelize, (connection) =>
    connection.run({ text: 'update "Plug" set "#Desk" = (select "#id" from "Desk" where "Id" = 1)', bind: [] }),
  );
  for (const { title, path, expected } of severalLead) {
    const { value, ...one } = JSON.parse((await (await fetch(`${root}/${path}`)).text()).replaceAll(root, '{root}')) as {
      readonly [member: string]: unknown;
    };
    t.is(
      JSON.stringify(value ?? one, (name, of: unknown) => (name === '@odata.context' ? undefined : of)),
      expected,
      title,
    );
  }
});

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

test('what records take along that they lead to', async (t) => {
  const service = await startToy('test/toy/cars.xml', {
    adam: { subject: 'x', scopes: new Set(['smith']) },
    bea: { subject: 'y', scopes: new Set(['helper']) },
    cid: { subject: 'z', scopes: new Set() },
  });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/cars.http', service);
});

test('keys of every type, repeated in bodies', async (t) => {
  const service = await startToy('test/toy/keys.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/keys.http', service);
});

test.serial('collections that values join', async (t) => {
  const service = await startToy('test/toy/match.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/match.http', service);
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
