import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { folderOf, inPlace } from '../drill/place.js';
import { startPrimary } from '../drill/server.js';

test('of several hosts, one that belongs to another cluster is not used when the first one ends', async (t) => {
  t.timeout(120_000);
  await inPlace(async (place) => {
    const servers = [await startPrimary(folderOf(place, 'first')), await startPrimary(folderOf(place, 'other'))] as const;
    const [first, other] = servers;
    const pool = connect(first.url.replace(/@.*\//, `@127.0.0.1:${first.port},127.0.0.1:${other.port}/`));
    const port = async (): Promise<unknown> =>
      withConnection(pool, ({ run }) => run({ text: "select current_setting('port')", bind: [] })).then(([row]) => row?.[0]);
    try {
      t.is(await port(), String(first.port));
      await first.end('SIGKILL');
      // The first statement may still meet the connection that ended.
      await port().catch(() => undefined);
      const failure = await t.throwsAsync(port);
      t.regex(String((failure as { cause?: unknown }).cause ?? failure), new RegExp(`:${other.port} belongs to another cluster`));
    } finally {
      await pool.close();
      await Promise.all(servers.map((server) => server.end('SIGQUIT')));
    }
  });
});
