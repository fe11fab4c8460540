import { extensionOf } from '../../store/journal.js';
import type { RecordTarget } from '../../plan/path-target.js';
import type { KeyCondition } from '../../plan/read-plan.js';
import type { WritePlan } from '../../plan/write/write-plan.js';
import { etagOf } from '../../response/record-writer.js';
import type { SingleWrite } from '../../sql/compile-single-write.js';
import type { Connection } from '../../sql/statement.js';
import { seeRecord } from '../../store/locate-record.js';
import type { SeenRecord } from '../../store/known-records.js';
import type { SingleWrites } from '../../store/store.js';
import { alteration, creation, deletion, isAlone, isPlain, keyOfNew, runSingleWrite } from '../../store/single-write.js';
import { isMet, type Conditions } from '../../protocol/precondition.js';
import type { Exchange } from '../exchange.js';
import { returningOf, type Returning, type Written } from './write-answer.js';
import { writeScope } from './write-context.js';

// A write of one entity in one statement, which includes its assumptions: that the entity is unchanged, and that
// references exist. Undefined where that is not possible or an assumption failed: the write is then repeated in steps,
// under locks, which determine the error.

/** Creates an entity in one statement. */
export async function singleCreate(plan: WritePlan, target: RecordTarget, exchange: Exchange): Promise<Written | undefined> {
  const { store } = exchange.service;
  const singleWrites = singleWritesOf(target, exchange);
  if (singleWrites === undefined || target.parents.length > 0 || !isAlone(plan)) return undefined;
  const returning = returningOf(target, exchange, 201);
  if (returning === undefined) return undefined;
  const id = await singleWrites.numbers.next(plan.type);
  const write = creation(plan, { id, now: await singleWrites.clock.now() }, writeScope(exchange));
  return store.transaction(
    (connection) => carryOut({ write, key: keyOfNew(write) }, returning, singleWrites, connection),
    exchange.request.recipient,
  );
}

/** Changes an entity in one statement, after a read unless this process has just written it. */
export async function singleUpdate(
  plan: WritePlan | undefined,
  target: RecordTarget,
  conditions: Conditions,
  exchange: Exchange,
): Promise<Written | undefined> {
  const { store } = exchange.service;
  const singleWrites = singleWritesOf(target, exchange);
  if (singleWrites === undefined || plan === undefined || !isTable(target) || !isAlone(plan)) return undefined;
  const returning = returningOf(target, exchange, 200);
  if (returning === undefined) return undefined;
  const known = await knownRecord(target, singleWrites);
  return store.transaction(async (connection) => {
    const seen = known ?? (await seeRecord(target.type, target.key, connection));
    const write = seen && meets(seen, conditions) ? alteration(plan, seen, writeScope(exchange)) : undefined;
    return write && carryOut({ write, key: target.key }, returning, singleWrites, connection);
  }, exchange.request.recipient);
}

/** Deletes an entity in one statement; returns whether it did. */
export async function singleDelete(target: RecordTarget, conditions: Conditions, exchange: Exchange): Promise<boolean> {
  const { store } = exchange.service;
  const singleWrites = singleWritesOf(target, exchange);
  if (singleWrites === undefined || !isTable(target) || !isPlain(target.type)) return false;
  const known = await knownRecord(target, singleWrites);
  return store.transaction(async ({ run, finish, ...connection }) => {
    const seen = known ?? (await seeRecord(target.type, target.key, { run, ...connection }));
    const write = seen && meets(seen, conditions) ? deletion(target.type, seen, writeScope(exchange)) : undefined;
    singleWrites.known.forget(target.type, target.key);
    return write !== undefined && finish !== undefined && runSingleWrite(write, nothingReturned, finish, () => undefined);
  }, exchange.request.recipient);
}

// An extension that follows a change needs the transaction open.
function singleWritesOf({ type }: RecordTarget, { service: { extensions, store } }: Exchange): SingleWrites | undefined {
  return extensionOf(extensions, type)?.follow === undefined ? store.singleWrites : undefined;
}

const nothingReturned = { alias: 't0', cells: ['1'] };

// Addressed by its key alone.
function isTable({ parents, filter, key }: RecordTarget): boolean {
  return parents.length === 0 && filter === undefined && key.length > 0;
}

// The clock is read before a connection is acquired: a request that waits must hold no connection.
async function knownRecord({ type, key }: RecordTarget, { known, clock }: SingleWrites): Promise<SeenRecord | undefined> {
  const found = known.find(type, key);
  if (found === undefined) return undefined;
  const { type: own, id, version, state, record } = found;
  return { type: own, id, version, state, record, now: await clock.now() };
}

function meets({ type, version }: SeenRecord, conditions: Conditions): boolean {
  return isMet(conditions, etagOf(version), type.etag?.required ?? false);
}

interface Keyed {
  readonly write: SingleWrite;
  readonly key: readonly KeyCondition[];
}

async function carryOut(
  { write, key }: Keyed,
  { returned, selection, written }: Returning,
  { known }: SingleWrites,
  { finish }: Connection,
): Promise<Written | undefined> {
  let answer: Written | undefined;
  known.forget(write.type, key);
  if (finish === undefined) return undefined;
  await runSingleWrite(write, returned, finish, (row) => {
    answer = written(row);
    known.note(key, write.id, row, selection);
  });
  return answer;
}
