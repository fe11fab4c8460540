import { setTimeout as delay } from 'node:timers/promises';
import { withConnection } from '../../runtime/database/run.js';
import { connect } from '../../runtime/database/connect.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import { takeMark } from '../../runtime/schema/change-mark.js';
import type { Row } from '../../runtime/sql/statement.js';
import { startProcess, type ServeProcess } from '../operation/serve-process.js';
import { secret, type TestService } from '../support/service.js';
import { patient } from '../support/database.js';

/** The findings of readers while the log was written. */
export interface Findings {
  /** Changes that were committed, in the order of their numbers. */
  readonly log: readonly string[];
  /** The changes that each reader got, in the order in which it got them. */
  readonly readers: readonly (readonly string[])[];
  /** Records whose changes do not have the order create, update, delete. */
  readonly disordered: readonly string[];
  readonly writes: number;
}

/** Options of a run; the second process may reach the database by another way, such as a pooler. */
interface LossOptions {
  /** The least time, in which a busy machine may not get to five writes a second; then it is longer. */
  readonly seconds: number;
  readonly secondUrl: string;
}

/**
 * Two processes write singly, in change sets and slowly, while readers follow `EntityEvent` by number; one process is
 * killed and started again.
 */
export async function findLosses(service: TestService, { seconds, secondUrl }: LossOptions): Promise<Findings> {
  const authorization = `Bearer ${await service.token('write')}`;
  const processes = [await serve(service.databaseUrl), await serve(secondUrl)];
  const end = performance.now() + seconds * 1_000;
  const isOver = (): boolean => performance.now() > end && run.writes > 5 * seconds;
  const run: Run = { authorization, isOver, root: (index) => `${processes[index]?.url}/odata`, writes: 0 };
  let writing = true;
  const reading = [0, 1].map((index) => follow(index, run, () => writing));
  const writers = [0, 1, 0, 1].flatMap((index) => [writeSingly(index, run), writeSets(index, run)]);
  const slow = writeSlowly(service.databaseUrl, run);
  const killer = delay((seconds * 1_000) / 2).then(async () => {
    processes[1]?.child.kill('SIGKILL');
    await processes[1]?.ended;
    processes[1] = await serve(secondUrl);
  });
  await Promise.all([...writers, slow, killer]);
  writing = false;
  const readers = await Promise.all(reading);
  for (const { child, ended } of processes) {
    child.kill('SIGTERM');
    await ended;
  }
  const log = await logged(service.databaseUrl);
  return { log: log.map(([number, set, key]) => `${number} ${set} ${key}`), readers, disordered: disorderedIn(log), writes: run.writes };
}

function serve(databaseUrl: string): Promise<ServeProcess> {
  return startProcess([], { DATABASE_URL: databaseUrl, GABLE_SECRET: secret, GABLE_LOG_REQUESTS: 'none', GABLE_LOG_LEVEL: 'silent' });
}

interface Run {
  readonly authorization: string;
  readonly isOver: () => boolean;
  /** The service root of a process; it changes with a new one. */
  readonly root: (index: number) => string;
  writes: number;
}

const listing = { ListAgentKey: 'M1', ListOfficeKey: 'M2', PropertyType: 'Land', StreetNumber: '1', StreetName: 'Loss', City: 'Ottawa' };

// A process that was killed refuses connections until there is a new one.
async function send(run: Run, index: number, method: string, path: string, body?: object): Promise<Response | undefined> {
  try {
    const headers = { Authorization: run.authorization, 'Content-Type': 'application/json' };
    const response = await fetch(`${run.root(index)}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (response.ok && method !== 'GET') run.writes += 1;
    return response;
  } catch {
    await delay(50);
    return undefined;
  }
}

// The life of a listing, and changes of one that all writers change.
async function writeSingly(index: number, run: Run): Promise<void> {
  for (let price = 1; !run.isOver(); price += 1) {
    const created = await send(run, index, 'POST', '/Property?$select=ListingKey', listing);
    const key = created?.headers.get('location')?.replace(/^.*\/Property/, '/Property');
    await send(run, index, 'PATCH', `/Property('5')`, { ChangedByMemberKey: 'M1', ListPrice: price });
    if (key === undefined) continue;
    await send(run, index, 'PATCH', key, { ChangedByMemberKey: 'M1', ListPrice: price });
    await send(run, index, 'DELETE', key);
  }
}

// A transaction with many changes, which holds its mark from the first to the commit.
async function writeSets(index: number, run: Run): Promise<void> {
  while (!run.isOver()) {
    const requests = Array.from({ length: 20 }, (_, id) => ({
      id: String(id),
      atomicityGroup: 'all',
      method: 'post',
      url: 'Property?$select=ListingKey',
      headers: { 'content-type': 'application/json' },
      body: listing,
    }));
    await send(run, index, 'POST', '/$batch', { requests });
  }
}

// A handler that waits after its change.
async function writeSlowly(databaseUrl: string, run: Run): Promise<void> {
  const pool = connect(databaseUrl, { ...patient, poolSize: 1 });
  const insert = `insert into "#changes" ("#set", "#key", "#operation") values ('Office', 'O1', 'u')`;
  for (let turn = 0; !run.isOver(); turn += 1) {
    await inTransaction(pool, async (connection) => {
      await connection.run({ text: takeMark, bind: [] });
      await connection.run({ text: insert, bind: [] });
      await delay(100 + 50 * (turn % 5));
    });
  }
  await pool.close();
}

// Asks as RCP-27 says, for what is after the last number.
async function follow(index: number, run: Run, isWriting: () => boolean): Promise<readonly string[]> {
  const found: string[] = [];
  let last = 0;
  for (let isOpen = true; isOpen;) {
    isOpen = isWriting();
    const query = `$filter=EntityEventSequence%20gt%20${last}&$orderby=EntityEventSequence&$top=1000`;
    const response = await send(run, index, 'GET', `/EntityEvent?${query}`);
    if (response?.ok !== true) {
      isOpen = true;
      continue;
    }
    const { value } = (await response.json()) as {
      value: { EntityEventSequence: number; ResourceName: string; ResourceRecordKey: string }[];
    };
    for (const event of value) found.push(`${event.EntityEventSequence} ${event.ResourceName} ${event.ResourceRecordKey}`);
    last = value.at(-1)?.EntityEventSequence ?? last;
    if (value.length > 0) isOpen = true;
    await delay(10);
  }
  return found;
}

async function logged(databaseUrl: string): Promise<readonly Row[]> {
  const pool = connect(databaseUrl, { ...patient, poolSize: 1 });
  const text = 'select "#id", "#set", "#key", "#operation" from "#changes" order by "#id"';
  const rows = await withConnection(pool, (connection) => connection.run({ text, bind: [] }));
  await pool.close();
  return rows;
}

function disorderedIn(log: readonly Row[]): readonly string[] {
  const lives = new Map<string, string>();
  for (const [, set, key, operation] of log) lives.set(`${set} ${key}`, `${lives.get(`${set} ${key}`) ?? ''}${operation}`);
  return [...lives].filter(([, life]) => !/^(c?u*d?)$/.test(life)).map(([record, life]) => `${record}: ${life}`);
}
