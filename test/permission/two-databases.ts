import type { Hook } from '../../runtime/features/webhooks/hook.js';
import { randomRequest, type RandomRequest } from '../support/requests/random-request.js';
import type { Subject } from '../support/requests/subject.js';
import type { TestService } from '../support/service.js';
import { createRandom, type Random } from './random.js';

/** Two services of one model whose records differ only in what some callers may not see. */
export interface TwoDatabases {
  readonly subject: Subject;
  readonly services: readonly [TestService, TestService];
  /** The names that callers may not see, so that requests about them can be counted. */
  readonly hidden: readonly string[];
  /** Resets both databases, and hides their differences from a caller. */
  readonly reset: (caller: string) => Promise<void>;
  /** Changes records of both in the same way, and besides those that are hidden from a caller, each in another way. */
  readonly change: (caller: string, random: Random) => Promise<void>;
  /** The set of events: its number, the properties that are compared, and a caller who sees all of them. */
  readonly events: { readonly set: string; readonly number: string; readonly shown: string; readonly reader: string };
  /** The scopes of a caller, and the member, as the hooks of that caller have them. */
  readonly scopesOf: (caller: string) => HookScopes;
  /** The hidden rows of each database, which changes of the caller must not affect. */
  readonly unseen: (caller: string) => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

/** The caller as whom changes are delivered. */
export type HookScopes = Pick<Hook, 'scopes' | 'member'>;

/** All of an answer that a client can see, but for the time of day. */
interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
  /** Where the next page is; its token is sealed anew each time. */
  readonly next: string | undefined;
  /** Where its changes are. */
  readonly delta: string | undefined;
}

/** The outcome of a run. */
interface Outcome {
  readonly cases: number;
  /** How many were answered with each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Cases that were answered with data though they name something hidden. */
  readonly telling: number;
  readonly different: readonly string[];
}

/** After so many requests the records are put back, since requests change them. */
const mostBetween = 200;

/** Asks both the same, and compares all that comes back, on the pages that follow too. */
export async function compareAnswers(
  two: TwoDatabases,
  { cases, seed, caller }: { readonly cases: number; readonly seed: number; readonly caller: string },
): Promise<Outcome> {
  const different: string[] = [];
  const statuses = new Map<number, number>();
  let telling = 0;
  for (let from = 0; from < cases; from += mostBetween) {
    await two.reset(caller);
    const unseen = await two.unseen(caller);
    for (let index = from; index < Math.min(cases, from + mostBetween); index += 1) {
      const request = randomRequest(createRandom(seed + index), two.subject);
      const { status, differences } = await compareOne(two, request, caller);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200 && two.hidden.some((name) => request.path.includes(name))) telling += 1;
      different.push(
        ...differences.map(
          (difference) =>
            `${seed + index}: ${caller}: ${request.method} ${decodeURIComponent(request.path)} ${request.body ?? ''}\n${difference}`,
        ),
      );
    }
    if (JSON.stringify(unseen) !== JSON.stringify(await two.unseen(caller)))
      different.push(`${seed + from} and after: ${caller} has changed what is out of sight`);
  }
  return { cases, statuses, telling, different };
}

async function compareOne(
  two: TwoDatabases,
  request: RandomRequest,
  caller: string,
): Promise<{ readonly status: number; readonly differences: readonly string[] }> {
  const [one, other] = await askBoth(two, [request, request], caller);
  const differences = differencesOf(one, other);
  if (one.next === undefined || other.next === undefined || differences.length > 0) return { status: one.status, differences };
  const following = await askBoth(two, [pageAt(one.next), pageAt(other.next)], caller);
  const tampered = await askBoth(two, [pageAt(damaged(one.next)), pageAt(damaged(other.next))], caller);
  return {
    status: one.status,
    differences: [
      ...differencesOf(...following),
      ...differencesOf(...tampered),
      ...(tampered[0].status === 400 ? [] : ['a link that was tampered with is followed']),
    ],
  };
}

/** The differences between two answers; failures of the service are some. */
export function differencesOf(one: Answer, other: Answer): readonly string[] {
  const failed = [one, other].filter(({ status }) => status === 500 || status === 503).map(({ status, body }) => `${status} ${body}`);
  const shown = ({ status, headers, body }: Answer): string => `${status} ${headers} ${body}`;
  return shown(one) === shown(other) ? failed : [...failed, `${shown(one)}\n${shown(other)}`];
}

/** The request for a page. */
export function pageAt(path: string): RandomRequest {
  return { method: 'GET', path, headers: {} };
}

// One character of the token is another.
function damaged(path: string): string {
  return path.replace(/(\$skiptoken=.{9})(.)/, (_, before: string, last: string) => `${before}${last === 'A' ? 'B' : 'A'}`);
}

/** Sends each service its request, as one caller. */
export async function askBoth(
  { services: [one, other] }: TwoDatabases,
  [first, second]: readonly [RandomRequest, RandomRequest],
  caller: string,
): Promise<readonly [Answer, Answer]> {
  const token = await one.token(caller);
  return Promise.all([answerOf(one, first, token), answerOf(other, second, token)]);
}

async function answerOf({ listening }: TestService, { method, path, headers, body }: RandomRequest, token: string): Promise<Answer> {
  const response = await fetch(`${listening}${path}`, {
    method,
    headers: { ...headers, Authorization: `Bearer ${token}`, 'X-Request-Id': 'same' },
    ...(body !== undefined && method !== 'GET' && method !== 'HEAD' && { body }),
  });
  const shown = [...response.headers]
    .filter(([name]) => name !== 'date')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  const text = await response.text();
  const linkOf = (name: string): string | undefined =>
    new RegExp(`"@odata\\.${name}":"http://same\\.example/odata([^"]+)"`).exec(text)?.[1];
  return { status: response.status, headers: shown, body: comparable(text), next: linkOf('nextLink'), delta: linkOf('deltaLink') };
}

// Tokens are sealed with random numbers; only their length could leak something. Writes to both may be a second apart.
function comparable(body: string): string {
  const timeless = body.replace(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/g, (text, time: string) =>
    Math.abs(Date.now() - Date.parse(time)) < recent ? '"recent"' : text,
  );
  return timeless.replace(/(\$(?:skip|delta)token=)([\w-]+)/g, (_, name: string, token: string) => `${name}<${token.length}>`);
}

/** Milliseconds within which a test has made a change. */
const recent = 600_000;

/** Lets the numbers of all changes have as many digits, since links to changes have one. */
export const manyNumbers = `select setval('"#changes_#id_seq"', 100000)`;
