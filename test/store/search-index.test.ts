// Depends on PostgreSQL: SQL.

import test from 'ava';
import { container } from '../../generated/index.js';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { planPath } from '../../runtime/plan/read/plan-path.js';
import { planCollection } from '../../runtime/plan/read/plan-read.js';
import { createAliases } from '../../runtime/plan/scope.js';
import { compileRead } from '../../runtime/sql/compile-read.js';
import type { Connection, Statement } from '../../runtime/sql/statement.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { parseResourcePath } from '../../runtime/uri/parse-resource-path.js';
import { startService, type TestService } from '../support/service.js';
import { patient } from '../support/database.js';

let service: TestService;

test.before(async () => {
  service = await startService();
});

test.after.always(() => service.stop());

// One listing in a thousand has the word, as a word that somebody looks for may have.
const listings = `insert into "Property" ("ListingKey", "ListAgentKey", "ListOfficeKey", "PropertyType", "StreetNumber", "StreetName", "City",
  "StandardStatus", "ContractStatus", "MlsStatus", "ModificationTimestamp", "PublicRemarks")
  select 'S' || n, 'M1', 'M1', 'Land', n::text, 'Elm', 'Guelph', 'Active', 'Available', 'New', now(),
    case when n % 1000 = 0 then 'A boathouse, and a lake.' else 'A house, and a garden.' end
  from generate_series(1, 5000) n`;

for (const search of ['boathouse', '"boathouse and"', 'boathouse lake NOT garden', 'boathouse OR castle']) {
  test.serial(`an index serves $search=${search}`, async (t) => {
    const pool = connect(service.databaseUrl, { ...patient, poolSize: 1 });
    t.teardown(() => pool.close());
    await withConnection(pool, async (connection) => {
      await requireListings(connection);
      const { text, bind } = statementOf(`$search=${encodeURIComponent(search)}&$select=ListingKey`);
      const plan = await connection.run({ text: `explain ${text}`, bind });
      t.regex(plan.flat().join('\n'), /Bitmap Index Scan on "Property##search"/);
      t.is((await connection.run({ text, bind })).length, 5);
    });
  });
}

async function requireListings(connection: Connection): Promise<void> {
  const [row] = await connection.run({ text: `select count(*) from "Property" where "City" = 'Guelph'`, bind: [] });
  if (row?.[0] !== '0') return;
  await connection.run({ text: listings, bind: [] });
  // New rows are in the index's pending list until a vacuum.
  await connection.run({ text: 'vacuum analyze "Property"', bind: [] });
}

function statementOf(query: string): Statement {
  const aliases = createAliases();
  const caller = { subject: 'test', scopes: new Set(['listing.read.all']) };
  const target = planPath(parseResourcePath('/Property'), { container, caller, aliases });
  if (target.kind !== 'collection') throw new Error('Property is a collection.');
  const plan = planCollection(target, parseQueryOptions(query).options, {
    container,
    caller,
    aliases,
    settings: { overTop: 'reject' },
  });
  return compileRead(plan.read);
}
