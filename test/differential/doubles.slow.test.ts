import test from 'ava';
import { fc } from '../support/fast-check.js';
import { withConnection } from '../../runtime/database/run.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

let service: ToyService;

test.before(async () => {
  service = await startToy('test/differential/model.xml');
  await withConnection(service.pool, (connection) =>
    connection.run({ text: 'insert into "Item" ("Id", "S") values (1, \'a\')', bind: [] }),
  );
});

test.after.always(() => service.stop());

/** An operator or function as OData writes it, and what IEEE 754 makes of it. */
interface Operation {
  readonly text: (a: string, b: string) => string;
  readonly value: (a: number, b: number) => number;
}

const operations: readonly Operation[] = [
  { text: (a, b) => `${a} add ${b}`, value: (a, b) => a + b },
  { text: (a, b) => `${a} sub ${b}`, value: (a, b) => a - b },
  { text: (a, b) => `${a} mul ${b}`, value: (a, b) => a * b },
  { text: (a, b) => `${a} div ${b}`, value: divided },
  { text: (a, b) => `${a} divby ${b}`, value: divided },
  { text: (a) => `round(${a})`, value: (a) => Math.trunc(a) + (Math.abs(a % 1) >= 0.5 ? Math.sign(a) : 0) },
  { text: (a) => `floor(${a})`, value: Math.floor },
  { text: (a) => `ceiling(${a})`, value: Math.ceil },
];

// A zero of the request has no sign.
function divided(a: number, b: number): number {
  return b === 0 ? a / 0 : a / b;
}

const odd = [
  1.7976931348623157e308,
  -1.7976931348623157e308,
  9e307,
  5e-324,
  2.2250738585072014e-308,
  1e154,
  1e-162,
  4503599627370497,
  9007199254740991,
  0.49999999999999994,
  2.5,
  -2.5,
  0.5,
  0,
  Infinity,
  -Infinity,
];
const doubles = fc.oneof(fc.double({ noNaN: true }), fc.double({ noNaN: true, min: -1e16, max: 1e16 }), fc.constantFrom(...odd));

// Each in one request: the values of all operations.
test.serial('5.1.1.2 arithmetic of doubles is that of IEEE 754: nothing is lost, and too much is infinite', async (t) => {
  await fc.assert(
    fc.asyncProperty(doubles, doubles, async (a, b) => {
      const items = operations.map(({ text }, index) => `${text(literal(a), literal(b))} as V${index}`);
      const record = await read(
        `$select=${items.map((_, index) => `V${index}`).join(',')}&$compute=${encodeURIComponent(items.join(','))}`,
      );
      for (const [index, { text, value }] of operations.entries()) {
        const [actual, expected] = [numberOf(record[`V${index}`]), value(a, b)];
        t.true(isSame(actual, expected), `${text(literal(a), literal(b))} is ${expected}, and ${actual} came`);
      }
    }),
    { numRuns: 400 },
  );
});

test.serial('5.1.1.1 texts of the request compare by code point, whatever the database sorts by', async (t) => {
  for (const condition of ["'a' gt 'B'", "'é' gt 'z'", "concat('a','') gt 'B'", "'\u{FF5E}' lt '\u{1F600}'"]) {
    t.deepEqual(await read(`$select=Id&$filter=${encodeURIComponent(condition)}`), { Id: 1 }, condition);
  }
});

function literal(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  return value.toExponential();
}

function numberOf(value: unknown): number {
  if (value === 'INF') return Infinity;
  return value === '-INF' ? -Infinity : Number(value);
}

// At the very ends of the range the last digit may be another one.
function isSame(actual: number, expected: number): boolean {
  if (Object.is(actual, expected) || actual === expected) return true;
  const size = Math.abs(expected);
  return (size > 1e308 || size < 1e-321) && Math.abs(actual - expected) <= Math.max(size * 3e-16, 1e-322);
}

async function read(query: string): Promise<{ readonly [name: string]: unknown }> {
  const response = await fetch(`${service.root}/Items?${query}`);
  const { value, error } = (await response.json()) as {
    readonly value?: readonly { readonly [name: string]: unknown }[];
    readonly error?: { readonly message: string };
  };
  if (value === undefined) throw new Error(`${decodeURIComponent(query)}: ${error?.message}`);
  return value[0] ?? {};
}
