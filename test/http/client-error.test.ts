import { createServer, type ServerOptions } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { clientErrorHandler } from '../../runtime/http/client-error.js';
import { codeIn } from '../support/error-code.js';

// oxfmt-ignore
/** Bytes that are no request, and the code of the answer, which is always JSON. */
const cases: readonly { readonly title: string; readonly sent: string; readonly status: string; readonly code: string }[] = [
  { title: 'a raw space in the URL', sent: "GET /odata/Property?$filter=City eq 'x' HTTP/1.1\r\nHost: a\r\n\r\n", status: '400 Bad Request', code: '1400' },
  { title: 'no HTTP at all', sent: 'hello\r\n\r\n', status: '400 Bad Request', code: '1400' },
  { title: 'headers that never end', sent: `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}`, status: '431 Request Header Fields Too Large', code: '1431' },
  { title: 'a line that never ends', sent: `GET /odata/${'x'.repeat(40_000)}`, status: '414 URI Too Long', code: '1414' },
  { title: 'headers that never come', sent: 'GET / HTTP/1.1\r\nHost: a\r\n', status: '408 Request Timeout', code: '1408' },
];

test('a method that HTTP does not have is named as the fault', async (t) => {
  const { answer } = await exchange(t, 'get /odata HTTP/1.1\r\nHost: a\r\n\r\n', {});
  t.regex(answer, /"message":"The request does not begin with a method of HTTP, such as GET, POST, PATCH or DELETE in capital letters\."/);
});

for (const { title, sent, status, code } of cases) {
  test(title, async (t) => {
    // Only what never comes is to wait for: on a busy machine, the others arrive late.
    const longest = status.startsWith('408') ? 300 : 60_000;
    const { answer, told } = await exchange(t, sent, {
      headersTimeout: longest,
      requestTimeout: longest,
      connectionsCheckingInterval: 50,
      maxHeaderSize: 32 * 1024,
    });
    t.true(answer.startsWith(`HTTP/1.1 ${status}\r\n`), answer);
    t.deepEqual(told, [Number(status.slice(0, 3))]);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    t.regex(head, /\r\nContent-Type: application\/json;odata\.metadata=minimal\r\n/);
    t.regex(head, /\r\nX-Request-Id: [\w-]{36}\r\n/);
    t.is(codeIn(body), code);
  });
}

async function exchange(
  t: ExecutionContext,
  sent: string,
  options: ServerOptions,
): Promise<{ readonly answer: string; readonly told: readonly number[] }> {
  const told: number[] = [];
  const server = createServer(options, (_, response) => response.end('understood'));
  server.on('clientError', clientErrorHandler({ unreadable: (status) => told.push(status) }));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.teardown(() => server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(sent);
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  return { answer: Buffer.concat(chunks).toString('utf8'), told };
}
