import test from 'ava';
import { withConnection } from '../../runtime/database/run.js';
import { checkExchanges } from '../http/exchanges.js';
import { startToy } from '../toy/toy-service.js';

test('streams of items, of which no bytes stay behind', async (t) => {
  const service = await startToy('test/toy/gallery.xml', {
    adam: { subject: 'a', scopes: new Set(['admin']) },
    clerk: { subject: 'c', scopes: new Set(['clerk']) },
    guest: { subject: 'g', scopes: new Set(['guest']) },
  });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/gallery.http', service);
  const left = await withConnection(service.sequelize, (connection) =>
    connection.run({
      text: 'select chunk."#stream" from "#stream" chunk left join "Hall" hall on hall."#id" = chunk."Hall" left join "Hall@Lobby" lobby on lobby."#id" = chunk."Hall@Lobby" where strpos(coalesce(to_jsonb(hall), to_jsonb(lobby), \'{}\')::text, chunk."#stream"::text) = 0',
      bind: [],
    }),
  );
  t.deepEqual(left, []);
});

test('streams of the items of items of derived types, of which no bytes stay behind', async (t) => {
  const service = await startToy('test/toy/corners.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/corners.http', service);
  t.deepEqual(await withConnection(service.sequelize, (connection) => connection.run({ text: 'select from "#stream"', bind: [] })), []);
});

test('what the records that items contain contain, and their streams', async (t) => {
  const service = await startToy('test/toy/ledger.xml', {
    adam: { subject: 'a', scopes: new Set(['admin']) },
    guest: { subject: 'g', scopes: new Set(['guest']) },
  });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/ledger.http', service);
  for (const table of new Set(['#stream', ...Object.values(service.container.entityTypes).map((type) => type.table)])) {
    t.deepEqual(
      await withConnection(service.sequelize, (connection) => connection.run({ text: `select from "${table}"`, bind: [] })),
      [],
      table,
    );
  }
});
