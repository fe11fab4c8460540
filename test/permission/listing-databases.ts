import { Sequelize } from 'sequelize';
import { container } from '../../generated/index.js';
import { columnOf } from '../../runtime/edm/index.js';
import { scopesOf, startService, type TestService } from '../support/service.js';
import { listingSubject } from './listing.js';
import { restrictedOf } from './restricted.js';
import type { Random } from './random.js';
import { manyNumbers, type TwoDatabases } from './two-databases.js';

/** Two services of the listing model on copies of the fixture, which differ in what the narrow scope does not show. */
export async function startListings(): Promise<TwoDatabases> {
  const settings = { GABLE_PUBLIC_URL: 'http://same.example', GABLE_LOG_LEVEL: 'silent' };
  const [one, other] = await Promise.all([startService({ ...settings, PORT: '0' }), startService({ ...settings, PORT: '0' })]);
  for (const { databaseUrl } of [one, other]) await execute(databaseUrl, [history, manyNumbers]);
  await execute(other.databaseUrl, changes());
  return {
    subject: listingSubject,
    services: [one, other],
    hidden: Object.values(container.entityTypes).flatMap(({ name }) => restrictedOf(name)),
    // Whoever may not see them may write nothing either.
    reset: () => Promise.resolve(),
    change: (_, random) => changeListings([one, other], random),
    events: { set: 'EntityEvent', number: 'EntityEventSequence', shown: 'ResourceName,ResourceRecordKey,ResourceRecordUrl', reader: 'all' },
    scopesOf: (caller) => ({ scopes: scopesOf(caller), member: 'M1' }),
    unseen: () => Promise.resolve([]),
    stop: async () => {
      await one.stop();
      await other.stop();
    },
  };
}

// The same listings change in both, but their hidden properties get other values.
async function changeListings(services: readonly TestService[], random: Random): Promise<void> {
  const key = random.pick(['3', '4', '5', 'Draft1', 'Draft2']);
  const remarks = random.below(1e6);
  const body = { ChangedByMemberKey: 'M1', ...random.pick([{}, { City: 'Ottawa' }, { City: 'Toronto' }]) };
  const tokens = await Promise.all(services.map(({ token }) => token('write')));
  const sent = services.map(async ({ listening }, index) => {
    const response = await fetch(`${listening}/Property('${key}')`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${tokens[index]}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...body, PrivateRemarks: `${index} ${remarks}` }),
    });
    if (!response.ok) throw new Error(`PATCH of ${key} is ${response.status}: ${await response.text()}`);
  });
  await Promise.all(sent);
}

// The fixture has no history, whose values repeat those of restricted properties.
const history = `insert into "HistoryTransactional" ("HistoryTransactionalKey", "ResourceName", "ResourceRecordKey", "FieldName", "PreviousValue", "NewValue", "ModificationTimestamp") values
  ('1', 'Property', '6', 'SoldPrice', null, '390000.00', '2026-04-01T12:00:00Z'), ('2', 'Property', '6', 'PrivateRemarks', 'cash', 'buyer paid cash', '2026-04-01T12:00:00Z'),
  ('3', 'Property', '3', 'ListPrice', '480000.00', '500000.00', '2026-03-01T10:00:00Z'), ('4', 'Property', '4', 'City', 'a', null, '2026-03-01T10:00:00Z')`;

// Every restricted value becomes another one, a null among them; versions stay, so that ETags could only differ by value.
function changes(): readonly string[] {
  return Object.values(container.entityTypes).flatMap((type) =>
    restrictedOf(type.name).map((name) => {
      const column = `"${columnOf(type, name)}"`;
      const [some, changed] = type.fields[name]?.type === 'Edm.String' ? ["'other'", `reverse(${column}) || 'x'`] : ['7', `${column} + 1`];
      return `update "${type.table}" set ${column} = case when ${column} is null then ${some} when "#id" % 2 = 0 then null else ${changed} end`;
    }),
  );
}

async function execute(databaseUrl: string, statements: readonly string[]): Promise<void> {
  const sequelize = new Sequelize(databaseUrl, { logging: false });
  for (const statement of statements) await sequelize.query(statement);
  await sequelize.close();
}
