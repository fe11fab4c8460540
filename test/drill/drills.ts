import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readPostmasterFile } from '../../runtime/database/embedded/postmaster-file.js';
import { issueToken } from '../../runtime/identity/authenticate.js';
import { startProcess, type ServeProcess } from '../operation/serve-process.js';
import { until } from '../operation/until.js';
import { emptyRecord, startLoad, type LoadRecord, type Target } from './load.js';
import { lostOrTorn } from './verify.js';

/** What came of a drill. */
export interface DrillOutcome {
  readonly title: string;
  readonly rounds: number;
  readonly record: LoadRecord;
  /** The longest time without an acknowledged write, in milliseconds. */
  readonly longest: number;
  readonly faults: readonly string[];
}

const secret = 'a secret of the drills, which protects nothing at all';

interface Place {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Every drill by its name: what happens to a service on its own PostgreSQL while four writers write. */
export const drills: { readonly [name: string]: (rounds: number) => Promise<DrillOutcome> } = {
  'kill -9 of PostgreSQL': (rounds) => inPlace(async (place) => {
    const served = await startProcess([], place.environment);
    const outcome = await repeatedly('kill -9 of PostgreSQL', rounds, await targetOf(served, place), async () => {
      const struck = postmasterOf(place);
      if (struck === undefined) throw new Error('There is no server to strike.');
      process.kill(struck, 'SIGKILL');
      // Its sessions outlive it for a moment, and may still acknowledge.
      await until(async () => ![struck, undefined].includes(postmasterOf(place)));
      return { status: [201, 503] };
    });
    await end(served);
    return outcome;
  }),
  'kill -9 of the service': (rounds) => inPlace(async (place) => {
    let served = await startProcess([], place.environment);
    const target = { ...(await targetOf(served, place)), url: served.url };
    const port = new URL(served.url).port;
    const outcome = await repeatedly('kill -9 of the service', rounds, target, async () => {
      served.child.kill('SIGKILL');
      await served.ended;
      served = await startProcess(['--port', port], place.environment);
      return { status: [201, 0] };
    });
    await end(served);
    return outcome;
  }),
  'SIGTERM to the service': (rounds) => inPlace(async (place) => {
    let served = await startProcess([], place.environment);
    const target = await targetOf(served, place);
    const port = new URL(served.url).port;
    const outcome = await repeatedly('SIGTERM to the service', rounds, target, async () => {
      served.child.kill('SIGTERM');
      const code = await served.ended;
      served = await startProcess(['--port', port], place.environment);
      // No answer means that nobody listened, which is so between two processes.
      return { status: [201, 0], ...(code !== 0 && { fault: `it ended with ${code}` }) };
    });
    await end(served);
    return outcome;
  }),
};

/** What a blow may lead to for clients. */
interface Blow {
  readonly status: readonly number[];
  readonly fault?: string;
}

async function repeatedly(title: string, rounds: number, target: Target, blow: () => Promise<Blow>): Promise<DrillOutcome> {
  const record = emptyRecord();
  const load = startLoad(target, record);
  const faults: string[] = [];
  let longest = 0;
  for (let round = 0; round < rounds; round++) {
    await acknowledgedAfter(record, performance.now());
    await delay(Math.random() * 300);
    const before = record.last;
    const { status, fault } = await blow();
    if (fault !== undefined) faults.push(fault);
    const struck = performance.now();
    longest = Math.max(longest, (await acknowledgedAfter(record, struck)) - before);
    const strange = [...record.statuses.keys()].filter((each) => !status.includes(each));
    if (strange.length > 0) faults.push(`round ${round}: answered with ${strange.join(', ')}`);
  }
  await load.stop();
  return { title, rounds, record, longest, faults: [...faults, ...(await lostOrTorn(target, record))] };
}

// When the first write was acknowledged after a moment.
async function acknowledgedAfter(record: LoadRecord, moment: number): Promise<number> {
  const given = performance.now() + 60_000;
  while (record.last <= moment) {
    if (performance.now() > given) throw new Error('Nothing was written for a minute.');
    await delay(5);
  }
  return record.last;
}

async function inPlace<Result>(work: (place: Place) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'gable-drill-'));
  // The server may run as another user, who must be able to enter.
  chmodSync(directory, 0o755);
  const environment = { GABLE_DIRECTORY: join(directory, 'data'), GABLE_SECRET: secret, GABLE_LOG_LEVEL: 'silent' };
  try {
    execFileSync(process.execPath, ['dist/gable.js', 'seed', '--listings', '10'], { env: { PATH: process.env['PATH'], ...environment }, stdio: 'pipe' });
    return await work({ directory, environment });
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
  }
}

function postmasterOf({ environment }: Place): number | undefined {
  return readPostmasterFile(join(environment['GABLE_DIRECTORY'] ?? '', 'postgres'))?.pid;
}

async function targetOf({ url }: ServeProcess, { environment }: Place): Promise<Target> {
  const settings = { secret: environment['GABLE_SECRET'] ?? '', issuer: 'gable', audience: 'gable' };
  const token = await issueToken({ subject: 'drill', scopes: ['listing.read.all', 'listing.write'], lifetime: 86_400 }, settings);
  const response = await fetch(`${url}/odata/Member?$top=1&$select=MemberKey`, { headers: { Authorization: `Bearer ${token}` } });
  const { value } = (await response.json()) as { readonly value: readonly { readonly MemberKey: string }[] };
  return { url, token, member: value[0]?.MemberKey ?? '' };
}

async function end(served: ServeProcess): Promise<void> {
  served.child.kill('SIGTERM');
  await served.ended;
}
