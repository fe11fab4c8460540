import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import test from 'ava';
import { contentCodingOf } from '../../runtime/http/compress.js';
import { startService, type TestService } from '../support/service.js';
import { sendRaw } from '../streaming/raw-client.js';
import { openSessions, type Sessions } from '../streaming/sessions.js';

let service: TestService;
let sessions: Sessions;
test.before(async () => {
  service = await startService({ GABLE_COMPRESSION: 'true', GABLE_STATEMENT_TIMEOUT: '60000' });
  sessions = openSessions(service.databaseUrl);
  // More bytes than all the buffers between a client and the database hold together.
  await sessions.rows(`insert into "Media" ("#id", "MediaKey", "ResourceName", "ResourceRecordKey", "#Property", "MediaURL", "ModificationTimestamp")
    select 1000 + i, 'large-' || i, 'Property', '3', 3, 'https://' || (select string_agg(md5((i * 200 + j)::text), '') from generate_series(1, 120) j), '2026-03-01T09:00:00Z' from generate_series(1, 10000) i`);
});
test.after.always(async () => {
  await sessions?.close();
  await service?.stop();
});

/** Accept-Encoding headers, and the resulting coding (RFC 9110, 12.5.3). */
const codings: readonly (readonly [header: string | undefined, coding: string | undefined])[] = [
  [undefined, undefined],
  ['', undefined],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['deflate', undefined],
  ['identity', undefined],
  ['identity;q=1, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['gzip;q=0, br;q=0', undefined],
  ['zstd', undefined],
];

test('the coding is the one that the client likes best', (t) => {
  t.deepEqual(
    codings.map(([header]) => contentCodingOf(header)),
    codings.map(([, coding]) => coding),
  );
});

const undo = { br: brotliDecompressSync, gzip: gunzipSync } as const;

for (const path of ['/$metadata', '/Media?$top=50&$count=true', '/Media?$top=10000&$orderby=MediaKey', '/Property?$filter=nothing']) {
  test.serial(`the same bytes, compressed as the client takes them: ${path}`, async (t) => {
    const plain = await ask(path);
    t.is(plain.encoding, undefined);
    t.is(plain.body.length >= 1024, /Accept-Encoding/.test(plain.vary ?? ''), 'a cache must know what the answer depends on');
    for (const coding of ['br', 'gzip'] as const) {
      const { body, encoding } = await ask(path, coding);
      t.is(encoding, plain.body.length < 1024 ? undefined : coding);
      if (encoding === undefined) continue;
      // Keys of pages are sealed anew each time.
      t.is(withoutTokens(undo[coding](body)), withoutTokens(plain.body));
      t.true(body.length < plain.body.length);
    }
  });
}

test.serial('a batch is compressed as a whole', async (t) => {
  const requests = [1, 2].map((id) => ({ id: String(id), method: 'GET', url: 'Media?$top=20' }));
  const answer = await fetch(`${service.root}/$batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await service.token('all')}`, 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' },
    body: JSON.stringify({ requests }),
  });
  t.is(answer.headers.get('content-encoding'), 'gzip');
  const { responses } = (await answer.json()) as {
    readonly responses: readonly {
      readonly status: number;
      readonly headers: object;
      readonly body: { readonly value: readonly unknown[] };
    }[];
  };
  t.deepEqual(
    responses.map(({ status, body }) => [status, body.value.length]),
    [
      [200, 20],
      [200, 20],
    ],
  );
  t.false(JSON.stringify(responses.map(({ headers }) => headers)).includes('gzip'));
});

test.serial('a client that leaves in the middle of a compressed page ends its statement', async (t) => {
  const client = await sendRaw('GET', `${service.root}/Media?$top=10000`, await service.token('all'), undefined, {
    'Accept-Encoding': 'gzip',
  });
  await client.begun;
  await sessions.waitFor("state = 'active' and wait_event = 'ClientWrite'", 1, 5);
  client.socket.destroy();
  await sessions.waitFor("state = 'active'", 0);
  t.is((await ask('/Media?$top=1')).status, 200);
});

function withoutTokens(body: Buffer): string {
  return body.toString('utf8').replace(/skiptoken=[^"]*|"requestId":"[^"]*"/g, '...');
}

async function ask(path: string, accepted?: string): Promise<Raw> {
  return raw(service.root + path, {
    Authorization: `Bearer ${await service.token('all')}`,
    ...(accepted !== undefined && { 'Accept-Encoding': accepted }),
  });
}

test.serial('304 tells what the whole answer depends on', async (t) => {
  const headers = { Authorization: `Bearer ${await service.token('all')}` };
  const etag = (await fetch(`${service.root}/$metadata`, { headers })).headers.get('etag') ?? '';
  const known = await raw(`${service.root}/$metadata`, { ...headers, 'If-None-Match': etag, 'Accept-Encoding': 'br' });
  t.deepEqual([known.status, known.encoding], [304, undefined]);
  t.regex(known.vary ?? '', /Accept-Encoding/);
});

interface Raw {
  readonly status: number | undefined;
  readonly body: Buffer;
  readonly encoding: string | undefined;
  readonly vary: string | undefined;
}

// `fetch` would ask for compression by itself, and undo it.
function raw(url: string, headers: Readonly<Record<string, string>>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          body: Buffer.concat(chunks),
          encoding: response.headers['content-encoding'],
          vary: response.headers.vary,
        }),
      );
    }).on('error', reject);
  });
}
