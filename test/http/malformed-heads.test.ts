import { connect } from 'node:net';
import test from 'ava';
import { codeIn } from '../support/error-code.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;

test.before(async () => {
  service = await startService();
});

test.after.always(() => service.stop());

/** Heads that are no HTTP, with the address in place of ADDRESS. */
const heads: readonly (readonly [title: string, head: string, status: number, code: string])[] = [
  ['a space in the address', 'GET ADDRESS?$filter=a eq 1 HTTP/1.1\r\nHost: a', 400, '1400'],
  ['a version of HTTP that does not exist', 'GET ADDRESS HTTP/9.9\r\nHost: a', 400, '1400'],
  ['a method that does not exist', 'FETCH ADDRESS HTTP/1.1\r\nHost: a', 400, '1400'],
  ['a header without a colon', 'GET ADDRESS HTTP/1.1\r\nHost: a\r\nAccept', 400, '1400'],
  ['a space in the name of a header', 'GET ADDRESS HTTP/1.1\r\nHost: a\r\nMy Header: b', 400, '1400'],
  ['a control character in a header', 'GET ADDRESS HTTP/1.1\r\nHost: a\r\nAccept: \u0001', 400, '1400'],
  ['a length that is no number', 'POST ADDRESS HTTP/1.1\r\nHost: a\r\nContent-Length: many', 400, '1400'],
  ['two lengths', 'POST ADDRESS HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2', 400, '1400'],
  ['a length and chunks', 'POST ADDRESS HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked', 400, '1400'],
  ['no host', 'GET ADDRESS HTTP/1.1\r\nAccept: */*', 400, '1400'],
  ['two hosts', 'GET ADDRESS HTTP/1.1\r\nHost: a\r\nHost: b', 400, '1400'],
];

const addresses = [
  '/',
  '/odata',
  '/odata/Property',
  '/odata/$metadata',
  '/docs/',
  '/explorer/',
  '/health/live',
  '/oauth2/token',
  '/nowhere',
];

for (const [title, head, status, code] of heads)
  test(`a malformed head is refused alike at every address: ${title}`, async (t) => {
    const answers = await Promise.all(
      addresses.map(async (address) => [address, await answerTo(head.replace('ADDRESS', address))] as const),
    );
    for (const [address, answer] of answers) {
      const [first = '', body = ''] = answer.split(/\r\n(?:.*\r\n\r\n)?/s);
      t.regex(first, new RegExp(`^HTTP/1\\.1 ${status} `), address);
      t.is(codeIn(body), code, address);
    }
    t.is(new Set(answers.map(([, answer]) => withoutIds(answer))).size, 1);
  });

async function answerTo(head: string): Promise<string> {
  const socket = connect(Number(new URL(service.listening).port), '127.0.0.1');
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function withoutIds(answer: string): string {
  return answer.replace(/[\da-f]{8}-[\da-f-]{27}/g, '').replace(/^Date: .*\r\n/m, '');
}
