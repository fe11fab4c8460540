import { Sequelize } from 'sequelize';
import { container } from '../../generated/index.js';
import { columnOf } from '../../runtime/edm/index.js';
import { startService, type TestService } from '../service.js';
import { createRandom } from './random.js';
import { randomRequest, type RandomRequest } from '../requests/random-request.js';
import { listingSubject } from './listing.js';
import { restrictedOf } from './restricted.js';

/** Two services whose records differ only in what the narrow scope does not show. */
export interface TwoDatabases {
  readonly ask: (request: RandomRequest, caller: 'read' | 'all') => Promise<readonly [Answer, Answer]>;
  readonly stop: () => Promise<void>;
}

/** All of an answer that a client can see, but for the time of day. */
export interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Starts them on copies of the fixture. */
export async function startTwo(): Promise<TwoDatabases> {
  const settings = { GABLE_PUBLIC_URL: 'http://same.example', GABLE_LOG_LEVEL: 'silent' };
  const services = await Promise.all([startService({ ...settings, PORT: '0' }), startService({ ...settings, PORT: '0' })]);
  const [one, other] = services;
  if (one === undefined || other === undefined) throw new Error('Two services were started.');
  for (const { databaseUrl } of services) await execute(databaseUrl, [history]);
  await execute(other.databaseUrl, changes());
  return {
    ask: async (request, caller) => {
      const token = await one.token(caller);
      return Promise.all([answerOf(one, request, token), answerOf(other, request, token)]);
    },
    stop: async () => {
      await one.stop();
      await other.stop();
    },
  };
}

// The fixture has no history, whose values repeat those of restricted properties.
const history = `insert into "HistoryTransactional" ("HistoryTransactionalKey", "ResourceName", "ResourceRecordKey", "FieldName", "PreviousValue", "NewValue", "ModificationTimestamp") values
  ('1', 'Property', '6', 'SoldPrice', null, '390000.00', '2026-04-01T12:00:00Z'), ('2', 'Property', '6', 'PrivateRemarks', 'cash', 'buyer paid cash', '2026-04-01T12:00:00Z'),
  ('3', 'Property', '3', 'ListPrice', '480000.00', '500000.00', '2026-03-01T10:00:00Z'), ('4', 'Property', '4', 'City', 'a', null, '2026-03-01T10:00:00Z')`;

// Every restricted value becomes another one, a null among them; versions stay, so that ETags could only differ by value.
function changes(): readonly string[] {
  return Object.values(container.entityTypes).flatMap((type) => restrictedOf(type.name).map((name) => {
    const column = `"${columnOf(type, name)}"`;
    const [some, changed] = type.fields[name]?.type === 'Edm.String' ? ["'other'", `reverse(${column}) || 'x'`] : ['7', `${column} + 1`];
    return `update "${type.table}" set ${column} = case when ${column} is null then ${some} when "#id" % 2 = 0 then null else ${changed} end`;
  }));
}

async function execute(databaseUrl: string, statements: readonly string[]): Promise<void> {
  const sequelize = new Sequelize(databaseUrl, { logging: false });
  for (const statement of statements) await sequelize.query(statement);
  await sequelize.close();
}

async function answerOf({ listening }: TestService, { method, path, headers, body }: RandomRequest, token: string): Promise<Answer> {
  const response = await fetch(`${listening}${path}`, { method, headers: { ...headers, 'Authorization': `Bearer ${token}`, 'X-Request-Id': 'same' }, ...(body !== undefined && { body }) });
  const shown = [...response.headers].filter(([name]) => name !== 'date').map(([name, value]) => `${name}: ${value}`).join('\n');
  return { status: response.status, headers: shown, body: withoutTokens(await response.text()) };
}

// Each is sealed with a number of its own; what could tell something is its length.
function withoutTokens(body: string): string {
  return body.replace(/(\$skiptoken=)([\w-]+)/g, (_, name: string, token: string) => `${name}<${token.length}>`);
}

/** What came of a run. */
export interface Outcome {
  readonly cases: number;
  /** Cases that were answered with data though they name a restricted property. */
  readonly telling: number;
  readonly different: readonly string[];
}

/** Asks both the same, and compares all that comes back. */
export async function compareAnswers(two: TwoDatabases, { cases, seed, caller }: { readonly cases: number; readonly seed: number; readonly caller: 'read' | 'all' }): Promise<Outcome> {
  const names = Object.values(container.entityTypes).flatMap(({ name }) => restrictedOf(name));
  const different: string[] = [];
  let telling = 0;
  for (let index = 0; index < cases; index++) {
    const request = randomRequest(createRandom(seed + index), listingSubject);
    const [one, other] = await two.ask(request, caller);
    if (one.status === 200 && names.some((name) => request.path.includes(name))) telling += 1;
    if (one.status === 500 || one.status === 503) different.push(`${seed + index}: ${request.method} ${request.path} is ${one.status}: ${one.body}`);
    if (JSON.stringify(one) !== JSON.stringify(other)) different.push(`${seed + index}: ${request.method} ${request.path}\n${one.status} ${one.body}\n${other.status} ${other.body}`);
  }
  return { cases, telling, different };
}
