import { Agent, get } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Sequelize } from 'sequelize';
import { startService, type TestService } from '../support/service.js';
import { createRandom } from './random.js';
import { welch, withoutPauses } from './welch.js';

/** A question about what the caller may not see, once with the value that is stored and once with another of its length. */
interface Oracle {
  readonly name: string;
  readonly path: (guess: string) => string;
  readonly right: string;
  readonly wrong: string;
}

/** The durations for either guess. */
interface Told {
  readonly name: string;
  /** Microseconds, for the right guess and for the wrong one. */
  readonly medians: readonly [number, number];
  readonly t: number;
}

const filter =
  (condition: (guess: string) => string) =>
  (guess: string): string =>
    `/Property?$select=ListingKey&$filter=${encodeURIComponent(condition(guess))}`;

// oxfmt-ignore
/** The questions, a form each of those that a filter may be written in. */
const oracles: readonly Oracle[] = [
  { name: 'eq text', path: filter((guess) => `PrivateRemarks eq '${guess}'`), right: 'buyer paid cash', wrong: 'buyer paid cish' },
  { name: 'startswith', path: filter((guess) => `startswith(PrivateRemarks,'${guess}')`), right: 'buyer', wrong: 'bvyer' },
  { name: 'contains', path: filter((guess) => `contains(PrivateRemarks,'${guess}')`), right: 'cash', wrong: 'cish' },
  { name: 'eq number', path: filter((guess) => `SoldPrice eq ${guess}`), right: '390000', wrong: '390001' },
  { name: 'gt', path: filter((guess) => `SoldPrice gt ${guess}`), right: '380000', wrong: '480000' },
  { name: 'in', path: filter((guess) => `SoldPrice in (${guess},1)`), right: '390000', wrong: '390001' },
  { name: 'not', path: filter((guess) => `not (SoldPrice ne ${guess})`), right: '390000', wrong: '390001' },
  { name: 'or', path: filter((guess) => `ListPrice gt 0 or ClosePrice lt ${guess}`), right: '400000', wrong: '300000' },
  { name: 'case', path: filter((guess) => `case(SoldPrice eq ${guess}:true,true:false)`), right: '390000', wrong: '390001' },
  { name: 'of a related record', path: filter((guess) => `ListAgent/MemberEmail eq '${guess}'`), right: 'anna@example.org', wrong: 'anno@example.org' },
  { name: '$count', path: (guess) => `/Property/$count?$filter=SoldPrice%20eq%20${guess}`, right: '390000', wrong: '390001' },
  { name: '$apply', path: (guess) => `/Property?$apply=filter(SoldPrice%20eq%20${guess})/aggregate($count%20as%20Number)`, right: '390000', wrong: '390001' },
];

/** A service whose restricted values are on so many records that looking at them would take its time. */
export async function startOracle(): Promise<TestService> {
  const service = await startService({ GABLE_LOG_LEVEL: 'silent' });
  const sequelize = new Sequelize(service.databaseUrl, { logging: false });
  await sequelize.query(copies);
  await sequelize.query('analyze');
  await sequelize.close();
  return service;
}

// The sold listing of the fixture, 2 000 times.
const copies = `do $$ declare columns text; begin
  select string_agg(quote_ident(column_name), ',') into columns from information_schema.columns
    where table_name = 'Property' and table_schema = current_schema and is_generated = 'NEVER' and column_name not in ('#id', 'ListingKey');
  execute format('insert into "Property" ("ListingKey", %1$s) select ''T'' || number, %1$s from "Property", generate_series(1, 2000) as number where "ListingKey" = ''6''', columns);
end $$`;

/** Asks every question so many times with either guess, the two in an order that chance decides. */
export async function* tellTimes(
  service: TestService,
  { pairs, caller, seed }: { readonly pairs: number; readonly caller: 'read' | 'all'; readonly seed: number },
): AsyncGenerator<Told> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { Authorization: `Bearer ${await service.token(caller)}` };
  const random = createRandom(seed);
  const ask = (path: string): Promise<number> => timeOf(`${service.listening}${path}`, agent, headers);
  for (const { name, path, right, wrong } of oracles) {
    const times: Record<string, number[]> = { [right]: [], [wrong]: [] };
    for (let warm = 0; warm < 100; warm += 1) await ask(path(warm % 2 === 0 ? right : wrong));
    for (let pair = 0; pair < pairs; pair += 1) {
      for (const guess of random.chance(0.5) ? [right, wrong] : [wrong, right]) times[guess]?.push(await ask(path(guess)));
    }
    const [one, other] = withoutPauses(times[right] ?? [], times[wrong] ?? []);
    yield { name, medians: [middle(one), middle(other)], t: welch(one, other) };
  }
  agent.destroy();
}

// From the first byte sent to the last one received, in microseconds.
function timeOf(url: string, agent: Agent, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${url} was answered with ${response.statusCode}.`));
      response.resume().once('end', () => resolve((performance.now() - started) * 1_000));
    }).once('error', reject);
  });
}

function middle(sample: readonly number[]): number {
  return sample.toSorted((a, b) => a - b)[Math.floor(sample.length / 2)] ?? Number.NaN;
}
