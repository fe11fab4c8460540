import { setTimeout as delay } from 'node:timers/promises';
import { anyone, requireRecipient } from '../../../database/cancel.js';
import { type Exchange, type Service, unfilteredStore } from '../../../http/service.js';
import { readLastNumber, readLogState } from '../log-state.js';

/** The most requests of a process that wait, the most seconds of one, and the milliseconds between looks at the log. */
export const waitLimits = { requests: 100, seconds: 60, interval: 100 } as const;

let waiting = 0;

/**
 * Waits for changes as long as the request prefers (RFC 7240, 4.3), until `isChanged` finds some up to a horizon, or the
 * process is to end. Returns whether it could wait: beyond the limit of waiting requests the answer comes immediately.
 */
export async function waitForChanges(
  { preferences, request, service }: Exchange,
  isChanged: (horizon: string) => Promise<boolean>,
): Promise<boolean> {
  if (preferences.wait === undefined || waiting >= waitLimits.requests) return false;
  const store = unfilteredStore(service);
  const end = performance.now() + 1_000 * Math.min(preferences.wait, waitLimits.seconds);
  const isOver = (): boolean => performance.now() >= end || service.isDraining?.() === true;
  waiting += 1;
  try {
    for (let seen = '0'; !isOver();) {
      const { horizon } = await store.read(readLogState, request.recipient);
      if (horizon !== seen && (await isChanged(horizon))) break;
      seen = horizon;
      await grown(service, horizon, isOver);
      requireRecipient(request.recipient);
    }
  } finally {
    waiting -= 1;
  }
  return true;
}

interface Poll {
  readonly number: Promise<string>;
}

/** One look at the log for all that wait in a service, by its seal: a request that is measured has a store of its own. */
const polls = new WeakMap<Service['seal'], Poll>();

// Resolves when a number beyond this one was drawn, or the wait is over.
async function grown(service: Service, number: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const poll = polls.get(service.seal) ?? startPoll(service);
    if (BigInt(await poll.number) > BigInt(number)) return;
  }
}

function startPoll(service: Service): Poll {
  const look = async (): Promise<string> => {
    await delay(waitLimits.interval);
    polls.delete(service.seal);
    return unfilteredStore(service).read(readLastNumber, anyone);
  };
  const poll = { number: look() };
  polls.set(service.seal, poll);
  return poll;
}
