import test from 'ava';
import { codeOf } from '../support/error-code.js';
import { fc } from '../support/fast-check.js';
import { parseMultipart, readMultipartBatch } from '../../runtime/features/batch/read-multipart.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { startService } from '../support/service.js';

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/);
const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
const headers = fc.uniqueArray(
  fc.tuple(
    token.map((name) => name.toLowerCase()),
    value,
  ),
  { maxLength: 4, selector: ([name]) => name },
);
// Bytes that look like what a parser looks for come more often than chance would have them.
const awkward = fc.constantFrom('\r\n', '\n', '--', '--b', '\r\n--', '\r\n--bb', 'b--', ':', '\r\n\r\n', 'x');
const body = fc
  .array(
    fc.oneof(
      awkward.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 12 },
  )
  .map((chunks) => Buffer.concat(chunks));
const parts = fc.array(fc.record({ headers, body }), { minLength: 1, maxLength: 6 });
const boundary = fc.constantFrom('b', 'b-1', 'batch 1', "a'()+_,-./:=?b");

// A boundary must not occur in what it separates (RFC 2046, 5.1.1); any line that begins with it could be one.
function occurs(text: string, bytes: Buffer): boolean {
  return `\n${bytes.toString('latin1')}`.includes(`\n--${text}`);
}

test('a multipart body is read as it was written', (t) => {
  fc.assert(
    fc.property(parts, boundary, fc.constantFrom('\r\n', '\n'), fc.boolean(), (written, by, end, preamble) => {
      fc.pre(written.every((part) => !occurs(by, part.body) && !part.body.toString('latin1').endsWith('\r')));
      const chunks = written.flatMap((part) => [
        Buffer.from(`--${by}${end}${part.headers.map(([name, text]) => `${name}: ${text}${end}`).join('')}${end}`, 'utf8'),
        part.body,
        Buffer.from(end),
      ]);
      const bytes = Buffer.concat([Buffer.from(preamble ? `nothing${end}` : ''), ...chunks, Buffer.from(`--${by}--${end}`)]);
      const read = parseMultipart(bytes, by, 10);
      t.deepEqual(
        read.map((part) => [...part.headers]),
        written.map((part) => part.headers.map(([name, text]) => [name, text] as [string, string])),
      );
      t.deepEqual(
        read.map((part) => part.body.toString('latin1')),
        written.map((part) => part.body.toString('latin1')),
      );
    }),
    { numRuns: 500 },
  );
});

test('whatever arrives as multipart is read or refused', (t) => {
  const line = fc.constantFrom(
    '--b',
    '--b--',
    'Content-Type: application/http',
    'Content-Type: multipart/mixed; boundary=c',
    '--c',
    '--c--',
    '',
    'GET Office HTTP/1.1',
    'POST $1',
    'Content-ID: 1',
    'x: y',
    '{',
    ': :',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.constantFrom('\r\n', '\n'), (lines, end) => {
      try {
        t.true(readMultipartBatch(Buffer.from(lines.join(end)), 'multipart/mixed; boundary=b').units.length <= 100);
      } catch (failure) {
        t.true(failure instanceof ODataError && failure.status === 400, String(failure));
      }
    }),
    { numRuns: 2000 },
  );
});

test('batches end at their limits', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const headers = { Authorization: `Bearer ${await service.token('write')}`, 'Content-Type': 'application/json' };
  const send = (body: string): Promise<Response> => fetch(`${service.root}/$batch`, { method: 'POST', headers, body });
  const whole = (await (await send(batch(100))).json()) as { responses: { id: string; status: number; body: string }[] };
  t.deepEqual(
    whole.responses.map(({ id, status, body }) => `${id} ${status} ${body}`),
    Array.from({ length: 100 }, (_, index) => `${index} 200 2`),
  );
  t.is(await codeOf(await send(batch(101))), '1044');
  t.is(await codeOf(await send(`${batch(1)}${' '.repeat(4 * 1024 * 1024)}`)), '1413');
  const large = {
    requests: [
      { id: '1', method: 'post', url: 'Property', body: { City: 'x'.repeat(256 * 1024) } },
      { id: '2', method: 'get', url: 'Office/$count' },
    ],
  };
  const mixed = (await (await send(JSON.stringify(large))).json()) as { responses: { status: number }[] };
  t.deepEqual(
    mixed.responses.map(({ status }) => status),
    [413, 200],
  );
});

test('the answers of a batch have a limit together, at which reads are refused', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const headers = { Authorization: `Bearer ${await service.token('all')}`, 'Content-Type': 'application/json' };
  // Each record has nearly a megabyte.
  const repeated = `${'concat(@p,'.repeat(8)}@p${')'.repeat(8)}`;
  const large = `Property?$select=A&$compute=${repeated} as A&@p='${'x'.repeat(100_000)}'`.replaceAll(' ', '%20');
  const requests = Array.from({ length: 8 }, (_, index) => ({ id: `${index}`, method: 'get', url: large }));
  const response = await fetch(`${service.root}/$batch`, { method: 'POST', headers, body: JSON.stringify({ requests }) });
  const text = await response.text();
  t.true(text.length < 33 * 1024 * 1024, `${text.length}`);
  const { responses } = JSON.parse(text) as { responses: { body: { error?: { code: string } } }[] };
  t.deepEqual([...new Set(responses.map(({ body }) => body.error?.code ?? 'found'))].toSorted(), ['1044', 'found']);
});

test('a batch in MIME of too many parts is refused at the first part too many', (t) => {
  t.is(parseMultipart(Buffer.from(`${'--b\r\n\r\n'.repeat(100)}--b--`), 'b', 100).length, 100);
  t.throws(() => parseMultipart(Buffer.from('--b\r\n\r\n'.repeat(102)), 'b', 100), {
    instanceOf: ODataError,
    message: /may have at most 100 requests/,
  });
});

function batch(size: number): string {
  return JSON.stringify({
    requests: Array.from({ length: size }, (_, index) => ({ id: `${index}`, method: 'get', url: 'Office/$count' })),
  });
}
