// Depends on PostgreSQL: locks.

import test from 'ava';
import { withConnection } from '../../runtime/database/run.js';
import type { Statement } from '../../runtime/sql/statement.js';
import { noDecisions } from '../../generator/migrate/step.js';
import { openSessions } from '../streaming/sessions.js';
import { first } from './orders.js';
import { migrationsOf, withMigrations } from './scene.js';

const required = first.replace('Name="Colour" Type="Edm.String"', 'Name="Colour" Type="Edm.String" Nullable="false"');
const decisions = { ...noDecisions, fills: new Map([['Order/Colour', "'none'"]]) };

test('a step that a deadlock with a write has rolled back is run again', (t) => {
  const texts = migrationsOf(first, new Map(), noDecisions);
  return withMigrations(texts, async ({ url, pool, apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('a')`);
    await run(`insert into "Order" ("Number", "Old", "CustomerCode") values ('1', true, 'a'), ('2', true, 'a')`);
    write(migrationsOf(required, texts, decisions));
    const sessions = openSessions(url);
    t.teardown(() => sessions.close());
    const migrated = await withConnection(pool, async (connection) => {
      // The session of the write never looks for deadlocks itself, so that the migration is their victim.
      await connection.run({ text: `set deadlock_timeout to '1h'`, bind: [] });
      await connection.run({ text: 'begin', bind: [] });
      await connection.run(touch(2));
      const applied = apply();
      await sessions.waitFor(`wait_event_type = 'Lock'`, 1);
      await connection.run(touch(1));
      await connection.run({ text: 'commit', bind: [] });
      await connection.run({ text: 'reset deadlock_timeout', bind: [] });
      return applied;
    });
    t.deepEqual(migrated, ['0002-order.sql']);
    t.deepEqual(await drift(), []);
    t.deepEqual(await run('select "Old", "Colour" from "Order" order by 1'), [
      ['f', 'none'],
      ['f', 'none'],
    ]);
  });
});

function touch(id: number): Statement {
  return { text: `update "Order" set "Old" = false where "#id" = ${id}`, bind: [] };
}
