import test from 'ava';
import { clientCredentials } from '../../client/index.js';

const granted = (token: string, seconds: number): Response => Response.json({ access_token: token, expires_in: seconds });

function credentialsOf(answers: Response[]) {
  const requests: Request[] = [];
  const answer = (url: string, init?: RequestInit): Promise<Response> => {
    requests.push(new Request(url, init));
    return Promise.resolve(answers.shift() ?? new Response('none', { status: 500 }));
  };
  const client = {
    tokenUrl: 'https://one.example/token',
    clientId: 'a:b',
    clientSecret: 'c',
    scope: 'read',
    fetch: answer as typeof fetch,
  };
  return { token: clientCredentials(client), requests };
}

test('many callers share one token until it nearly ends', async (t) => {
  const { token, requests } = credentialsOf([granted('one', 3600), granted('two', 3600)]);
  t.deepEqual(await Promise.all([token(), token(), token()]), ['one', 'one', 'one']);
  t.is(await token(), 'one');
  t.is(requests.length, 1);
  t.is(requests[0]?.headers.get('authorization'), `Basic ${btoa('a%3Ab:c')}`);
  t.is(await requests[0]?.text(), 'grant_type=client_credentials&scope=read');
  const short = credentialsOf([granted('one', 0), granted('two', 3600)]);
  t.deepEqual([await short.token(), await short.token()], ['one', 'two']);
});

test('a busy token endpoint is asked again', async (t) => {
  const { token, requests } = credentialsOf([new Response('', { status: 503 }), granted('one', 3600)]);
  t.is(await token(), 'one');
  t.is(requests.length, 2);
});

test('a refusal is an error, and the next caller asks again', async (t) => {
  const { token } = credentialsOf([new Response('{"error":"invalid_client"}', { status: 401 }), granted('one', 3600)]);
  await t.throwsAsync(token(), { message: /401 .*invalid_client/ });
  t.is(await token(), 'one');
});
