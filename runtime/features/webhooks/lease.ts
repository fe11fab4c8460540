import { randomUUID } from 'node:crypto';
import { lastNumberDrawn } from '../../schema/change-mark.js';
import { StatementBuilder } from '../../sql/builder.js';
import type { Connection } from '../../sql/statement.js';
import { hookColumn, hookOf, isRevoked, hookTableName } from './hook-row.js';
import type { Hook } from './hook.js';

/** A hook that only this process may deliver to, until its lease ends. */
export interface LeasedHook extends Hook {
  readonly lease: string;
  /** Milliseconds since the first failure of the present ones. */
  readonly failingFor: number;
  /** The batch that was tried before. */
  readonly batch?: Batch;
}

/** A batch: the same id at each try, and the last number that it may have. */
export interface Batch {
  readonly message: string;
  readonly to: string;
}

type Running = Pick<Connection, 'run'>;

// A later time than any that a process stores is from before the database's clock was set back.
const longestLease = '2 minutes';
const longestPause = `case when failing_since is null then interval '1 second' else interval '27 hours' end`;
const isDue = `(next_try <= now() or next_try > now() + ${longestPause})`;

/** Leases a hook that is due; undefined if there is none. Other processes skip it, and its row is not locked. */
export async function leaseHook(milliseconds: number, { run }: Running): Promise<LeasedHook | undefined> {
  const builder = new StatementBuilder();
  const lease = randomUUID();
  const isFree = `(leased_until is null or leased_until <= now() or leased_until > now() + interval '${longestLease}')`;
  const isBehind = `(not confirmed or position < (${lastNumberDrawn}))`;
  const due = `select id from ${hookTableName} where state = 'active' and ${isDue} and ${isFree} and ${isBehind} and not ${isRevoked} order by next_try limit 1 for update skip locked`;
  const set = `lease = ${builder.bind(lease, 'text')}, leased_until = ${until(milliseconds, builder)}`;
  const further = `message, batch_to, coalesce(extract(epoch from now() - failing_since) * 1000, 0)`;
  const [row] = await run(
    builder.unfilteredStatement(`update ${hookTableName} set ${set} where id = (${due}) returning ${hookColumn}, ${further}`),
  );
  if (row === undefined) return undefined;
  const [, message, to, failingFor] = row;
  return { ...hookOf(row), lease, failingFor: Number(failingFor), ...(message != null && to != null && { batch: { message, to } }) };
}

/** Stores a batch before it is sent, and renews the lease; false if it is lost. */
export function keepBatch(hook: LeasedHook, { message, to }: Batch, milliseconds: number, connection: Running): Promise<boolean> {
  const builder = new StatementBuilder();
  const set = `message = ${builder.bind(message, 'text')}, batch_to = ${builder.bind(to, 'bigint')}, leased_until = ${until(milliseconds, builder)}`;
  return changeHeld(hook, set, builder, connection);
}

/** How a delivery ended: the hook's next state. */
export type Ending =
  | { readonly kind: 'delivered' | 'passed'; readonly position: string; readonly pause: number }
  | { readonly kind: 'confirmed' | 'interrupted' }
  | { readonly kind: 'failed'; readonly reason: string; readonly failures: number; readonly delay: number }
  | { readonly kind: 'stopped'; readonly reason: string; readonly failures: number };

/** Stores the end of a delivery, and ends the lease. Without the lease it changes nothing, and returns false. */
export function endDelivery(hook: LeasedHook, ending: Ending, connection: Running): Promise<boolean> {
  const builder = new StatementBuilder();
  const set = [...endingSets(ending, builder), 'lease = null', 'leased_until = null'].join(', ');
  return changeHeld(hook, set, builder, connection);
}

const healthy = ['failures = 0', 'failing_since = null', 'reason = null'];

function endingSets(ending: Ending, builder: StatementBuilder): readonly string[] {
  switch (ending.kind) {
    case 'interrupted':
      return [];
    case 'confirmed':
      return [...healthy, 'confirmed = true', 'next_try = now()'];
    case 'delivered':
    case 'passed': {
      // The horizon may be behind a number from which the hook was resumed.
      const moved = [`position = greatest(position, ${builder.bind(ending.position, 'bigint')})`, 'message = null', 'batch_to = null'];
      const next = `next_try = ${until(ending.pause, builder)}`;
      return [...moved, next, ...(ending.kind === 'delivered' ? [...healthy, 'delivered_at = now()'] : [])];
    }
    case 'failed':
      return [...failing(ending, builder), `next_try = ${until(ending.delay, builder)}`];
    case 'stopped':
      return [...failing(ending, builder), `state = 'stopped'`];
  }
}

function failing(
  { reason, failures }: { readonly reason: string; readonly failures: number },
  builder: StatementBuilder,
): readonly string[] {
  const since = 'failing_since = coalesce(failing_since, now())';
  return [since, `reason = ${builder.bind(reason.slice(0, 500), 'text')}`, `failures = ${builder.bind(String(failures), 'integer')}`];
}

function until(milliseconds: number, builder: StatementBuilder): string {
  return `now() + make_interval(secs => ${builder.bind(String(milliseconds / 1_000), 'double precision')})`;
}

async function changeHeld({ id, lease }: LeasedHook, set: string, builder: StatementBuilder, { run }: Running): Promise<boolean> {
  const isHeld = `id = ${builder.bind(id, 'text')} and lease = ${builder.bind(lease, 'text')}`;
  return (await run(builder.unfilteredStatement(`update ${hookTableName} set ${set} where ${isHeld} returning 1`))).length > 0;
}
