import test from 'ava';
import { codeIn } from '../support/error-code.js';
import { startService, type TestService } from '../support/service.js';
import { exchangeRaw } from './raw.js';

let service: TestService;
let hurried: TestService;
let authorization: string;

test.before(async () => {
  [service, hurried] = await Promise.all([startService(), startService({ GABLE_HEADERS_TIMEOUT: '1500', GABLE_REQUEST_TIMEOUT: '3000' })]);
  authorization = `Authorization: Bearer ${await service.token('write')}`;
});
test.after.always(() => Promise.all([service.stop(), hurried.stop()]));

const next = 'GET /odata/Member HTTP/1.1\r\nHost: a\r\n\r\n';

// oxfmt-ignore
/**
 * Rejected requests, with TOKEN for the header, and their answer: one, in JSON, after which the connection is closed.
 */
const refused: readonly { readonly title: string; readonly sent: readonly (string | number)[]; readonly status: number; readonly code: string }[] = [
  { title: 'two Host headers', sent: ['GET /odata/Office HTTP/1.1\r\nHost: a\r\nHost: b\r\nTOKEN\r\n\r\n', next], status: 400, code: '1400' },
  { title: 'the same Host twice', sent: ['GET /odata/Office HTTP/1.1\r\nHost: a\r\nhost: a\r\nTOKEN\r\n\r\n', next], status: 400, code: '1400' },
  { title: 'no Host', sent: ['GET /odata/Office HTTP/1.1\r\nTOKEN\r\n\r\n', next], status: 400, code: '1400' },
  { title: 'a Host that is none', sent: ['GET /odata/Office HTTP/1.1\r\nHost: a@b\r\nTOKEN\r\n\r\n', next], status: 400, code: '1400' },
  { title: 'a Host with a path', sent: ['GET /odata/Office HTTP/1.1\r\nHost: a/b\r\nTOKEN\r\n\r\n', next], status: 400, code: '1400' },
  { title: 'a target of another scheme', sent: ['GET ftp://a/odata/Office HTTP/1.1\r\nHost: a\r\nTOKEN\r\n\r\n', next], status: 400, code: '1400' },
  { title: 'HTTP/0.9', sent: ['GET /odata/Office\r\n\r\n'], status: 400, code: '1400' },
  { title: 'HTTP/2 without agreement', sent: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], status: 400, code: '1400' },
  { title: 'a version that there is not', sent: ['GET /odata/Office HTTP/1.2\r\nHost: a\r\n\r\n'], status: 400, code: '1400' },
  { title: 'Content-Length and Transfer-Encoding', sent: [`POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'Transfer-Encoding before Content-Length', sent: [`POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'two lengths', sent: [`POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nContent-Length: 0\r\nContent-Length: 45\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'a list of lengths', sent: [`POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nContent-Length: 0, 45\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'a length with a sign', sent: [`POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nContent-Length: +45\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'an encoding that is not chunked', sent: [`GET /odata/Office HTTP/1.1\r\nHost: a\r\nTOKEN\r\nTransfer-Encoding: identity\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'chunked, and more', sent: [`POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'gzip, chunked', sent: [`POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'chunked twice', sent: [`POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'nearly chunked', sent: [`POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'a space before the colon', sent: [`POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nContent-Length : 45\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'a folded header', sent: [`GET /odata/Office HTTP/1.1\r\nHost: a\r\nX-A: b\r\n Transfer-Encoding: chunked\r\nTOKEN\r\nX\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'line feeds alone', sent: [`GET /odata/Office HTTP/1.1\nHost: a\nTOKEN\n\n${next}`], status: 400, code: '1400' },
  { title: 'a carriage return within a header', sent: [`GET /odata/Office HTTP/1.1\r\nHost: a\r\nX-A: b\rTransfer-Encoding: chunked\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'NUL in a header', sent: [`GET /odata/Office HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n${next}`], status: 400, code: '1400' },
  { title: 'a raw byte in the URL', sent: [`GET /odata/Office?$filter=\xff HTTP/1.1\r\nHost: a\r\nTOKEN\r\nConnection: close\r\n\r\n`], status: 400, code: '1400' },
  { title: 'a size of a chunk that is no number', sent: ['POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'], status: 400, code: '1400' },
  { title: 'a line that never ends', sent: [`GET /odata/${'a'.repeat(1_000_000)}`], status: 414, code: '1414' },
  { title: 'a line of 17 kB', sent: [`GET /odata/${'a'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\nTOKEN\r\nConnection: close\r\n\r\n`], status: 414, code: '1414' },
  { title: 'a header of 40 kB', sent: [`GET /odata/Office HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`], status: 431, code: '1431' },
  { title: 'megabytes of headers', sent: [`GET /odata/Office HTTP/1.1\r\nHost: a\r\n${`X-A: ${'a'.repeat(1000)}\r\n`.repeat(4_000)}\r\n`], status: 431, code: '1431' },
  { title: 'one header line too many', sent: [`GET /odata/Office HTTP/1.1\r\nHost: a\r\nTOKEN\r\n${'a: b\r\n'.repeat(999)}\r\n`], status: 431, code: '1431' },
  { title: 'a condition after more header lines than Node keeps', sent: [`PATCH /odata/Property('Draft1') HTTP/1.1\r\nHost: a\r\nTOKEN\r\n${'a: b\r\n'.repeat(3_000)}If-Match: "old"\r\nContent-Length: 2\r\n\r\n{}`], status: 431, code: '1431' },
  { title: 'an unknown expectation', sent: ['GET /odata/Office HTTP/1.1\r\nHost: a\r\nTOKEN\r\nExpect: evil\r\n\r\n', next], status: 417, code: '1417' },
];

// oxfmt-ignore
/** Those of a service with short limits, which cut off other requests too while the machine is busy. */
const slow: typeof refused = [
  { title: 'headers that come slowly', sent: ['GET /odata/Office HTTP/1.1\r\nHost: a\r\n', 1000, 'X-A: b\r\n', 1000, 'X-B: c\r\n', 1500], status: 408, code: '1408' },
  { title: 'a body that comes slowly', sent: ['POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{', 1500, '"', 1500, 'a', 1500, 'b'], status: 408, code: '1408' },
];

const cases = [...refused.map((each) => ({ ...each, from: () => service })), ...slow.map((each) => ({ ...each, from: () => hurried }))];

for (const { title, sent, status, code, from } of cases) {
  test(`refused: ${title}`, async (t) => {
    const answer = await exchangeRaw(
      from().root,
      sent.map((part) => (typeof part === 'string' ? part.replace('TOKEN', authorization) : part)),
    );
    t.is(answer.split('HTTP/1.1 ').length, 2, answer);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    t.true(head.startsWith(`HTTP/1.1 ${status} `), answer);
    t.regex(head, /^Connection: close$/im);
    t.is(codeIn(body), code);
  });
}

// oxfmt-ignore
/** Unusual but valid requests. */
const accepted: readonly { readonly title: string; readonly sent: string; readonly statuses: readonly string[] }[] = [
  { title: 'the absolute form', sent: 'GET http://other.example/odata/Office HTTP/1.1\r\nHost: a\r\nTOKEN\r\nConnection: close\r\n\r\n', statuses: ['200'] },
  { title: 'the root in capitals, which a proxy may not guard', sent: 'GET /ODATA/Office HTTP/1.1\r\nHost: a\r\nTOKEN\r\nConnection: close\r\n\r\n', statuses: ['404'] },
  { title: 'a Host that is an address of version 6', sent: 'GET /odata/Office HTTP/1.1\r\nHost: [::1]:8080\r\nTOKEN\r\nConnection: close\r\n\r\n', statuses: ['200'] },
  { title: 'HTTP/1.0 without Host', sent: 'GET /odata/Office HTTP/1.0\r\nTOKEN\r\n\r\n', statuses: ['200'] },
  { title: 'two requests at once', sent: 'GET /odata/Office HTTP/1.1\r\nHost: a\r\nTOKEN\r\n\r\nGET /odata/Nothing HTTP/1.1\r\nHost: a\r\nTOKEN\r\nConnection: close\r\n\r\n', statuses: ['200', '404'] },
  { title: 'a body in chunks with extensions', sent: 'POST /odata/Property HTTP/1.1\r\nHost: a\r\nTOKEN\r\nContent-Type: application/json\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n2;a=b\r\n{}\r\n0\r\nX-Trailer: 1\r\n\r\n', statuses: ['400'] },
  { title: 'headers in any case', sent: 'GET /odata/Office HTTP/1.1\r\nhOST: a\r\nTOKEN\r\nCONNECTION: close\r\n\r\n', statuses: ['200'] },
  { title: 'as many header lines as are taken', sent: `GET /odata/Office HTTP/1.1\r\nHost: a\r\nTOKEN\r\n${'a: b\r\n'.repeat(997)}Connection: close\r\n\r\n`, statuses: ['200'] },
];

for (const { title, sent, statuses } of accepted) {
  test(`answered: ${title}`, async (t) => {
    const answer = await exchangeRaw(service.root, [sent.replaceAll('TOKEN', authorization)]);
    t.deepEqual(
      [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status),
      [...statuses],
      answer,
    );
    // No link and no address shows what the request claimed of the host.
    t.false(answer.includes('other.example'));
  });
}
