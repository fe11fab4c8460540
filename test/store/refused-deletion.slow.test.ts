// Depends on PostgreSQL: locks.

import test from 'ava';
import { QueryTypes } from 'sequelize';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { refusedDeletion } from '../../runtime/store/refusal.js';
import { until } from '../operation/until.js';
import { startToy, type ToyService } from '../toy/toy-service.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

let library: ToyService;

test.before(async () => {
  library = await startToy('test/toy/library.xml');
});

test.after.always(() => library.stop());

async function send(method: string, path: string, body?: object): Promise<readonly [number, string]> {
  const answer = await fetch(`${library.root}${path}`, {
    method,
    headers: { Authorization: 'Bearer toy', 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return [answer.status, text === '' ? '' : ((JSON.parse(text) as { readonly error?: { readonly message: string } }).error?.message ?? '')];
}

// PostgreSQL tells that a request has come as far as the lock of this transaction.
async function someoneWaits(): Promise<boolean> {
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const rows = await sequelizeOf(library.pool).query(waiting, { type: QueryTypes.SELECT });
  return rows.length > 0;
}

test.serial('a deletion that waits for a new reference, and loses, tells whose records refer', async (t) => {
  await send('POST', '/Authors', { Id: 1 });
  const refused = await sequelizeOf(library.pool)
    .transaction(async (transaction) => {
      await sequelizeOf(library.pool).query(`insert into "Card" ("Number", "#Author") select 1, "#id" from "Author" where "Id" = 1`, {
        transaction,
      });
      const deletion = send('DELETE', '/Authors(1)');
      await until(someoneWaits);
      return [deletion];
    })
    .then(([deletion]) => deletion);
  t.deepEqual(refused, [409, 'Records of Cards (Author) reference this Author; change or delete them first.']);
});

test.serial('a reference that waits for a deletion, and loses, is told as the one that leads nowhere', async (t) => {
  await send('POST', '/Authors', { Id: 2 });
  const created = await sequelizeOf(library.pool)
    .transaction(async (transaction) => {
      await sequelizeOf(library.pool).query(`delete from "Author" where "Id" = 2`, { transaction });
      const creation = send('POST', '/Cards', { Number: 2, 'Author@odata.bind': 'Authors(2)' });
      await until(someoneWaits);
      return [creation];
    })
    .then(([creation]) => creation);
  t.is(created?.[0], 400);
});

test('what a caller may not read, or only in part, is not named; what would go along is', (t) => {
  const { entityTypes } = library.container;
  const { Author, Card, Shelf } = entityTypes;
  if (!Author || !Card || !Shelf) return void t.fail();
  const failure = { code: '23503', table: 'Card', constraint: 'Card#Author#fk' };
  const told = (type: typeof Author, read: typeof Card.permissions.read, readAlong?: typeof read): string | undefined => {
    const permitted = (of: typeof Author, permission: typeof read): typeof Author => ({
      ...of,
      permissions: { ...of.permissions, ...(permission && { read: permission }) },
    });
    const refusal = refusedDeletion(failure, type, {
      container: {
        ...library.container,
        entityTypes: { ...entityTypes, Card: permitted(Card, read), Author: permitted(Author, readAlong) },
      },
      caller: { subject: 'x', scopes: new Set(['some']) },
    });
    return refusal instanceof ODataError ? refusal.message.split(';')[0] : undefined;
  };
  t.is(told(Author, [{ scope: 'some', except: [] }]), 'Records of Cards (Author) reference this Author');
  t.is(told(Author, [{ scope: 'other', except: [] }]), 'Other records reference this Author');
  t.is(told(Author, [{ scope: 'some', except: [], rows: 'Number eq 1' }]), 'Other records reference this Author');
  t.is(told(Shelf, undefined), 'Records of Cards (Author) reference this Shelf, or the Author that would be deleted with it');
  t.is(told(Shelf, undefined, [{ scope: 'other', except: [] }]), 'Other records reference this Shelf');
  t.is(told(Shelf, undefined, [{ scope: 'some', except: [], rows: 'Id eq 1' }]), 'Other records reference this Shelf');
  t.is(told(Author, undefined, [{ scope: 'some', except: [], rows: 'Id eq 1' }]), 'Records of Cards (Author) reference this Author');
});
