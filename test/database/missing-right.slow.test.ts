// Depends on PostgreSQL: rights of roles.

import test, { type ExecutionContext } from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { startProcess } from '../operation/serve-process.js';
import { runGable } from '../support/run-command.js';
import { secret, startService } from '../support/service.js';
import { patient, testDatabase } from '../support/database.js';

test('a missing right is reported in a sentence, and the rights that OPERATING.md lists let a role serve', async (t) => {
  const { service, role, execute, DATABASE_URL } = await startWithRole(t);
  await execute('revoke create on schema public from public'); // As PostgreSQL 15 does.
  const environment = { DATABASE_URL, GABLE_SECRET: secret, GABLE_REQUESTS_PER_MINUTE: '100', GABLE_SHARED_LIMITS: 'true' };
  await execute('revoke usage on schema public from public');
  for (const command of ['migrate', 'serve', 'client list']) {
    const { status, stderr } = await runGable(command.split(' '), environment);
    const end = ` cannot be used: the role ${role} has USAGE on no schema of its search_path, which is "$user", public\n`;
    t.true(status === 1 && stderr.endsWith(end), stderr);
  }
  await execute('grant usage on schema public to public');
  for (const [command, rest] of [
    ['migrate', 'schema public, on which gable migrate needs USAGE and CREATE'],
    ['serve', 'table gable_migration, on which gable serve needs SELECT, INSERT, UPDATE and DELETE'],
    ['seed', 'schema public, on which gable seed needs USAGE and CREATE'],
    ['client list', 'table gable_client, on which gable client needs SELECT, INSERT, UPDATE and DELETE'],
    ['hook list', 'table gable_hook, on which gable hook needs SELECT, INSERT, UPDATE and DELETE'],
  ] as const) {
    const { status, stderr } = await runGable(command.split(' '), environment);
    t.deepEqual([status, stderr], [1, `gable: The role ${role} lacks a right: permission denied for ${rest}.\n`]);
  }

  await execute(`grant usage on schema public to "${role}"`);
  await execute(`grant select, insert, update, delete on all tables in schema public to "${role}"`);
  await execute(`grant usage, select on all sequences in schema public to "${role}"`);
  const served = await startProcess([], environment);
  const Authorization = `Bearer ${await service.token('write')}`;
  const body = { ListAgentKey: 'M1', ListOfficeKey: 'M2', PropertyType: 'Residential', StreetNumber: '1', StreetName: 'A', City: 'B' };
  const created = await fetch(`${served.url}/odata/Property`, {
    method: 'POST',
    headers: {
      Authorization,
      'Content-Type': 'application/json',
      'Repeatability-Request-ID': '1',
      'Repeatability-First-Sent': new Date().toUTCString(),
    },
    body: JSON.stringify(body),
  });
  const deleted = await fetch(created.headers.get('location') ?? '', { method: 'DELETE', headers: { Authorization } });
  t.deepEqual([created.status, deleted.status], [201, 204]);
  served.child.kill();
  t.is(await served.ended, 0);
  t.notRegex(served.log(), /permission denied/);
});

test('a role that may only read is told of at the start, unless the service only reads', async (t) => {
  const { role, execute, DATABASE_URL } = await startWithRole(t);
  await execute(`grant select on all tables in schema public to "${role}"`);
  await execute(`grant usage, select on all sequences in schema public to "${role}"`);
  const logOf = async (settings: Readonly<Record<string, string>> = {}): Promise<string> => {
    const served = await startProcess([], { DATABASE_URL, GABLE_SECRET: secret, GABLE_WEBHOOKS: 'false', ...settings });
    served.child.kill();
    await served.ended;
    return /"msg":"(The role .*?)"\}/.exec(served.log())?.[1] ?? '';
  };
  const rest =
    'rights to change rows of Property: writes of them will fail. Grant it SELECT, INSERT, UPDATE and DELETE on all tables; for a service that only reads, set GABLE_READ_ONLY=true.';
  t.is(await logOf(), `The role ${role} lacks ${rest}`);
  t.is(await logOf({ GABLE_READ_ONLY: 'true' }), '');
  await execute(`grant insert, update, delete on all tables in schema public to "${role}"`);
  t.is(await logOf(), '');
  for (const right of ['delete on "Property"', 'insert on "#changes"']) {
    await execute(`revoke ${right} from "${role}"`);
    t.is(await logOf(), `The role ${role} lacks ${rest}`, right);
    await execute(`grant ${right} to "${role}"`);
  }
  await execute(`revoke select on "Media", "Office" from "${role}"`);
  for (const settings of [{}, { GABLE_READ_ONLY: 'true' }])
    t.is(await logOf(settings), `The role ${role} may not read Media, Office: requests that do will fail. Grant it SELECT on all tables.`);
});

test('commands ask for the migration of a database that has no tables', async (t) => {
  const database = await testDatabase();
  t.teardown(() => database.drop());
  for (const command of ['serve', 'client list', 'hook list']) {
    const { status, stderr } = await runGable(command.split(' '), { DATABASE_URL: database.url, GABLE_SECRET: secret });
    t.deepEqual([status, stderr], [2, 'gable: The database has no tables of this service yet; run gable migrate first.\n'], command);
  }
});

/** A service, with a new role that may do nothing, and its address of the service's database. */
async function startWithRole(t: ExecutionContext) {
  const service = await startService();
  const role = `role_of_${new URL(service.databaseUrl).pathname.slice(1)}`;
  const admin = connect(service.databaseUrl, { ...patient, poolSize: 1 });
  const execute = async (text: string): Promise<unknown> => withConnection(admin, ({ run }) => run({ text, bind: [] }));
  t.teardown(async () => {
    await execute(`drop owned by "${role}"`);
    await execute(`drop role "${role}"`);
    await admin.close();
    await service.stop();
  });
  await execute(`create role "${role}" login password 'of the test'`);
  const DATABASE_URL = Object.assign(new URL(service.databaseUrl), { username: role, password: 'of the test' }).href;
  return { service, role, execute, DATABASE_URL };
}
