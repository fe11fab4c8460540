import test from 'ava';
import fc from 'fast-check';
import type { BatchPart } from '../../runtime/batch/batch.js';
import { turnsOfGroup } from '../../runtime/batch/turns-of-group.js';
import { withConnection } from '../../runtime/database/run.js';
import { checkExchanges } from '../http/exchanges.js';
import { startToy } from '../toy/toy-service.js';

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
