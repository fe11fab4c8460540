// Depends on PostgreSQL: settings of roles.

import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { runGable } from '../support/run-command.js';
import { patient, testDatabase } from '../support/database.js';

test('the role gets the defaults of sessions, and once', async (t) => {
  const database = await testDatabase();
  const role = `role_of_${new URL(database.url).pathname.slice(1)}`;
  const admin = connect(database.url, { ...patient, poolSize: 1 });
  const ask = (text: string): ReturnType<typeof withConnection<readonly (readonly (string | null)[])[]>> =>
    withConnection(admin, ({ run }) => run({ text, bind: [] }));
  await ask(`create role "${role}" login password 'of the test'`);
  t.teardown(async () => {
    await ask(`drop role "${role}"`).catch(() => undefined);
    await admin.close();
    await database.drop();
  });
  const url = Object.assign(new URL(database.url), { username: role, password: 'of the test' }).href;
  const prepare = (...options: readonly string[]): ReturnType<typeof runGable> =>
    runGable(['database', 'prepare', ...options], { DATABASE_URL: url, GABLE_STATEMENT_TIMEOUT: '4000' });
  const owner = await runGable(['database', 'prepare'], { DATABASE_URL: url, GABLE_MIGRATE_URL: database.url });
  const ownerName = new URL(database.url).username;
  t.deepEqual(
    [owner.status, owner.stdout, owner.stderr],
    [
      2,
      '',
      `gable: GABLE_MIGRATE_URL: its role is ${ownerName}, but the service has the role ${role} of DATABASE_URL; run gable database prepare without GABLE_MIGRATE_URL, or with one that has the role ${role}.\n`,
    ],
  );
  t.deepEqual(await ask('select from pg_db_role_setting join pg_database on oid = setdatabase where datname = current_database()'), []);
  const first = await prepare();
  t.is(first.status, 0, first.stderr);
  t.regex(first.stdout, new RegExp(`^ALTER ROLE ${role} IN DATABASE .* SET statement_timeout = '4000';$`, 'm'));
  const [settings] = await ask(`select array_to_string(setconfig, ' ') from pg_db_role_setting where setrole = '${role}'::regrole`);
  t.regex(settings?.[0] ?? '', /statement_timeout=4000/);
  t.deepEqual(
    [(await prepare()).stdout, (await prepare('--json')).stdout],
    ['The role has all defaults that the service needs.\n', '{"set":[]}\n'],
  );
  const wrong = await runGable(['database', 'prepaire'], { DATABASE_URL: url });
  t.deepEqual([wrong.status, wrong.stderr], [2, 'gable: The only action of gable database is prepare.\n']);
});
