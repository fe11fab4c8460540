// Depends on PostgreSQL: locks.

import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { withConnection } from '../../runtime/database/run.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

let service: ToyService;

test.before(async () => {
  service = await startToy('test/toy/crowd.xml');
  for (const path of ['Teams', 'People']) for (const id of [1, 2]) await send('POST', path, { Id: id });
});

test.after.always(() => service.stop());

async function send(method: string, path: string, body: object): Promise<number> {
  const response = await fetch(`${service.root}/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

const references = (set: string, ids: readonly number[]): readonly object[] => ids.map((id) => ({ '@id': `${set}(${id})` }));

/** Alternating requests that relate the same entities from both sides, or in another order. */
const turns: readonly (readonly [title: string, requests: readonly (readonly [method: string, path: string, body: object])[]])[] = [
  [
    'whole collections from both sides',
    [
      ['PATCH', 'Teams(1)', { People: references('People', [1, 2]) }],
      ['PATCH', 'People(1)', { Teams: references('Teams', [1, 2]) }],
    ],
  ],
  [
    'the same records in another order',
    [
      ['PATCH', 'Teams(1)', { People: references('People', [1, 2]) }],
      ['PATCH', 'Teams(2)', { People: references('People', [2, 1]) }],
    ],
  ],
  [
    'references from both sides',
    [
      ['POST', 'Teams(1)/People/$ref', { '@id': 'People(1)' }],
      ['POST', 'People(1)/Teams/$ref', { '@id': 'Teams(1)' }],
    ],
  ],
  [
    'a tree from both ends',
    [
      ['PATCH', 'Teams(1)', { Parts: references('Teams', [2]) }],
      ['PATCH', 'Teams(2)', { Within: { '@id': 'Teams(1)' } }],
    ],
  ],
];

for (const [title, requests] of turns) {
  test.serial(`writers do not wait for each other in a circle: ${title}`, async (t) => {
    const statuses = await Promise.all(Array.from({ length: 16 }, (_, index) => send(...(requests[index % 2] ?? ['GET', '', {}]))));
    t.deepEqual(
      statuses.filter((status) => status >= 300),
      [],
    );
  });
}

test.serial('none of them had to be tried again', async (t) => {
  // PostgreSQL counts with a delay of a second.
  await delay(1_500);
  const rows = await withConnection(service.pool, (connection) =>
    connection.run({ text: 'select deadlocks from pg_stat_database where datname = current_database()', bind: [] }),
  );
  t.deepEqual(rows, [['0']]);
});
