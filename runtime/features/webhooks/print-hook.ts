import type { Hook } from './hook.js';
import type { Reply } from './send.js';
import { refusalOf } from './deliver.js';

/** A hook as JSON, without secrets. `behind` is the number of numbers up to the last change. */
export function hookJson(hook: Hook): object {
  const { id, address, format, sets, operations, scopes, member, owner, state, confirmed, reason } = hook;
  const { position, last, floor, failures, failingSince, nextTry, created, delivered, sealedBearer } = hook;
  return {
    id,
    address,
    format,
    sets: sets ?? null,
    operations: operations ?? null,
    scopes,
    member: member ?? null,
    owner: owner ?? null,
    bearer: sealedBearer !== undefined,
    state,
    confirmed,
    reason: reason ?? null,
    position,
    behind: behind({ position, last }),
    floor,
    failures,
    failingSince: failingSince ?? null,
    nextTry: state === 'active' && failingSince !== undefined ? nextTry : null,
    created,
    delivered: delivered ?? null,
  };
}

/** The numbers between the position of a hook and the last one; some may be of other sets, or of no change. */
export function behind({ position, last }: Pick<Hook, 'position' | 'last'>): number {
  return Math.max(0, Number(BigInt(last) - BigInt(position)));
}

/** Says which deletions a hook may miss, since it has been behind for longer than the log keeps them; undefined for none. */
export function gapOf({ position, floor }: Pick<Hook, 'position' | 'floor'>): string | undefined {
  return BigInt(position) < BigInt(floor) ? `the log no longer has deletions up to ${floor}` : undefined;
}

/** The result of a test as JSON. */
export function testJson(reply: Reply): object {
  const reason = refusalOf(reply);
  return { accepted: reason === undefined, status: reply.status ?? null, reason: reason ?? null };
}
