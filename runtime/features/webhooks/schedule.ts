/** The failures of a hook so far, without the last one. */
interface Failing {
  readonly failures: number;
  /** Milliseconds since the first failure; 0 for none. */
  readonly failingFor: number;
}

/** The time until the next try in milliseconds; undefined after the last one. */
export interface NextTry {
  readonly delay: number | undefined;
  /** The failures with the last one: a consumer that said when to come again has answered. */
  readonly failures: number;
}

/** Random differences of delays: a consumer that recovers must not get all deliveries in the same moment. */
const jitter = 0.1;

/** Milliseconds that a Retry-After may ask for. */
const retryLimits = { least: 1_000, most: 24 * 3_600_000 } as const;

/**
 * The next try after a failure: when the consumer asked for it, as long as the schedule lasts; or as the schedule says,
 * whose delays are in seconds.
 */
export function nextTry(
  { failures, failingFor }: Failing,
  retryAfter: number | undefined,
  schedule: readonly number[],
  random: () => number = Math.random,
): NextTry {
  if (retryAfter !== undefined) {
    const isOver = failingFor > schedule.reduce((sum, seconds) => sum + seconds, 0) * 1_000;
    const delay = Math.min(Math.max(retryAfter, retryLimits.least), retryLimits.most);
    return { delay: isOver ? undefined : delay, failures };
  }
  const seconds = schedule[failures];
  const delay = seconds === undefined ? undefined : seconds * 1_000 * (1 - jitter + 2 * jitter * random());
  return { delay, failures: failures + 1 };
}

/** The milliseconds that a Retry-After header asks for: seconds or a date (RFC 9110, 10.2.3); undefined for neither. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
