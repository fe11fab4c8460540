import { parseArgs } from 'node:util';
import { ConfigError, readConfig, type Config } from '../config.js';
import { openDatabase, type Database } from '../database/open.js';
import { migrate } from '../database/migrate.js';
import { withConnection } from '../database/run.js';
import { migrationsFolder } from '../files.js';
import { clientTable } from '../identity/client-store.js';
import { listing } from '../listing.js';
import { requestTable } from '../store/request-table.js';
import { issueToken } from '../identity/authenticate.js';
import { serve } from '../main.js';
import { seedDatabase } from '../seed/seed-database.js';
import type { ServedModel } from '../served-model.js';
import { tellWaiting } from './migrate-ways.js';
import { modelHere } from './project.js';
import { fillWithSamples, samplesOf } from './samples.js';
import { scopesOf } from './scopes.js';
import { progressOf } from './progress.js';
import { requestsToTry } from './try-requests.js';
import { untilSignal } from './until-signal.js';

/** Text of `gable start --help`. */
export const help = `gable start: serves the model with sample data, and prints what to try.

Usage: gable start [--port PORT] [--listings N | --samples N]

  --listings N  how many listings the package's own model is filled with; 2000 when left out
  --samples N   how many records of every type a project's model is filled with; 10 when left out

On the first start it sets up the database, an embedded PostgreSQL in .gable unless DATABASE_URL is set,
and fills it. In a project, a folder with gable.config.* or generated/, it serves that project's model;
elsewhere the listing model.

Exit codes: 0 ended in order, 1 internal error, or the database cannot be prepared, 2 bad input

Examples:
  npm start
  gable start --port 8080 --listings 500
`;

/** Sets up what is missing, serves, and waits for the end. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { port: { type: 'string' }, listings: { type: 'string' }, samples: { type: 'string' } } });
  const config = readConfig({ ...process.env, ...(values.port !== undefined && { PORT: values.port }) });
  const [listings, samples] = [listingsOf(values.listings ?? '2000'), samplesOf(values.samples)];
  const model = await modelHere();
  const database = await openDatabase(config);
  await migrate(database.sequelize, migrationsFolder(model.generated), [clientTable, requestTable], { onWait: tellWaiting });
  if (model === listing) await seedWhenEmpty(database, listings);
  else await fillWithSamples(database.sequelize, model.container, samples);
  const service = await serve(config, database.sequelize, { model });
  const ended = untilSignal();
  process.stdout.write(model === listing ? await welcome(service.url, config, database) : await introduce(service.url, config, model));
  await ended;
  await service.stop(config);
  await database.stop();
  return 0;
}

function listingsOf(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new ConfigError(`--listings must be a whole number from 1 to 9999999; it is '${text}'.`);
  return Number(text);
}

async function seedWhenEmpty({ sequelize }: Database, listings: number): Promise<void> {
  const [row] = await withConnection(sequelize, (connection) => connection.run({ text: 'select 1 from "Member" limit 1', bind: [] }));
  if (row !== undefined) return;
  process.stdout.write(`Filling the database with ${listings} sample listings...\n`);
  const progress = progressOf(process.stderr, { total: listings, what: 'listings' });
  await seedDatabase(sequelize, listing.container, { listings, seed: 1, onProgress: progress.show }).finally(progress.end);
}

async function introduce(url: string, config: Config, { container }: ServedModel): Promise<string> {
  const token = await issueToken({ subject: 'developer', scopes: [...scopesOf(container)], lifetime: 24 * 3600 }, config.token);
  const requests = requestsToTry(container, `${url}/odata`).map((address) => `  curl -s -H "Authorization: Bearer $TOKEN" '${address}'\n`);
  return `
Gable serves ${url}/odata

A token for the next 24 hours:

  TOKEN=${token}

Try, after pasting the line above:

${requests.join('\n')}
Stop with Ctrl+C.
`;
}

async function welcome(url: string, config: Config, { sequelize }: Database): Promise<string> {
  const [row] = await withConnection(sequelize, (connection) => connection.run({ text: 'select "MemberKey" from "Member" order by 1 limit 1', bind: [] }));
  const member = row?.[0] ?? '';
  const token = await issueToken({ subject: 'developer', scopes: ['listing.read.all', 'listing.write'], member, lifetime: 24 * 3600 }, config.token);
  return `
Gable serves ${url}/odata

A token for the next 24 hours:

  TOKEN=${token}

Try, after pasting the line above:

  curl -s -H "Authorization: Bearer $TOKEN" '${url}/odata/Property?$top=3&$select=ListingKey,City,ListPrice,StandardStatus'

  curl -s -H "Authorization: Bearer $TOKEN" '${url}/odata/Property?$filter=StandardStatus%20eq%20%27Active%27%20and%20ListPrice%20lt%20600000&$orderby=ListPrice%20desc&$expand=Media($top=1)&$top=2&$count=true'

  curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' '${url}/odata/Property' -d '{"ListAgentKey":"${member}","ListOfficeKey":"${member}","PropertyType":"Residential","StreetNumber":"12","StreetName":"Elm","City":"Toronto"}'

Stop with Ctrl+C.
`;
}
