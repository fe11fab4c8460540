import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { runStatement, withClient } from '../../runtime/database/run.js';
import { openDatabase } from '../../runtime/tools/embedded/open.js';
import { patient, testDatabase } from '../support/database.js';

for (const encoding of ['LATIN1', 'SQL_ASCII'])
  test(`a database in ${encoding} is refused`, async (t) => {
    const database = await testDatabase();
    const admin = connect(database.url, { ...patient, poolSize: 1 });
    const url = new URL(database.url);
    url.pathname += `_${encoding.toLowerCase()}`;
    const run = (text: string): Promise<unknown> => withClient(admin, (client) => runStatement(client, { text, bind: [] }));
    t.teardown(async () => {
      await run(`DROP DATABASE IF EXISTS ${url.pathname.slice(1)}`);
      await admin.close();
      await database.drop();
    });
    // The locale of the embedded server's templates permits UTF8 only.
    await run(`CREATE DATABASE ${url.pathname.slice(1)} ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`);
    const failure = await t.throwsAsync(openDatabase({ ...patient, databaseUrl: url.href, directory: '' }));
    t.true(
      failure?.message.endsWith(
        ` cannot be used: its encoding is ${encoding}, and must be UTF8: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0`,
      ),
      failure?.message,
    );
  });
