import test from 'ava';
import { fc } from '../support/fast-check.js';
import { settings } from '../../runtime/config/settings.js';
import { nextTry, parseRetryAfter } from '../../runtime/features/webhooks/deliver.js';

const schedule = settings.webhookTries.fallback;
const middle = (): number => 0.5;

test('a delivery is tried ten times within three days and a half, then the hook stops', (t) => {
  const delays: (number | undefined)[] = [];
  for (let failures = 0, failingFor = 0; delays.at(-1) !== undefined || delays.length === 0; failures += 1) {
    const { delay } = nextTry({ failures, failingFor }, undefined, schedule, middle);
    delays.push(delay);
    failingFor += delay ?? 0;
  }
  t.deepEqual(delays, [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400].map((seconds) => seconds * 1000).concat(undefined as never));
});

test('delays differ by up to a tenth', (t) => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 8 }), (random, failures) => {
      const { delay = 0 } = nextTry({ failures, failingFor: 0 }, undefined, schedule, () => random);
      const seconds = schedule[failures] ?? 0;
      return delay >= seconds * 900 - 1 && delay <= seconds * 1100 + 1;
    }),
  );
  t.pass();
});

test('Retry-After wins over the schedule within limits, does not count, and ends with the schedule', (t) => {
  t.deepEqual(nextTry({ failures: 3, failingFor: 10 }, 60_000, schedule), { delay: 60_000, failures: 3 });
  t.deepEqual(nextTry({ failures: 0, failingFor: 0 }, 0, schedule), { delay: 1_000, failures: 0 });
  t.deepEqual(nextTry({ failures: 0, failingFor: 0 }, 1e12, schedule), { delay: 86_400_000, failures: 0 });
  t.deepEqual(nextTry({ failures: 0, failingFor: 4 * 86_400_000 }, 60_000, schedule), { delay: undefined, failures: 0 });
});

// oxfmt-ignore
const headers: readonly (readonly [header: string | undefined, milliseconds: number | undefined])[] = [
  ['120', 120_000],
  [' 0 ', 0],
  ['Sun, 06 Nov 1994 08:50:37 GMT', 60_000],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['1994-11-06T08:50:37Z', undefined],
  ['Sun, 99 Nov 1994 08:50:37 GMT', undefined],
  ['', undefined],
  [undefined, undefined],
];

for (const [header, milliseconds] of headers)
  test(`Retry-After: ${header}`, (t) => t.is(parseRetryAfter(header, Date.parse('1994-11-06T08:49:37Z')), milliseconds));
